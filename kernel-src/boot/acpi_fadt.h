#pragma once
// Fixed hardware (FADT; ACPI Specification 6.5, section 5.2.9). The table has grown with every
// revision, and firmware ends it anywhere: a field counts when the table covers all of it.

#include "kernel-src/boot/acpi_register.h"
#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiFadt {
 public:
  // Table 5.10, "Fixed ACPI Description Table Fixed Feature Flags".
  enum Flags : uint32_t {
    kTimer32 = 1U << 8, ///< the timer counts 32 bits, else 24
    kResetSupported = 1U << 10,
    kHardwareReduced = 1U << 20,
  };

  /// Reads a sound table of any length into this object, which is new. Errors of the window.
  Result<void> read(PhysicalBytes& table, AcpiReport& report);

  /// Physical addresses; 0: none. Where there are two fields the 64-bit one counts unless it is 0.
  uint64_t facs() const { return facs_; }
  uint64_t dsdt() const { return dsdt_; }
  uint8_t profile() const { return profile_; } ///< of power management; 0: not said
  uint32_t flags() const { return flags_; }
  uint16_t boot_flags() const { return boot_flags_; }         ///< of a PC (5.2.9.3)
  uint16_t arm_boot_flags() const { return arm_boot_flags_; } ///< 5.2.9.4
  uint8_t century() const { return century_; }                ///< byte in the clock's RAM; 0: none
  bool hardware_reduced() const { return (flags_ & kHardwareReduced) != 0; }

  // --- Fixed hardware: nothing where it is reduced (section 4.1)

  uint16_t sci() const { return sci_; }                 ///< interrupt; 0: none
  uint32_t smi_command() const { return smi_command_; } ///< port; 0: ACPI is always on
  uint8_t acpi_enable() const { return acpi_enable_; }  ///< what is written there
  uint8_t acpi_disable() const { return acpi_disable_; }
  const AcpiRegister& pm1a_event() const { return pm1a_event_; }
  const AcpiRegister& pm1a_control() const { return pm1a_control_; }
  const AcpiRegister& pm_timer() const { return pm_timer_; }

  // --- Where hardware is reduced, and elsewhere

  /// Exists only when it can be used: one byte wide, where a CPU can write.
  const AcpiRegister& reset() const { return reset_; }
  uint8_t reset_value() const { return reset_value_; }
  const AcpiRegister& sleep_control() const { return sleep_control_; }
  const AcpiRegister& sleep_status() const { return sleep_status_; }
  /// Eight characters; 0: the machine says of no hypervisor.
  uint64_t hypervisor() const { return hypervisor_; }

 private:
  class Reader;

  uint64_t facs_ = 0;
  uint64_t dsdt_ = 0;
  uint8_t profile_ = 0;
  uint32_t flags_ = 0;
  uint16_t boot_flags_ = 0;
  uint16_t arm_boot_flags_ = 0;
  uint8_t century_ = 0;
  uint16_t sci_ = 0;
  uint32_t smi_command_ = 0;
  uint8_t acpi_enable_ = 0;
  uint8_t acpi_disable_ = 0;
  AcpiRegister pm1a_event_;
  AcpiRegister pm1a_control_;
  AcpiRegister pm_timer_;
  AcpiRegister reset_;
  uint8_t reset_value_ = 0;
  AcpiRegister sleep_control_;
  AcpiRegister sleep_status_;
  uint64_t hypervisor_ = 0;
};

} // namespace clay
