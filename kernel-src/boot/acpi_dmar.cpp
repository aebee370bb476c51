#include "kernel-src/boot/acpi_dmar.h"

#include "kernel-src/boot/acpi_entries.h"
#include "kernel-src/boot/acpi_table.h"

namespace clay {
namespace {

// Intel VT-d 4.1, section 8.1 ("DMA Remapping Reporting Structure").
constexpr size_t kFixedBytes = 48;
constexpr size_t kAddressWidth = 36; ///< less one
constexpr size_t kFlags = 37;

// Section 8.2 ("Remapping Structure Types").
enum EntryType : uint16_t {
  kUnit = 0,
  kReservedMemory = 1,
  kRootPorts = 2,
  kAffinity = 3,
  kNamespaceDevice = 4,
  kAddressTranslation = 5,
  kDeviceProperties = 6,
};
constexpr size_t kUnitBytes = 16;
constexpr size_t kRegionBytes = 24;
constexpr size_t kAffinityBytes = 20;
constexpr uint8_t kIncludeAll = 1;

// Section 8.3.1 ("Device Scope Structure").
constexpr size_t kScopeBytes = 6;
constexpr size_t kHopBytes = 2;

constexpr uint64_t kPage = 4096;

} // namespace

/// Two passes over the entries: what a RHSA says belongs to a unit that may stand behind it.
class AcpiDmar::Reader {
 public:
  Reader(AcpiDmar& dmar, PhysicalBytes& table, AcpiReport& report)
      : dmar_(dmar), table_(table), report_(report) {}

  Result<void> read() {
    AcpiEntries entries(table_, kFixedBytes, table_.size(), AcpiEntryForm::kWords, report_);
    CLAY_TRY(entries.for_each([&] { return entry(entries); }));
    AcpiReport again; // what is wrong has been counted
    AcpiEntries affinities(table_, kFixedBytes, table_.size(), AcpiEntryForm::kWords, again);
    return affinities.for_each([&] { return affinity(affinities); });
  }

 private:
  Result<void> entry(AcpiEntries& entries) {
    switch (entries.type()) {
    case kUnit:
      return unit(entries);
    case kReservedMemory:
      return region(entries);
    case kAffinity: // counted when it is short; what it says is for the second pass
      static_cast<void>(CLAY_TRY(entries.fixed(kAffinityBytes)));
      return {};
    case kRootPorts:
    case kNamespaceDevice:
    case kAddressTranslation:
    case kDeviceProperties: // nothing that the kernel needs
      return {};
    default:
      report_.note(AcpiOddity::kEntryUnknown);
      return {};
    }
  }

  Result<void> unit(AcpiEntries& entries) {
    const LeFields entry = CLAY_TRY(entries.fixed(kUnitBytes));
    Unit unit{entry.u64(8), entry.u16(6), (entry.u8(4) & kIncludeAll) != 0, false, 0, {}};
    if (unit.registers == 0) {
      report_.note(AcpiOddity::kAddress);
      return {};
    }
    if (dmar_.units_.full()) {
      report_.note(AcpiOddity::kListFull);
      return {};
    }
    unit.scopes = CLAY_TRY(scopes(entries.begin() + kUnitBytes, entries.end()));
    dmar_.units_.add(unit);
    return {};
  }

  Result<void> region(AcpiEntries& entries) {
    const LeFields entry = CLAY_TRY(entries.fixed(kRegionBytes));
    Region region{entry.u64(8), entry.u64(16), entry.u16(6), {}};
    // Section 8.4: whole pages, both ends included.
    if (region.first > region.last || region.first % kPage != 0 ||
        region.last % kPage != kPage - 1) {
      report_.note(AcpiOddity::kRange);
      return {};
    }
    if (dmar_.regions_.full()) {
      report_.note(AcpiOddity::kListFull);
      return {};
    }
    region.scopes = CLAY_TRY(scopes(entries.begin() + kRegionBytes, entries.end()));
    dmar_.regions_.add(region);
    return {};
  }

  Result<void> affinity(AcpiEntries& entries) {
    if (entries.type() != kAffinity) {
      return {};
    }
    const LeFields entry = CLAY_TRY(entries.fixed(kAffinityBytes));
    for (Unit& unit : dmar_.units_.all()) {
      if (unit.registers == entry.u64(8)) {
        unit.has_domain = true;
        unit.domain = entry.u32(16);
      }
    }
    return {};
  }

  Result<Scopes> scopes(size_t from, size_t to) {
    const size_t first = dmar_.scopes_.size();
    AcpiEntries scopes(table_, from, to, AcpiEntryForm::kBytes, report_);
    CLAY_TRY(scopes.for_each([&] { return scope(scopes); }));
    return Scopes{static_cast<uint16_t>(first),
                  static_cast<uint16_t>(dmar_.scopes_.size() - first)};
  }

  Result<void> scope(AcpiEntries& scopes) {
    const LeFields entry = CLAY_TRY(scopes.fixed(kScopeBytes));
    Scope scope{static_cast<uint8_t>(scopes.type()), entry.u8(4), entry.u8(5), 0, {}};
    const size_t path_bytes = scopes.end() - scopes.begin() - kScopeBytes;
    const size_t hops = path_bytes / kHopBytes;
    if (path_bytes % kHopBytes != 0 || hops == 0 || hops > kHopsMax) {
      report_.note(AcpiOddity::kScopePath);
      return {};
    }
    scope.hops = static_cast<uint8_t>(hops);
    for (size_t i = 0; i < hops; ++i) {
      uint8_t hop[kHopBytes];
      CLAY_TRY(table_.copy(scopes.begin() + kScopeBytes + i * kHopBytes, hop));
      scope.path[i] = {hop[0], hop[1]};
    }
    report_.note_unless(dmar_.scopes_.add(scope), AcpiOddity::kListFull);
    return {};
  }

  AcpiDmar& dmar_;
  PhysicalBytes& table_;
  AcpiReport& report_;
};

Result<void> AcpiDmar::read(PhysicalBytes& table, AcpiReport& report) {
  uint8_t buffer[kFixedBytes];
  const LeFields fields = CLAY_TRY(read_acpi_fixed(table, buffer, report));
  flags_ = fields.u8(kFlags);
  address_bits_ = static_cast<uint16_t>(fields.u8(kAddressWidth) + 1);
  return Reader(*this, table, report).read();
}

} // namespace clay
