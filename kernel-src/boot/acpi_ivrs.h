#pragma once
// DMA remapping of AMD (IVRS; AMD I/O Virtualization Technology Specification 3.06, section 5.2).

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiIvrs {
 public:
  static constexpr size_t kUnitsMax = 32;
  static constexpr size_t kRegionsMax = 32;
  static constexpr size_t kSpecialsMax = 64;

  struct Unit {
    uint64_t registers;
    uint64_t features; ///< the extended feature register's image; 0: not said
    uint16_t segment;
    uint16_t device; ///< bus, device and function of the unit itself
    uint8_t flags;
  };
  /// An I/O APIC or event timer, and what its interrupts look like to a unit.
  struct Special {
    uint16_t unit; ///< which of units()
    uint16_t device;
    uint8_t handle; ///< its number in the MADT or HPET
    uint8_t kind;   ///< 1 I/O APIC, 2 event timer
  };
  /// Memory that devices go on using: [first, last] stays mapped for them, one to one.
  struct Region {
    uint64_t first;
    uint64_t last;
    uint16_t first_device; ///< those concerned, both included
    uint16_t last_device;
    uint8_t flags;
  };

  /// Reads a sound table into this object, which is new. kTruncated: no room for its fixed part,
  /// which has been counted; else errors of the window.
  Result<void> read(PhysicalBytes& table, AcpiReport& report);

  uint32_t info() const { return info_; } ///< address sizes
  /// Of the newest kind of block in the table: it says again what older ones do.
  Span<const Unit> units() const { return units_.all(); }
  Span<const Special> specials() const { return specials_.all(); }
  Span<const Region> regions() const { return regions_.all(); }

 private:
  class Reader;

  uint32_t info_ = 0;
  BoundedList<Unit, kUnitsMax> units_;
  BoundedList<Special, kSpecialsMax> specials_;
  BoundedList<Region, kRegionsMax> regions_;
};

} // namespace clay
