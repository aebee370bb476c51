#pragma once
// The root pointer of ACPI (RSDP; ACPI Specification 6.5, section 5.2.5): where it is and what it
// says.

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/physical_window.h"

namespace clay {

/// What the boot loader says of it.
struct AcpiRootHint {
  Bytes copy;            ///< of the root pointer itself, as Multiboot2 has it; empty: none
  uint64_t physical = 0; ///< where it is, as UEFI has it; 0: not said
};

struct AcpiRoot {
  /// Bytes of a root pointer that are read at most. None so far has more than 36.
  static constexpr size_t kBytesMax = 64;

  uint8_t revision; ///< below 2: there is no XSDT
  uint64_t rsdt;    ///< physical addresses; 0: none
  uint64_t xsdt;
};

/// The first sound one of: the copy, the one in the place named, those in the first KiB of the
/// extended BIOS data area, those of the BIOS's read-only memory. kNotFound: none is. Others met
/// on the way are counted.
Result<AcpiRoot> find_acpi_root(PhysicalWindow& window, const AcpiRootHint& hint,
                                AcpiReport& report);

} // namespace clay
