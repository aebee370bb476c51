#pragma once
// CPUs and interrupt controllers (MADT; ACPI Specification 6.5, section 5.2.12).

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiMadt {
 public:
  static constexpr size_t kCpusMax = 256;
  static constexpr size_t kIoApicsMax = 32;
  static constexpr size_t kOverridesMax = 16; ///< interrupts of ISA
  static constexpr size_t kNmisMax = 32;
  static constexpr size_t kFramesMax = 16;
  static constexpr size_t kRedistributorsMax = 64;
  /// Inputs of an I/O APIC at most: the number of its last one has 8 bits, and ends at 239
  /// (82093AA, section 3.2.2).
  static constexpr uint32_t kIoApicInputsMax = 240;
  static constexpr uint32_t kEveryCpu = UINT32_MAX;

  struct Cpu {
    uint64_t id;        ///< APIC id, or MPIDR
    uint32_t uid;       ///< the namespace's name for it
    bool enabled;       ///< false: it may come later
    bool arm;           ///< described by a GICC
    uint64_t registers; ///< of a GICC: GICR or else GICC base; 0: none
  };
  struct IoApic {
    uint8_t id;
    uint32_t address;
    uint32_t first_gsi;
  };
  /// `flags` here and below: polarity in bits 1:0, trigger mode in 3:2 (table 5.26).
  struct Override {
    uint8_t irq; ///< of ISA
    uint32_t gsi;
    uint16_t flags;
  };
  struct NmiSource {
    uint32_t gsi;
    uint16_t flags;
  };
  struct LocalNmi {
    uint32_t uid; ///< kEveryCpu: all
    uint8_t pin;  ///< LINT 0 or 1
    uint16_t flags;
  };
  struct Distributor {
    uint64_t address = 0; ///< 0: none
    uint8_t version = 0;
  };
  struct MsiFrame {
    uint32_t id;
    uint64_t address;
    uint32_t flags; ///< bit 0: count and base here count, not the frame's own
    uint16_t spis;
    uint16_t first_spi;
  };
  struct Redistributors {
    uint64_t address;
    uint32_t bytes;
  };
  struct Translator { ///< GIC ITS
    uint32_t id;
    uint64_t address;
  };

  /// Reads a sound table into this object, which is new. kTruncated: no room for its fixed part,
  /// which has been counted; else errors of the window.
  Result<void> read(PhysicalBytes& table, AcpiReport& report);

  /// In the order of the table; no two have one id.
  Span<const Cpu> cpus() const { return cpus_.all(); }
  /// Where each CPU sees its local APIC.
  uint64_t local_apic() const { return local_apic_; }
  bool has_pics() const { return has_pics_; } ///< two 8259, which must be masked
  /// By first_gsi, no two from the same one.
  Span<const IoApic> io_apics() const { return io_apics_.all(); }
  /// The one that a global system interrupt goes to; null: none.
  const IoApic* io_apic_of(uint32_t gsi) const;
  Span<const Override> overrides() const { return overrides_.all(); }
  Span<const NmiSource> nmi_sources() const { return nmi_sources_.all(); }
  Span<const LocalNmi> local_nmis() const { return local_nmis_.all(); }
  const Distributor& distributor() const { return distributor_; }
  Span<const MsiFrame> msi_frames() const { return msi_frames_.all(); }
  Span<const Redistributors> redistributors() const { return redistributors_.all(); }
  Span<const Translator> translators() const { return translators_.all(); }
  /// Where a CPU that waits for its start is told (5.2.12.19); 0: nowhere.
  uint64_t mailbox() const { return mailbox_; }

 private:
  class Reader;

  BoundedList<Cpu, kCpusMax> cpus_;
  uint64_t local_apic_ = 0;
  bool has_pics_ = false;
  BoundedList<IoApic, kIoApicsMax> io_apics_;
  BoundedList<Override, kOverridesMax> overrides_;
  BoundedList<NmiSource, kNmisMax> nmi_sources_;
  BoundedList<LocalNmi, kNmisMax> local_nmis_;
  Distributor distributor_;
  BoundedList<MsiFrame, kFramesMax> msi_frames_;
  BoundedList<Redistributors, kRedistributorsMax> redistributors_;
  BoundedList<Translator, kFramesMax> translators_;
  uint64_t mailbox_ = 0;
};

} // namespace clay
