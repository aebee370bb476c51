#pragma once
// Event timers (HPET; IA-PC HPET Specification 1.0a, section 3.2.4). A table describes one block of
// them, and there may be several tables.

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiHpets {
 public:
  static constexpr size_t kBlocksMax = 8;

  struct Block {
    uint64_t address;
    uint32_t id; ///< as the block's own capability register has it
    uint8_t number;
    uint16_t least_ticks; ///< in periodic mode, or interrupts are lost
  };

  /// Adds what a sound table says. kTruncated: no room for its fixed part, which has been counted;
  /// else errors of the window.
  Result<void> read(PhysicalBytes& table, AcpiReport& report);

  Span<const Block> blocks() const { return blocks_.all(); }

 private:
  void add(const Block& block, AcpiReport& report);

  BoundedList<Block, kBlocksMax> blocks_;
};

} // namespace clay
