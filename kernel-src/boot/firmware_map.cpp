#include "kernel-src/boot/firmware_map.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/enum_text.h"
#include "kernel-src/lib/le_fields.h"

namespace clay {
namespace {

struct Entry {
  uint64_t base;
  uint64_t units; ///< length in pages or bytes
  unsigned shift; ///< from units to bytes
  MemoryType type;
};

/// The last byte; kOverflow: it does not fit 64 bits.
Result<uint64_t> last_of(const Entry& entry) {
  const uint64_t before = CLAY_TRY(checked_shl(entry.units - 1, entry.shift));
  const uint64_t in_last_unit = (uint64_t{1} << entry.shift) - 1;
  return checked_add(entry.base, before | in_last_unit);
}

/// Usable memory whose end is beyond 64 bits does not exist; anything else reaches to the end.
void add_entry(const Entry& entry, MemoryMap& map, MapReport& report) {
  if (entry.units == 0) {
    return report.note(MapOddity::kEmpty);
  }
  const Result<uint64_t> last = last_of(entry);
  if (!last.ok()) {
    report.note(MapOddity::kBeyond);
    if (entry.type == MemoryType::kUsable || entry.type == MemoryType::kBootServices) {
      return;
    }
  }
  if (!map.add(entry.base, last.value_or(UINT64_MAX), entry.type).ok()) {
    report.note(MapOddity::kNoRoom);
  }
}

// ACPI Specification 6.5, section 15.1, "Address Range Types"; 12 is what some firmware calls
// persistent memory.
MemoryType e820_type(uint32_t type, MapReport& report) {
  switch (type) {
  case 1:
    return MemoryType::kUsable;
  case 2:
  case 6:
    return MemoryType::kReserved;
  case 3:
    return MemoryType::kReclaimable;
  case 4:
    return MemoryType::kNvs;
  case 5:
    return MemoryType::kBad;
  case 7:
  case 12:
    return MemoryType::kPersistent;
  default:
    report.note(MapOddity::kUnknownType);
    return MemoryType::kReserved;
  }
}

// The extended attributes (ACPI Specification 3.0, section 14.1): without bit 0 the entry is to be
// ignored. There only when the stride has room for them.
constexpr size_t kE820Extended = 24;
constexpr uint32_t kE820Enabled = 1;

void read_plain_entry(const LeFields& entry, MemoryMap& map, MapReport& report) {
  add_entry({entry.u64(0), entry.u64(8), 0, e820_type(entry.u32(16), report)}, map, report);
}

void read_e820_entry(const LeFields& entry, MemoryMap& map, MapReport& report) {
  if (entry.size() >= kE820Extended && (entry.u32(20) & kE820Enabled) == 0) {
    return report.note(MapOddity::kDisabled);
  }
  read_plain_entry(entry, map, report);
}

// UEFI Specification 2.10, section 7.2.3.
constexpr uint64_t kUefiWriteBack = 0x8;
constexpr uint64_t kUefiSpecialPurpose = 0x40000;
constexpr uint64_t kUefiRuntime = 0x8000000000000000;
constexpr unsigned kUefiPageShift = 12;

// UEFI Specification 2.10, section 7.2 ("Memory Type Usage after ExitBootServices()").
MemoryType uefi_type(uint32_t type, uint64_t attributes, MapReport& report) {
  const bool ordinary = (attributes & kUefiWriteBack) != 0 &&
                        (attributes & (kUefiSpecialPurpose | kUefiRuntime)) == 0;
  switch (type) {
  case 1: // loader code and data, boot services code and data
  case 2:
  case 3:
  case 4:
    return ordinary ? MemoryType::kBootServices : MemoryType::kReserved;
  case 7:
    return ordinary ? MemoryType::kUsable : MemoryType::kReserved;
  case 8:
    return MemoryType::kBad;
  case 9:
    return MemoryType::kReclaimable;
  case 10:
    return MemoryType::kNvs;
  case 14:
    return MemoryType::kPersistent;
  case 0: // reserved, runtime services, memory-mapped I/O, PAL code, not yet accepted
  case 5:
  case 6:
  case 11:
  case 12:
  case 13:
  case 15:
    return MemoryType::kReserved;
  default:
    report.note(MapOddity::kUnknownType);
    return MemoryType::kReserved;
  }
}

void read_uefi_descriptor(const LeFields& descriptor, MemoryMap& map, MapReport& report) {
  const MemoryType what = uefi_type(descriptor.u32(0), descriptor.u64(32), report);
  add_entry({descriptor.u64(8), descriptor.u64(24), kUefiPageShift, what}, map, report);
}

using ReadEntry = void (*)(const LeFields&, MemoryMap&, MapReport&);

/// `least`: what an entry must have.
Result<void> read_all(Bytes entries, size_t stride, size_t least, ReadEntry read, MemoryMap& map,
                      MapReport& report) {
  if (stride < least) {
    return Error::kInvalid;
  }
  for (; entries.size() >= stride; entries = entries.from(stride)) {
    read(LeFields(entries.first(stride)), map, report);
    ++report.entries;
  }
  if (!entries.empty()) {
    report.note(MapOddity::kOpenEnd);
  }
  return {};
}

} // namespace

const char* map_oddity_text(MapOddity oddity) {
  static constexpr const char* kTexts[] = {CLAY_MAP_ODDITIES(CLAY_TEXT_OF)};
  return text_of(kTexts, oddity);
}

Result<void> read_e820(Bytes entries, size_t stride, MemoryMap& map, MapReport& report) {
  return read_all(entries, stride, kE820Entry, read_e820_entry, map, report);
}

Result<void> read_multiboot_map(Bytes entries, size_t stride, MemoryMap& map, MapReport& report) {
  return read_all(entries, stride, kE820Entry, read_plain_entry, map, report);
}

Result<void> read_uefi_map(Bytes descriptors, size_t stride, MemoryMap& map, MapReport& report) {
  return read_all(descriptors, stride, kUefiDescriptor, read_uefi_descriptor, map, report);
}

} // namespace clay
