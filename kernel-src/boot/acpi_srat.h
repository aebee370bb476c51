#pragma once
// Which CPUs and which memory are near each other (SRAT; ACPI Specification 6.5, section 5.2.16).

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"

namespace clay {

class AcpiSrat {
 public:
  static constexpr size_t kDomainsMax = 64;
  static constexpr size_t kCpusMax = 256;
  static constexpr size_t kMemoryMax = 64;

  struct Cpu {
    uint32_t id; ///< APIC id; of a GICC the namespace's name for the CPU
    bool arm;    ///< the latter
    uint8_t node;
  };
  struct Memory {
    uint64_t first; ///< [first, last]
    uint64_t last;
    uint8_t node;
    bool hot_pluggable; ///< may not be there yet
    bool persistent;
  };
  struct Translator { ///< GIC ITS
    uint32_t id;
    uint8_t node;
  };

  /// Reads a sound table of this revision into this object, which is new. kTruncated: no room for
  /// its fixed part, which has been counted; else errors of the window.
  Result<void> read(PhysicalBytes& table, uint8_t revision, AcpiReport& report);

  /// Node n is firmware's proximity domain domains()[n]. In the order in which enabled entries name
  /// them, those included for which there is no room.
  Span<const uint32_t> domains() const { return domains_.all(); }
  Span<const Cpu> cpus() const { return cpus_.all(); }
  Span<const Memory> memory() const { return memory_.all(); }
  Span<const Translator> translators() const { return translators_.all(); }

 private:
  class Reader;

  BoundedList<uint32_t, kDomainsMax> domains_;
  BoundedList<Cpu, kCpusMax> cpus_;
  BoundedList<Memory, kMemoryMax> memory_;
  BoundedList<Translator, kDomainsMax> translators_;
};

} // namespace clay
