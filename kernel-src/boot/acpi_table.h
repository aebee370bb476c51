#pragma once
// What all tables of ACPI have in common: a header with signature and length, and a checksum (ACPI
// Specification 6.5, section 5.2.6, "System Description Table Header").

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/physical_bytes.h"
#include "kernel-src/lib/le_fields.h"

namespace clay {

/// A table that is sound as a whole; says nothing about its contents.
struct AcpiTable {
  static constexpr size_t kHeaderBytes = 36;
  /// The longest one that is read. Definition blocks of some 100 KiB exist.
  static constexpr uint32_t kBytesMax = 1U << 20;

  char signature[4];
  uint8_t revision;
  uint32_t length;
  uint64_t physical;

  /// `text` has four characters.
  bool is(const char* text) const;
};

/// The table at `physical`, its checksum right over all of its length. kCorrupt: it is none, which
/// has been counted.
Result<AcpiTable> open_acpi_table(PhysicalWindow& window, uint64_t physical, AcpiReport& report);

/// Fills `out` with a table's fixed part. kTruncated: it has none, which has been counted.
Result<LeFields> read_acpi_fixed(PhysicalBytes& table, MutableBytes out, AcpiReport& report);

} // namespace clay
