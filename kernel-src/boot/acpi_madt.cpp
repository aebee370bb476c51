#include "kernel-src/boot/acpi_madt.h"

#include "kernel-src/boot/acpi_entries.h"
#include "kernel-src/boot/acpi_table.h"

namespace clay {
namespace {

// ACPI Specification 6.5, table 5.19 ("Multiple APIC Description Table Format").
constexpr size_t kFixedBytes = 44;
constexpr size_t kLocalApic = 36;
constexpr size_t kFlags = 40;
constexpr uint32_t kPcat = 1; ///< two 8259

// Table 5.21 ("Interrupt Controller Structure Types").
enum EntryType : uint16_t {
  kLocalApicCpu = 0,
  kIoApicEntry = 1,
  kSourceOverride = 2,
  kNmiSourceEntry = 3,
  kLocalApicNmi = 4,
  kAddressOverride = 5,
  kIoSapic = 6,
  kLocalSapic = 7,
  kPlatformSource = 8,
  kX2Apic = 9,
  kX2ApicNmi = 10,
  kGicCpu = 11,
  kGicDistributor = 12,
  kGicMsiFrame = 13,
  kGicRedistributor = 14,
  kGicTranslator = 15,
  kWakeup = 16,
};

// Tables 5.23 and 5.37: a CPU's flags; a GICC's bit 3 is what bit 1 is elsewhere.
constexpr uint32_t kEnabled = 1U << 0;
constexpr uint32_t kOnlineCapable = 1U << 1;
constexpr uint32_t kGicOnlineCapable = 1U << 3;

constexpr uint8_t kEveryApic = 0xFF;
constexpr uint32_t kEveryX2Apic = UINT32_MAX;
constexpr uint8_t kIsaBus = 0;
constexpr uint8_t kIsaIrqs = 16;

} // namespace

/// One pass over the entries.
class AcpiMadt::Reader {
 public:
  Reader(AcpiMadt& madt, PhysicalBytes& table, AcpiReport& report)
      : madt_(madt), report_(report),
        entries_(table, kFixedBytes, table.size(), AcpiEntryForm::kBytes, report) {}

  Result<void> read() {
    return entries_.for_each([this] { return entry(); });
  }

 private:
  Result<void> entry() {
    switch (entries_.type()) {
    case kLocalApicCpu:
      return local_apic_cpu();
    case kIoApicEntry:
      return io_apic();
    case kSourceOverride:
      return source_override();
    case kNmiSourceEntry:
      return nmi_source();
    case kLocalApicNmi:
      return local_apic_nmi();
    case kAddressOverride:
      return address_override();
    case kX2Apic:
      return x2apic_cpu();
    case kX2ApicNmi:
      return x2apic_nmi();
    case kGicCpu:
      return gic_cpu();
    case kGicDistributor:
      return distributor();
    case kGicMsiFrame:
      return msi_frame();
    case kGicRedistributor:
      return redistributor();
    case kGicTranslator:
      return translator();
    case kWakeup:
      return wakeup();
    case kIoSapic:
    case kLocalSapic:
    case kPlatformSource: // of another architecture
      return {};
    default:
      report_.note(AcpiOddity::kEntryUnknown);
      return {};
    }
  }

  /// Firmware lists a CPU that can never run with no flag set.
  void add_cpu(const Cpu& cpu, bool may_run) {
    if (!may_run) {
      return;
    }
    for (const Cpu& earlier : madt_.cpus()) {
      if (earlier.id == cpu.id && earlier.arm == cpu.arm) {
        return report_.note(AcpiOddity::kCpuTwice);
      }
    }
    report_.note_unless(madt_.cpus_.add(cpu), AcpiOddity::kListFull);
  }

  void add_apic_cpu(uint32_t id, uint32_t uid, uint32_t flags, bool is_every) {
    if (is_every) {
      return report_.note(AcpiOddity::kCpuEvery);
    }
    add_cpu({id, uid, (flags & kEnabled) != 0, false, 0},
            (flags & (kEnabled | kOnlineCapable)) != 0);
  }

  Result<void> local_apic_cpu() {
    const LeFields entry = CLAY_TRY(entries_.fixed(8));
    add_apic_cpu(entry.u8(3), entry.u8(2), entry.u32(4), entry.u8(3) == kEveryApic);
    return {};
  }

  Result<void> x2apic_cpu() {
    const LeFields entry = CLAY_TRY(entries_.fixed(16));
    add_apic_cpu(entry.u32(4), entry.u32(12), entry.u32(8), entry.u32(4) == kEveryX2Apic);
    return {};
  }

  Result<void> gic_cpu() {
    const LeFields entry = CLAY_TRY(entries_.fixed(76)); // ACPI 5.1; later ones are longer
    const uint32_t flags = entry.u32(12);
    const uint64_t redistributor = entry.u64(60);
    add_cpu({entry.u64(68), entry.u32(8), (flags & kEnabled) != 0, true,
             redistributor != 0 ? redistributor : entry.u64(32)},
            (flags & (kEnabled | kGicOnlineCapable)) != 0);
    return {};
  }

