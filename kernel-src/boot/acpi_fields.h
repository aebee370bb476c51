#pragma once
// Little-endian numbers at the places where a table of ACPI has them.

#include "kernel-src/lib/endian.h"
#include "kernel-src/lib/span.h"

namespace clay {

class AcpiFields {
 public:
  explicit AcpiFields(Bytes bytes) : bytes_(bytes) {}

  /// Whether [at, at + size) is there.
  bool cover(size_t at, size_t size) const { return bytes_.slice(at, size).ok(); }

  // --- Of what is there

  uint8_t u8(size_t at) const { return load<uint8_t>(at); }
  uint16_t u16(size_t at) const { return load<uint16_t>(at); }
  uint32_t u32(size_t at) const { return load<uint32_t>(at); }
  uint64_t u64(size_t at) const { return load<uint64_t>(at); }

 private:
  template <typename T> T load(size_t at) const {
    return load_le<T>(bytes_.subspan(at, sizeof(T)).data());
  }

  Bytes bytes_;
};

} // namespace clay
