#include "kernel-src/block/gpt.h"

#include "kernel-src/block/gpt_format.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/checksum.h"
#include "kernel-src/lib/le_fields.h"
#include "kernel-src/lib/utf16.h"

namespace clay {
namespace {

using Oddity = PartitionOddity;
using Refusal = PartitionRefusal;

constexpr uint64_t kPrimaryLba = 1;
/// For the entries: UEFI 2.10, section 5.3.1.
constexpr uint64_t kReservedBytes = 16 * 1024;
/// Bits 3 to 47 mean nothing yet: UEFI 2.10, table 5.8.
constexpr uint64_t kUndefinedAttributes = 0x0000'FFFF'FFFF'FFF8;

// Places in an entry, and the length of what the format says of one.
constexpr size_t kId = 16;
constexpr size_t kFirst = 32;
constexpr size_t kLast = 40;
constexpr size_t kAttributes = 48;
constexpr size_t kName = 56;
constexpr size_t kNameBytes = 72;
constexpr size_t kEntryBytes = 128;
static_assert(kNameBytes / 2 * kUtf8PerUtf16Unit == kPartitionNameMax);

bool is_unreadable(Refusal reason) {
  return reason == Refusal::kHeaderUnreadable || reason == Refusal::kEntriesUnreadable;
}

/// Sectors that the table keeps for its entries.
uint64_t room_for_entries(const GptHeader& header) {
  return header.is_primary() ? header.first_usable - header.my_lba - 1
                             : header.my_lba - header.last_usable - 1;
}

} // namespace

Result<bool> GptReader::is_there(SectorReader& sectors) {
  return sectors.sectors() > kPrimaryLba && CLAY_TRY(sectors.load(kPrimaryLba)) &&
         gpt_format::has_signature(sectors.bytes());
}

// --- One copy

Result<PartitionRefusal> GptReader::load(uint64_t lba, Copy& copy) {
  if (lba >= sectors_.sectors()) {
    return Refusal::kOutside;
  }
  if (!CLAY_TRY(sectors_.load(lba))) {
    return Refusal::kHeaderUnreadable;
  }
  const Refusal reason = copy.header.parse(sectors_.bytes(), lba, sectors_.sectors());
  return reason == Refusal::kNone ? load_entries(copy) : reason;
}

Result<PartitionRefusal> GptReader::load_entries(Copy& copy) {
  const GptHeader& header = copy.header;
  const size_t sector_bytes = sectors_.sector_bytes();
  const uint64_t count = divide_up<uint64_t>(header.array_bytes(), sector_bytes);
  CLAY_TRY(copy.entries.create(count * sector_bytes));
  for (uint64_t i = 0; i < count; ++i) {
    const MutableBytes into = copy.entries.bytes().subspan(i * sector_bytes, sector_bytes);
    if (!CLAY_TRY(sectors_.load(header.entries_lba + i, into))) {
      return Refusal::kEntriesUnreadable;
    }
  }
  const Bytes array = copy.entries.bytes().first(header.array_bytes());
  return crc32(array) == header.entries_sum ? Refusal::kNone : Refusal::kEntriesSum;
}

// --- Which one counts

Result<> GptReader::read() {
  Copy primary;
  table_.refusal_ = CLAY_TRY(load(kPrimaryLba, primary));
  if (table_.refusal_ != Refusal::kNone) {
    return fall_back();
  }
  CLAY_TRY(look_at_backup(primary.header));
  take(primary);
  return {};
}

Result<> GptReader::look_at_backup(const GptHeader& primary) {
  const uint64_t lba = primary.alternate_lba;
  if (lba <= primary.last_usable || lba >= sectors_.sectors()) {
    table_.note(Oddity::kAlternatePlace);
    return {};
  }
  table_.note_unless(lba == sectors_.sectors() - 1, Oddity::kBackupNotLast);
  Copy backup;
  table_.backup_refusal_ = CLAY_TRY(load(lba, backup));
  if (table_.backup_refusal_ != Refusal::kNone) {
    table_.note(Oddity::kBackupBad);
  } else {
    table_.note_unless(backup.header.alternate_lba == kPrimaryLba, Oddity::kAlternatePlace);
    table_.note_unless(backup.header.agrees_with(primary), Oddity::kBackupDiffers);
  }
  return {};
}

Result<> GptReader::fall_back() {
  const uint64_t last = sectors_.sectors() - 1;
  Copy backup;
  table_.backup_refusal_ = last > kPrimaryLba ? CLAY_TRY(load(last, backup)) : Refusal::kOutside;
  if (table_.backup_refusal_ != Refusal::kNone) {
    return is_unreadable(table_.refusal_) || is_unreadable(table_.backup_refusal_)
               ? Error::kIo
               : Error::kCorrupt;
  }
  table_.note(Oddity::kPrimaryBad);
  table_.note_unless(backup.header.alternate_lba == kPrimaryLba, Oddity::kAlternatePlace);
  take(backup);
  return {};
}

// --- What it says

void GptReader::take(const Copy& copy) {
  const GptHeader& header = copy.header;
  table_.scheme_ = PartitionScheme::kGpt;
  table_.disk_id_ = header.disk_id;
  table_.note_unless(header.reserved_clear, Oddity::kReserved);
  table_.note_unless(room_for_entries(header) >=
                         divide_up<uint64_t>(kReservedBytes, sectors_.sector_bytes()),
                     Oddity::kSmallArray);
  for (uint32_t i = 0; i < header.entries; ++i) {
    const size_t at = size_t{i} * header.entry_bytes;
    take_entry(header, i + 1, copy.entries.bytes().subspan(at, header.entry_bytes));
  }
}

void GptReader::take_entry(const GptHeader& header, uint32_t number, Bytes entry) {
  const LeFields fields(entry);
  Partition partition;
  partition.number = number;
  partition.kind = Guid::load(entry);
  if (partition.kind.is_zero()) {
    return; // not in use
  }
  partition.id = Guid::load(entry.from(kId));
  partition.first = fields.u64(kFirst);
  const uint64_t last = fields.u64(kLast);
  partition.attributes = fields.u64(kAttributes);
  if (last < partition.first) {
    return table_.note(Oddity::kEnds);
  }
  if (partition.first < header.first_usable || last > header.last_usable) {
    return table_.note(Oddity::kNotUsable);
  }
  partition.sectors = last - partition.first + 1;
  char text[kPartitionNameMax];
  const Utf8Written name = utf8_of_utf16le(entry.subspan(kName, kNameBytes), text);
  static_cast<void>(partition.name.set({text, name.size}));
  const bool same_id = has_id(partition.id);
  if (!table_.add(partition)) {
    return;
  }
  table_.note_unless(gpt_format::is_clear(entry.from(kEntryBytes)), Oddity::kReserved);
  table_.note_unless((partition.attributes & kUndefinedAttributes) == 0, Oddity::kAttributes);
  table_.note_unless(!name.broken, Oddity::kName);
  table_.note_unless(!partition.id.is_zero(), Oddity::kNoId);
  table_.note_unless(!same_id || partition.id.is_zero(), Oddity::kSameId);
}

bool GptReader::has_id(const Guid& id) const {
  for (const Partition& earlier : table_.partitions()) {
    if (earlier.id == id) {
      return true;
    }
  }
  return false;
}

} // namespace clay
