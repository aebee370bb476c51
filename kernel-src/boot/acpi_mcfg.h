#pragma once
// Where PCI configuration space is seen in memory (MCFG; PCI Firmware Specification 3.3, section
// 4.1.2).

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiMcfg {
 public:
  static constexpr size_t kRangesMax = 32;

  /// 1 MiB for each bus.
  struct Range {
    uint64_t base; ///< of bus 0, whether or not it is one of these
    uint16_t segment;
    uint8_t first_bus;
    uint8_t last_bus;
  };

  /// Reads a sound table into this object, which is new. kTruncated: no room for its fixed part,
  /// which has been counted; else errors of the window.
  Result<void> read(PhysicalBytes& table, AcpiReport& report);

  /// No two of one segment share a bus.
  Span<const Range> ranges() const { return ranges_.all(); }

 private:
  void add(const Range& range, AcpiReport& report);

  BoundedList<Range, kRangesMax> ranges_;
};

} // namespace clay
