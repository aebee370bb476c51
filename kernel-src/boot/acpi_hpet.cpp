#include "kernel-src/boot/acpi_hpet.h"

#include "kernel-src/boot/acpi_register.h"
#include "kernel-src/boot/acpi_table.h"

namespace clay {
namespace {

// IA-PC HPET Specification 1.0a, table 3.
constexpr size_t kFixedBytes = 56;
constexpr size_t kId = 36;
constexpr size_t kBase = 40;
constexpr size_t kNumber = 52;
constexpr size_t kLeastTicks = 53;

} // namespace

Result<void> AcpiHpets::read(PhysicalBytes& table, AcpiReport& report) {
  uint8_t buffer[kFixedBytes];
  const LeFields fields = CLAY_TRY(read_acpi_fixed(table, buffer, report));
  const AcpiRegister base = AcpiRegister::from(fields, kBase);
  if (base.space != AcpiRegister::kMemory || !base.exists()) {
    report.note(AcpiOddity::kTimer);
    return {};
  }
  add({base.address, fields.u32(kId), fields.u8(kNumber), fields.u16(kLeastTicks)}, report);
  return {};
}

void AcpiHpets::add(const Block& block, AcpiReport& report) {
  for (const Block& earlier : blocks()) {
    if (earlier.number == block.number) {
      return report.note(AcpiOddity::kTimerTwice);
    }
  }
  report.note_unless(blocks_.add(block), AcpiOddity::kListFull);
}

} // namespace clay
