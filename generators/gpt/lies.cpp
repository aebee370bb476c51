// One lie about a table: what tools and kernels have believed, at the ends of what may be believed.

#include <algorithm>

#include "generators/gpt/draft.h"

namespace kiln::gen::gpt_draft {
namespace {

constexpr uint64_t kTop = ~uint64_t{0};

class Liar {
 public:
  Liar(sim::Tape& tape, Draft& draft, Parts& parts)
      : fault_(tape.fault()), draft_(draft), parts_(parts) {}

  void tell(GptLie lie);

 private:
  void tell_of_header(GptLie lie, Copy& copy);
  void tell_of_partition(GptLie lie);
  void tell_of_disk(GptLie lie);
  void usable(GptLie lie, Copy& copy);
  void entries(GptLie lie, Copy& copy);
  void overlap();
  void name(Entry& entry);
  void backup_differs();
  void hybrid();
  void other_table();
  void shrink();
  /// The arrays anew, after a change of the entries.
  void make_arrays() { parts_.primary.array = parts_.backup.array = array_of(draft_); }
  Entry& some_entry() { return draft_.in_use[below(draft_.in_use.size())]; }
  size_t below(uint64_t n) { return static_cast<size_t>(fault_.below(n)); }

  sim::Tape::View fault_;
  Draft& draft_;
  Parts& parts_;
};

/// Of the header's fields that say what is usable.
void Liar::usable(GptLie lie, Copy& copy) {
  const uint64_t first = copy.first_usable;
  const uint64_t last = copy.last_usable;
  const uint64_t array = draft_.array_sectors();
  if (lie == GptLie::kFirstUsable) {
    copy.first_usable = fault_.pick({copy.entries_lba + array - 1, uint64_t{0}, uint64_t{1},
                                     uint64_t{2}, last, last + 1, kTop, first + 1});
  } else {
    copy.last_usable =
        fault_.pick({draft_.sectors, draft_.sectors - 1, draft_.backup_entries_lba, first,
                     first - 1, uint64_t{0}, uint64_t{1}, kTop, kTop - 1, last - 1});
  }
}

void Liar::entries(GptLie lie, Copy& copy) {
  const uint64_t array = draft_.array_sectors();
  const uint32_t fit = (uint32_t{256} << 10) / copy.entry_bytes;
  switch (lie) {
  case GptLie::kEntriesLba:
    copy.entries_lba =
        fault_.pick({uint64_t{0}, uint64_t{1}, draft_.first_usable, draft_.first_usable - array + 1,
                     draft_.last_usable, draft_.backup_lba, draft_.backup_lba - array + 1,
                     draft_.sectors, kTop, kTop - array + 1, kTop - array + 2});
    break;
  case GptLie::kNoEntries:
    copy.entries = 0;
    break;
  case GptLie::kManyEntries: // also where the product wraps 32 bits
    copy.entries = fault_.pick({fit + 1, fit, 0xFFFF'FFFFu, 0x0200'0000u, 0x0200'0001u,
                                0x8000'0000u, draft_.entries + 0x0200'0000u});
    break;
  case GptLie::kOneEntryMore:
    copy.summed_entries = copy.entries;
    copy.entries = copy.entries > 1 && fault_.boolean() ? copy.entries - 1 : copy.entries + 1;
    break;
  case GptLie::kEntrySize:
    copy.entry_bytes = fault_.pick({64u, 0u, 1u, 96u, 120u, 127u, 129u, 136u, 192u, 384u,
                                    0x8000'0000u, 0xFFFF'FFFFu, 0x4000'0080u});
    if (copy.entry_bytes > 128 && fault_.boolean()) {
      copy.entries = 1;
    }
    break;
  default:
    break;
  }
}

void Liar::tell_of_header(GptLie lie, Copy& copy) {
  const uint32_t sector = draft_.sector_bytes;
  switch (lie) {
  case GptLie::kSignature:
    copy.signature ^= uint64_t{1} << fault_.below(64);
    break;
  case GptLie::kRevision:
    copy.revision = fault_.pick({0x0001'0001u, 0x0002'0000u, 0u, 0x0100u, 0x0101'0000u});
    break;
  case GptLie::kHeaderShort:
    copy.header_bytes = fault_.pick({91u, 0u, 88u, 20u, 16u, 64u});
    break;
  case GptLie::kHeaderLong:
    copy.header_bytes =
        fault_.pick({sector + 1, sector + 4, 2 * sector, 0xFFFF'FFFFu, 0x8000'005Cu});
    break;
  case GptLie::kHeaderSum:
    copy.header_sum_flip = uint32_t{1} << fault_.below(32);
    break;
  case GptLie::kHeaderByte:
    copy.header_flip = below(8 * uint64_t{copy.header_bytes});
    break;
  case GptLie::kReservedField:
    copy.reserved = fault_.pick({1u, 0x8000'0000u, 0x0100u});
    break;
  case GptLie::kReservedTail:
    copy.tail_byte = fault_.pick({size_t{92}, size_t{sector} - 1, 92 + below(sector - 92)});
    break;
  case GptLie::kMyLba:
    copy.my_lba = fault_.pick({copy.lba + 1, copy.lba - 1, copy.alternate_lba, kTop});
    break;
  case GptLie::kAlternate:
    copy.alternate_lba =
        fault_.pick({uint64_t{0}, uint64_t{1}, uint64_t{2}, draft_.first_usable, draft_.last_usable,
                     draft_.last_usable + 1, draft_.sectors, draft_.sectors - 2, kTop});
    break;
  case GptLie::kFirstUsable:
  case GptLie::kLastUsable:
    usable(lie, copy);
    break;
  case GptLie::kEntriesSum:
    copy.entries_sum_flip = uint32_t{1} << fault_.below(32);
    break;
  case GptLie::kEntriesByte: {
    const size_t bits = 8 * copy.array.size();
    copy.array_flip = fault_.pick({bits - 1, size_t{0}, below(bits), bits - 8 * copy.entry_bytes});
    break;
  }
  default:
    entries(lie, copy);
  }
}

void Liar::overlap() {
  // Places in the list are as they lie on the disk.
  const size_t second = 1 + below(draft_.in_use.size() - 1);
  Entry& a = draft_.in_use[second - 1];
  Entry& b = draft_.in_use[second];
  switch (fault_.below(5)) {
  case 0:
    b.first = a.last;
    break;
  case 1:
    b.first = a.first;
    break;
  case 2:
    b.first = a.first;
    b.last = a.last;
    break;
  case 3:
    a.last = b.last;
    break;
  default:
    a.last = b.first;
  }
}

void Liar::name(Entry& entry) {
  constexpr uint16_t kHigh = 0xD83D;
  constexpr uint16_t kLow = 0xDE00;
  const size_t at = fault_.pick({size_t{35}, size_t{0}, size_t{1}, size_t{34}});
  if (at > 1) {
    entry.name.fill(u'x');
  }
  switch (fault_.below(4)) {
  case 0:
    entry.name[at] = fault_.pick({kHigh, uint16_t{0xDBFF}, uint16_t{0xD800}});
    break;
  case 1:
    entry.name[at] = fault_.pick({kLow, uint16_t{0xDC00}, uint16_t{0xDFFF}});
    break;
  case 2: // the wrong way round
    entry.name[at - at % 2] = kLow;
    entry.name[at - at % 2 + 1] = kHigh;
    break;
  default: // one too many
    entry.name[0] = kHigh;
    entry.name[1] = kHigh;
    entry.name[2] = kLow;
  }
}

void Liar::tell_of_partition(GptLie lie) {
  Entry& entry = some_entry();
  switch (lie) {
  case GptLie::kEnds:
    entry.last = fault_.pick({entry.first - 1, uint64_t{0}, entry.first - 2});
    break;
  case GptLie::kBelowUsable:
    entry.first = fault_.pick({draft_.first_usable - 1, uint64_t{0}, uint64_t{1}, uint64_t{2}});
    break;
  case GptLie::kAboveUsable:
    entry.last = fault_.pick({draft_.last_usable + 1, draft_.sectors - 1, draft_.sectors, kTop});
    break;
  case GptLie::kEverything:
    entry.first = fault_.pick({uint64_t{0}, draft_.first_usable});
    entry.last = kTop;
    break;
  case GptLie::kOverlap:
    overlap();
    break;
  case GptLie::kSameId: {
    const size_t other = 1 + below(draft_.in_use.size() - 1);
    draft_.in_use[other].id = draft_.in_use[other - 1].id;
    break;
  }
  case GptLie::kNoId:
    entry.id = Guid{};
    break;
  case GptLie::kAttributes:
    entry.attributes ^= uint64_t{1} << fault_.pick({3u, 47u, 20u});
    break;
  case GptLie::kEntryTail:
    entry.tail = 1;
    break;
  default:
    name(entry);
  }
  make_arrays();
}

void Liar::backup_differs() {
  Copy& backup = parts_.backup;
  switch (fault_.below(4)) {
  case 0:
    backup.disk_id[3] ^= 1;
    break;
  case 1:
    backup.array[backup.array.size() - 1] ^= 1;
    break;
  case 2:
    backup.first_usable += 1;
    break;
  default: // fewer entries, which are the same
    backup.entries = std::max(1u, backup.entries - 1);
    backup.last_usable -= draft_.entries == 1 ? 1 : 0;
  }
}

void Liar::hybrid() {
  const auto usable = static_cast<uint32_t>(std::min<uint64_t>(draft_.first_usable, 0xFFFF'0000));
  parts_.records[fault_.pick({1, 3})] = {0x80,
                                         fault_.pick({uint8_t{0x83}, uint8_t{0xEE}, uint8_t{0x0F}}),
                                         usable, fault_.pick({1u, 0u})};
  if (fault_.boolean()) {
    parts_.records[0].sectors = usable - 1;
  }
  if (fault_.boolean()) { // the protective one need not come first
    std::swap(parts_.records[0], parts_.records[2]);
  }
}

void Liar::other_table() {
  parts_.records = {};
  const auto sectors = static_cast<uint32_t>(std::min<uint64_t>(draft_.sectors - 1, 0xFFFF'FFFF));
  if (!fault_.chance(1, 4)) {
    parts_.records[below(4)] = {0x80, 0x83, 1, sectors};
  }
}

void Liar::shrink() {
  const uint64_t sectors = draft_.sectors;
  draft_.sectors =
      fault_.pick({sectors - 1, uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{0}, uint64_t{1},
                   draft_.last_usable + 1, draft_.last_usable, draft_.first_usable});
}

void Liar::tell_of_disk(GptLie lie) {
  Record& record = parts_.records[0];
  const auto sectors = static_cast<uint32_t>(std::min<uint64_t>(draft_.sectors, 0xFFFF'FFFE));
  switch (lie) {
  case GptLie::kGrown:
    draft_.sectors += std::min<uint64_t>(fault_.pick({1u, 2u, 1000u}), kTop - draft_.sectors);
    if (draft_.sectors - 1 == draft_.backup_lba) { // it cannot grow: the table shrinks
      draft_.backup_lba -= 1;
      draft_.backup_entries_lba -= 1;
      draft_.last_usable -= 1;
      draft_.in_use.clear();
      parts_ = parts_of(draft_);
    }
    break;
  case GptLie::kShrunk:
    shrink();
    break;
  case GptLie::kBothBad: {
    static constexpr GptLie kLies[] = {GptLie::kHeaderSum,  GptLie::kSignature, GptLie::kEntriesSum,
                                       GptLie::kHeaderByte, GptLie::kMyLba,     GptLie::kNoEntries};
    tell_of_header(fault_.pick(kLies), parts_.primary);
    tell_of_header(fault_.pick(kLies), parts_.backup);
    break;
  }
  case GptLie::kBackupDiffers:
    backup_differs();
    break;
  case GptLie::kProtectiveStart:
    record.first = fault_.pick({0u, 2u, 0xFFFF'FFFFu, 0x0100'0000u});
    break;
  case GptLie::kProtectiveSize:
    record.sectors = fault_.pick({sectors, sectors - 2, 0u, 1u, 0xFFFF'FFFEu});
    break;
  case GptLie::kProtectiveBoot:
    record.boot = fault_.pick({uint8_t{0x80}, uint8_t{1}, uint8_t{0xFF}});
    break;
  case GptLie::kNoProtection:
    if (fault_.boolean()) {
      parts_.signature ^= static_cast<uint16_t>(1u << fault_.below(16));
    } else {
      record = {};
    }
    break;
  case GptLie::kHybrid:
    hybrid();
    break;
  case GptLie::kOtherTable:
    other_table();
    break;
  default: // the table as it was drawn is the lie
    break;
  }
}

void Liar::tell(GptLie lie) {
  if (lie >= GptLie::kEnds && lie <= GptLie::kName) {
    return tell_of_partition(lie);
  }
  if (lie == GptLie::kGrown || lie == GptLie::kShrunk || lie >= GptLie::kBothBad ||
      lie == GptLie::kNone) {
    return tell_of_disk(lie);
  }
  switch (fault_.weighted({3, 2, 2})) {
  case 0:
    return tell_of_header(lie, parts_.primary);
  case 1:
    return tell_of_header(lie, parts_.backup);
  default: // both, each in its way
    tell_of_header(lie, parts_.primary);
    tell_of_header(lie, parts_.backup);
  }
}

} // namespace

void tell(sim::Tape& tape, GptLie lie, Draft& draft, Parts& parts) {
  Liar(tape, draft, parts).tell(lie);
}

} // namespace kiln::gen::gpt_draft
