#pragma once
// DMA remapping of Intel (DMAR; Intel Virtualization Technology for Directed I/O 4.1, chapter 8).

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiDmar {
 public:
  static constexpr size_t kUnitsMax = 32;
  static constexpr size_t kRegionsMax = 32;
  static constexpr size_t kScopesMax = 256;
  static constexpr size_t kHopsMax = 4;

  enum Flags : uint8_t {
    kInterruptRemapping = 1U << 0,
    kX2ApicOptOut = 1U << 1,
    kDmaOptIn = 1U << 2, ///< firmware asks for protection against devices at boot
  };

  /// A device, or all behind a bridge (8.3.1).
  struct Scope {
    struct Hop {
      uint8_t device;
      uint8_t function;
    };
    uint8_t kind; ///< 1 device, 2 bridge, 3 I/O APIC, 4 event timer, 5 in the namespace
    uint8_t id;   ///< of an I/O APIC or event timer
    uint8_t bus;  ///< where the path starts
    uint8_t hops;
    Hop path[kHopsMax];
  };
  /// Which of scopes() belong to something.
  struct Scopes {
    uint16_t first;
    uint16_t count;
  };
  struct Unit {
    uint64_t registers;
    uint16_t segment;
    bool takes_rest; ///< all devices of the segment that no other unit names
    bool has_domain; ///< proximity domain, of a RHSA
    uint32_t domain;
    Scopes scopes;
  };
  /// Memory that devices go on using: [first, last] stays mapped for them.
  struct Region {
    uint64_t first;
    uint64_t last;
    uint16_t segment;
    Scopes scopes;
  };

  /// Reads a sound table into this object, which is new. kTruncated: no room for its fixed part,
  /// which has been counted; else errors of the window.
  Result<void> read(PhysicalBytes& table, AcpiReport& report);

  uint8_t flags() const { return flags_; }
  unsigned address_bits() const { return address_bits_; } ///< that DMA reaches
  Span<const Unit> units() const { return units_.all(); }
  Span<const Region> regions() const { return regions_.all(); }
  Span<const Scope> scopes() const { return scopes_.all(); }
  Span<const Scope> scopes_of(const Scopes& which) const {
    return scopes().subspan(which.first, which.count);
  }

 private:
  class Reader;

  uint8_t flags_ = 0;
  uint16_t address_bits_ = 0;
  BoundedList<Unit, kUnitsMax> units_;
  BoundedList<Region, kRegionsMax> regions_;
  BoundedList<Scope, kScopesMax> scopes_;
};

} // namespace clay
