#pragma once
// Where a register is: Generic Address Structure (ACPI Specification 6.5, section 5.2.3.2).

#include "kernel-src/lib/le_fields.h"

namespace clay {

struct AcpiRegister {
  static constexpr size_t kBytes = 12;
  enum Space : uint8_t { kMemory = 0, kPorts = 1, kPciConfig = 2 };

  uint8_t space = kMemory;
  uint8_t bits = 0;   ///< width
  uint8_t offset = 0; ///< of the lowest bit
  uint8_t access = 0; ///< 0: not said; else 1 << (access - 1) bytes at a time
  uint64_t address = 0;
  bool exists() const { return address != 0; }

  /// The one at a place where a table has all of it.
  static AcpiRegister from(const LeFields& fields, size_t at) {
    return {fields.u8(at), fields.u8(at + 1), fields.u8(at + 2), fields.u8(at + 3),
            fields.u64(at + 4)};
  }
};

} // namespace clay
