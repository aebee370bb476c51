#include "kernel-src/boot/acpi_table.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/endian.h"

namespace clay {
namespace {

constexpr size_t kLength = 4;
constexpr size_t kRevision = 8;

Result<AcpiTable> refuse(AcpiReport& report, AcpiOddity why) {
  report.note(why);
  return Error::kCorrupt;
}

} // namespace

bool AcpiTable::is(const char* text) const {
  return memcmp(signature, text, sizeof signature) == 0;
}

Result<AcpiTable> open_acpi_table(PhysicalWindow& window, uint64_t physical, AcpiReport& report) {
  if (!fits_physical(physical, AcpiTable::kHeaderBytes)) {
    return refuse(report, AcpiOddity::kTableLong);
  }
  uint8_t header[AcpiTable::kHeaderBytes];
  if (!PhysicalBytes(window, physical, sizeof header).copy(0, header).ok()) {
    return refuse(report, AcpiOddity::kUnmapped);
  }
  AcpiTable table{{}, header[kRevision], load_le<uint32_t>(header + kLength), physical};
  memcpy(table.signature, header, sizeof table.signature);
  if (table.length < AcpiTable::kHeaderBytes) {
    return refuse(report, AcpiOddity::kTableShort);
  }
  if (table.length > AcpiTable::kBytesMax || !fits_physical(physical, table.length)) {
    return refuse(report, AcpiOddity::kTableLong);
  }
  const Result<uint8_t> sum = PhysicalBytes(window, physical, table.length).sum();
  if (!sum.ok()) {
    return refuse(report, AcpiOddity::kUnmapped);
  }
  if (sum.value() != 0) {
    return refuse(report, AcpiOddity::kTableSum);
  }
  return table;
}

Result<LeFields> read_acpi_fixed(PhysicalBytes& table, MutableBytes out, AcpiReport& report) {
  if (table.size() < out.size()) {
    report.note(AcpiOddity::kTableFixed);
    return Error::kTruncated;
  }
  CLAY_TRY(table.copy(0, out));
  return LeFields(Bytes(out));
}

} // namespace clay
