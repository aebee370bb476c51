#include "kernel-src/boot/acpi_mcfg.h"

#include "kernel-src/boot/acpi_table.h"

namespace clay {
namespace {

// PCI Firmware Specification 3.3, tables 4-2 and 4-3.
constexpr size_t kFixedBytes = 44;
constexpr size_t kEntryBytes = 16;
constexpr uint64_t kBusBytes = 1U << 20;

} // namespace

Result<void> AcpiMcfg::read(PhysicalBytes& table, AcpiReport& report) {
  uint8_t buffer[kFixedBytes];
  CLAY_TRY(read_acpi_fixed(table, buffer, report));
  size_t at = kFixedBytes;
  for (; table.size() - at >= kEntryBytes; at += kEntryBytes) {
    uint8_t entry[kEntryBytes];
    CLAY_TRY(table.copy(at, entry));
    const LeFields fields{Bytes(entry)};
    add({fields.u64(0), fields.u16(8), fields.u8(10), fields.u8(11)}, report);
  }
  report.note_unless(at == table.size(), AcpiOddity::kTail);
  return {};
}

void AcpiMcfg::add(const Range& range, AcpiReport& report) {
  if (range.base == 0) {
    return report.note(AcpiOddity::kAddress);
  }
  if (range.first_bus > range.last_bus ||
      !fits_physical(range.base, (uint64_t{range.last_bus} + 1) * kBusBytes)) {
    return report.note(AcpiOddity::kBuses);
  }
  for (const Range& earlier : ranges()) {
    if (earlier.segment == range.segment && range.first_bus <= earlier.last_bus &&
        earlier.first_bus <= range.last_bus) {
      return report.note(AcpiOddity::kBusesTwice);
    }
  }
  report.note_unless(ranges_.add(range), AcpiOddity::kListFull);
}

} // namespace clay