  Result<void> io_apic() {
    const LeFields entry = CLAY_TRY(entries_.fixed(12));
    const IoApic read{entry.u8(2), entry.u32(4), entry.u32(8)};
    if (read.address == 0) {
      report_.note(AcpiOddity::kAddress);
      return {};
    }
    size_t place = 0;
    for (const IoApic& other : madt_.io_apics()) {
      if (other.first_gsi == read.first_gsi) {
        report_.note(AcpiOddity::kIoApicTwice);
        return {};
      }
      place += other.first_gsi < read.first_gsi ? 1 : 0;
    }
    report_.note_unless(madt_.io_apics_.insert(place, read), AcpiOddity::kListFull);
    return {};
  }

  Result<void> source_override() {
    const LeFields entry = CLAY_TRY(entries_.fixed(10));
    const Override read{entry.u8(3), entry.u32(4), entry.u16(8)};
    if (entry.u8(2) != kIsaBus || read.irq >= kIsaIrqs) {
      report_.note(AcpiOddity::kOverride);
      return {};
    }
    for (const Override& earlier : madt_.overrides()) {
      if (earlier.irq == read.irq) {
        report_.note(AcpiOddity::kOverrideTwice);
        return {};
      }
    }
    CLAY_ASSERT(madt_.overrides_.add(read)); // one for each of 16
    return {};
  }

  Result<void> nmi_source() {
    const LeFields entry = CLAY_TRY(entries_.fixed(8));
    add(madt_.nmi_sources_, NmiSource{entry.u32(4), entry.u16(2)});
    return {};
  }

  Result<void> local_apic_nmi() {
    const LeFields entry = CLAY_TRY(entries_.fixed(6));
    const uint8_t uid = entry.u8(2);
    add(madt_.local_nmis_,
        LocalNmi{uid == kEveryApic ? kEveryCpu : uint32_t{uid}, entry.u8(5), entry.u16(3)});
    return {};
  }

  Result<void> x2apic_nmi() {
    const LeFields entry = CLAY_TRY(entries_.fixed(12));
    add(madt_.local_nmis_, LocalNmi{entry.u32(4), entry.u8(8), entry.u16(2)});
    return {};
  }

  Result<void> address_override() {
    const LeFields entry = CLAY_TRY(entries_.fixed(12));
    if (has_override_) {
      report_.note(AcpiOddity::kOverrideTwice);
      return {};
    }
    has_override_ = true;
    madt_.local_apic_ = entry.u64(4);
    return {};
  }

  Result<void> distributor() {
    const LeFields entry = CLAY_TRY(entries_.fixed(24));
    const Distributor read{entry.u64(8), entry.u8(20)};
    if (!has_address(read.address)) {
      return {};
    }
    if (madt_.distributor_.address != 0) { // there is one (5.2.12.15)
      report_.note(AcpiOddity::kListFull);
      return {};
    }
    madt_.distributor_ = read;
    return {};
  }

  Result<void> msi_frame() {
    const LeFields entry = CLAY_TRY(entries_.fixed(24));
    if (has_address(entry.u64(8))) {
      add(madt_.msi_frames_,
          MsiFrame{entry.u32(4), entry.u64(8), entry.u32(16), entry.u16(20), entry.u16(22)});
    }
    return {};
  }

  Result<void> redistributor() {
    const LeFields entry = CLAY_TRY(entries_.fixed(16));
    if (has_address(entry.u64(4))) {
      add(madt_.redistributors_, Redistributors{entry.u64(4), entry.u32(12)});
    }
    return {};
  }

  Result<void> translator() {
    const LeFields entry = CLAY_TRY(entries_.fixed(20));
    if (has_address(entry.u64(8))) {
      add(madt_.translators_, Translator{entry.u32(4), entry.u64(8)});
    }
    return {};
  }

  Result<void> wakeup() {
    const LeFields entry = CLAY_TRY(entries_.fixed(16));
    if (!has_address(entry.u64(8))) {
      return {};
    }
    if (madt_.mailbox_ != 0) { // there is one (5.2.12.19)
      report_.note(AcpiOddity::kListFull);
      return {};
    }
    madt_.mailbox_ = entry.u64(8);
    return {};
  }

  bool has_address(uint64_t address) {
    report_.note_unless(address != 0, AcpiOddity::kAddress);
    return address != 0;
  }

  template <typename List, typename T> void add(List& list, const T& element) {
    report_.note_unless(list.add(element), AcpiOddity::kListFull);
  }

  AcpiMadt& madt_;
  AcpiReport& report_;
  AcpiEntries entries_;
  bool has_override_ = false;
};

Result<void> AcpiMadt::read(PhysicalBytes& table, AcpiReport& report) {
  uint8_t buffer[kFixedBytes];
  const LeFields fixed = CLAY_TRY(read_acpi_fixed(table, buffer, report));
  local_apic_ = fixed.u32(kLocalApic);
  has_pics_ = (fixed.u32(kFlags) & kPcat) != 0;
  return Reader(*this, table, report).read();
}

const AcpiMadt::IoApic* AcpiMadt::io_apic_of(uint32_t gsi) const {
  const IoApic* best = nullptr;
  for (const IoApic& each : io_apics()) {
    if (each.first_gsi <= gsi && gsi - each.first_gsi < kIoApicInputsMax) {
      best = &each;
    }
  }
  return best;
}

} // namespace clay
