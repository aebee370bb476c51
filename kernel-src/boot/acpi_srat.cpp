#include "kernel-src/boot/acpi_srat.h"

#include "kernel-src/boot/acpi_entries.h"
#include "kernel-src/boot/acpi_table.h"

namespace clay {
namespace {

// ACPI Specification 6.5, tables 5.48 and following.
constexpr size_t kFixedBytes = 48;
constexpr uint8_t kWideDomains = 2; ///< domains have 32 bits from this revision on

enum EntryType : uint16_t {
  kApic = 0,
  kMemoryEntry = 1,
  kX2Apic = 2,
  kGicc = 3,
  kGicIts = 4,
  kInitiator = 5,
  kPort = 6,
};

constexpr uint32_t kEnabled = 1U << 0;
constexpr uint32_t kHotPluggable = 1U << 1;
constexpr uint32_t kPersistent = 1U << 2;

} // namespace

/// One pass over the entries.
class AcpiSrat::Reader {
 public:
  Reader(AcpiSrat& srat, PhysicalBytes& table, uint8_t revision, AcpiReport& report)
      : srat_(srat), report_(report), wide_(revision >= kWideDomains),
        entries_(table, kFixedBytes, table.size(), AcpiEntryForm::kBytes, report) {}

  Result<void> read() {
    return entries_.for_each([this] { return entry(); });
  }

 private:
  Result<void> entry() {
    switch (entries_.type()) {
    case kApic:
      return apic();
    case kMemoryEntry:
      return memory();
    case kX2Apic:
      return x2apic();
    case kGicc:
      return gicc();
    case kGicIts:
      return translator();
    case kInitiator:
    case kPort: // devices: nothing that the kernel needs
      return {};
    default:
      report_.note(AcpiOddity::kEntryUnknown);
      return {};
    }
  }

  Result<void> apic() {
    const LeFields entry = CLAY_TRY(entries_.fixed(16));
    // Bits 7:0 lie apart from 31:8, where an older table has what means nothing.
    const uint32_t high = wide_ ? entry.u16(9) | uint32_t{entry.u8(11)} << 16 : 0;
    add_cpu(entry.u32(4), high << 8 | entry.u8(2), {entry.u8(3), false, 0});
    return {};
  }

  Result<void> x2apic() {
    const LeFields entry = CLAY_TRY(entries_.fixed(24));
    add_cpu(entry.u32(12), entry.u32(4), {entry.u32(8), false, 0});
    return {};
  }

  Result<void> gicc() {
    const LeFields entry = CLAY_TRY(entries_.fixed(18));
    add_cpu(entry.u32(10), entry.u32(2), {entry.u32(6), true, 0});
    return {};
  }

  Result<void> memory() {
    const LeFields entry = CLAY_TRY(entries_.fixed(40));
    const uint32_t domain = wide_ ? entry.u32(2) : entry.u8(2);
    const uint32_t flags = entry.u32(28);
    const uint64_t base = entry.u64(8);
    const uint64_t bytes = entry.u64(16);
    if ((flags & kEnabled) == 0) {
      return {};
    }
    if (bytes == 0 || !fits_physical(base, bytes)) {
      report_.note(AcpiOddity::kRange);
      return {};
    }
    const Memory range{base, base + (bytes - 1), 0, (flags & kHotPluggable) != 0,
                       (flags & kPersistent) != 0};
    add(srat_.memory_, domain, range);
    return {};
  }

  Result<void> translator() {
    const LeFields entry = CLAY_TRY(entries_.fixed(12));
    add(srat_.translators_, entry.u32(2), Translator{entry.u32(8), 0});
    return {};
  }

  void add_cpu(uint32_t flags, uint32_t domain, const Cpu& cpu) {
    if ((flags & kEnabled) == 0) {
      return;
    }
    for (const Cpu& earlier : srat_.cpus()) {
      if (earlier.id == cpu.id && earlier.arm == cpu.arm) {
        return report_.note(AcpiOddity::kCpuTwice);
      }
    }
    add(srat_.cpus_, domain, cpu);
  }

  template <typename List, typename T> void add(List& list, uint32_t domain, T element) {
    const Result<uint8_t> node = node_of(domain);
    element.node = node.value_or(0);
    report_.note_unless(node.ok() && list.add(element), AcpiOddity::kListFull);
  }

  Result<uint8_t> node_of(uint32_t domain) {
    uint8_t node = 0;
    for (const uint32_t known : srat_.domains()) {
      if (known == domain) {
        return node;
      }
      ++node;
    }
    if (!srat_.domains_.add(domain)) {
      return Error::kTooMany;
    }
    return node;
  }

  AcpiSrat& srat_;
  AcpiReport& report_;
  bool wide_;
  AcpiEntries entries_;
};

Result<void> AcpiSrat::read(PhysicalBytes& table, uint8_t revision, AcpiReport& report) {
  uint8_t buffer[kFixedBytes];
  CLAY_TRY(read_acpi_fixed(table, buffer, report));
  return Reader(*this, table, revision, report).read();
}

} // namespace clay
