#include "kernel-src/boot/acpi_fadt.h"

namespace clay {
namespace {

// ACPI Specification 6.5, table 5.9 ("FADT Format").
enum Place : size_t {
  kFirmwareControl = 36,
  kDsdt = 40,
  kProfile = 45,
  kSci = 46,
  kSmiCommand = 48,
  kAcpiEnable = 52,
  kAcpiDisable = 53,
  kPm1aEvent = 56,
  kPm1aControl = 64,
  kPmTimer = 76,
  kPm1EventBytes = 88,
  kPm1ControlBytes = 89,
  kPmTimerBytes = 91,
  kCentury = 108,
  kBootFlags = 109,
  kFlags = 112,
  kReset = 116,
  kResetValue = 128,
  kArmBootFlags = 129,
  kXFirmwareControl = 132,
  kXDsdt = 140,
  kXPm1aEvent = 148,
  kXPm1aControl = 172,
  kXPmTimer = 208,
  kSleepControl = 244,
  kSleepStatus = 256,
  kHypervisor = 268,
  kWhole = 276,
};

} // namespace

/// Fields that are not there read as 0, which is what each says when it says nothing.
class AcpiFadt::Reader {
 public:
  explicit Reader(const LeFields& fields) : fields_(fields) {}

  uint8_t u8(size_t at) const { return fields_.cover(at, 1) ? fields_.u8(at) : uint8_t{0}; }
  uint16_t u16(size_t at) const { return fields_.cover(at, 2) ? fields_.u16(at) : uint16_t{0}; }
  uint32_t u32(size_t at) const { return fields_.cover(at, 4) ? fields_.u32(at) : 0; }
  uint64_t u64(size_t at) const { return fields_.cover(at, 8) ? fields_.u64(at) : 0; }
  AcpiRegister at(size_t place) const {
    return fields_.cover(place, AcpiRegister::kBytes) ? AcpiRegister::from(fields_, place)
                                                      : AcpiRegister{};
  }

  uint64_t address(size_t wide, size_t narrow) const {
    const uint64_t address = u64(wide);
    return address != 0 ? address : u32(narrow);
  }
  /// The newer description of a register, else the port that the older one names.
  AcpiRegister block(size_t wide, size_t narrow, size_t bytes) const {
    const AcpiRegister whole = at(wide);
    const uint32_t port = u32(narrow);
    if (whole.exists() || port == 0) {
      return whole.exists() ? whole : AcpiRegister{};
    }
    // A length that does not fit 8 bits of width is no register's.
    const uint8_t width = u8(bytes) < 32 ? static_cast<uint8_t>(u8(bytes) * 8) : uint8_t{0};
    return {AcpiRegister::kPorts, width, 0, 0, port};
  }

 private:
  const LeFields& fields_;
};

Result<void> AcpiFadt::read(PhysicalBytes& table, AcpiReport& report) {
  uint8_t buffer[kWhole];
  const LeFields fields(CLAY_TRY(table.prefix(buffer)));
  const Reader from(fields);
  facs_ = from.address(kXFirmwareControl, kFirmwareControl);
  dsdt_ = from.address(kXDsdt, kDsdt);
  profile_ = from.u8(kProfile);
  flags_ = from.u32(kFlags);
  boot_flags_ = from.u16(kBootFlags);
  arm_boot_flags_ = from.u16(kArmBootFlags);
  century_ = from.u8(kCentury);
  sleep_control_ = from.at(kSleepControl);
  sleep_status_ = from.at(kSleepStatus);
  hypervisor_ = from.u64(kHypervisor);
  if (!hardware_reduced()) {
    sci_ = from.u16(kSci);
    smi_command_ = from.u32(kSmiCommand);
    acpi_enable_ = from.u8(kAcpiEnable);
    acpi_disable_ = from.u8(kAcpiDisable);
    pm1a_event_ = from.block(kXPm1aEvent, kPm1aEvent, kPm1EventBytes);
    pm1a_control_ = from.block(kXPm1aControl, kPm1aControl, kPm1ControlBytes);
    pm_timer_ = from.block(kXPmTimer, kPmTimer, kPmTimerBytes);
  }
  if ((flags_ & kResetSupported) != 0) {
    // 4.8.3.6 ("Reset Register"): 8 bits wide, in memory, ports or configuration space.
    const AcpiRegister reset = from.at(kReset);
    const bool usable = reset.exists() && reset.space <= AcpiRegister::kPciConfig &&
                        reset.bits == 8 && reset.offset == 0 && fields.cover(kResetValue, 1);
    report.note_unless(usable, AcpiOddity::kResetRegister);
    reset_ = usable ? reset : AcpiRegister{};
    reset_value_ = usable ? from.u8(kResetValue) : uint8_t{0};
  }
  return {};
}

} // namespace clay
