// A sound table, with what a lie needs.

#include <algorithm>

#include "generators/endian.h"
#include "generators/gpt/draft.h"

namespace kiln::gen::gpt_draft {
namespace {

using View = sim::Tape::View;

constexpr uint64_t kReservedBytes = 16 * 1024;

struct Name {
  std::u16string_view units; ///< up to 36
  const char* text;          ///< UTF-8, up to the first NUL
};
constexpr Name kNames[] = {
    {u"", ""},
    {u"root", "root"},
    {u"EFI system partition", "EFI system partition"},
    {u"thirty-six characters without a NUL.", "thirty-six characters without a NUL."},
    {u"\u00e4\u07ff\u0800\uffff\u0080\u007f", "\u00e4\u07ff\u0800\uffff\u0080\u007f"},
    {u"\U0001F9F1\U00010000\U0010FFFF", "\U0001F9F1\U00010000\U0010FFFF"},
    // A pair in the last two of 36 units.
    {u"0123456789abcdefghijklmnopqrstuvwx\U0001F525",
     "0123456789abcdefghijklmnopqrstuvwx\U0001F525"},
    {u"\uac00\uac01\uac02\uac03\uac04\uac05\uac06\uac07\uac08\uac09\uac0a\uac0b\uac0c\uac0d\uac0e"
     u"\uac0f\uac10\uac11\uac12\uac13\uac14\uac15\uac16\uac17\uac18\uac19\uac1a\uac1b\uac1c\uac1d"
     u"\uac1e\uac1f\uac20\uac21\uac22\uac23",
     "\uac00\uac01\uac02\uac03\uac04\uac05\uac06\uac07\uac08\uac09\uac0a\uac0b\uac0c\uac0d\uac0e"
     "\uac0f\uac10\uac11\uac12\uac13\uac14\uac15\uac16\uac17\uac18\uac19\uac1a\uac1b\uac1c\uac1d"
     "\uac1e\uac1f\uac20\uac21\uac22\uac23"},
};

class Drawer {
 public:
  Drawer(sim::Tape& tape, GptLie lie) : tape_(tape), data_(tape.data()), lie_(lie) {}

  Draft draw() {
    sizes();
    layout();
    partitions();
    return draft_;
  }

 private:
  void sizes();
  void layout();
  void partitions();
  Entry entry(uint32_t index);
  Guid guid(uint8_t salt);
  size_t count_of_partitions();

  sim::Tape& tape_;
  View data_;
  GptLie lie_;
  Draft draft_;
  bool dense_ = false; ///< all entries are in use
};

Guid Drawer::guid(uint8_t salt) {
  Guid id{};
  store_le(&id[0], data_.u32());
  id[7] = 0x40;
  id[15] = static_cast<uint8_t>(salt + 1); // never zero, and no two alike
  return id;
}

void Drawer::sizes() {
  draft_.sector_bytes = make_sector_bytes(data_);
  draft_.entry_bytes = uint32_t{128} << data_.weighted({16, 4, 2, 1, 1, 1, 1}); // up to 8192
  const uint32_t most = std::min(200u, (uint32_t{32} << 10) / draft_.entry_bytes);
  switch (data_.weighted({4, 12, 2, 1})) {
  case 0:
    draft_.entries = std::min(128u, most);
    break;
  case 1:
    draft_.entries = static_cast<uint32_t>(data_.between(1, std::min(12u, most)));
    break;
  case 2:
    draft_.entries = static_cast<uint32_t>(data_.between(1, most));
    break;
  default: // a sector is filled exactly
    draft_.entries = std::clamp(draft_.sector_bytes / draft_.entry_bytes, 1u, most);
  }
  if (lie_ == GptLie::kEntryTail && draft_.entry_bytes == 128) {
    draft_.entry_bytes = 256;
  }
  if (lie_ == GptLie::kOverlap || lie_ == GptLie::kSameId) {
    draft_.entries = std::max(draft_.entries, 2u);
  }
  if (lie_ == GptLie::kManyPartitions) {
    draft_.entry_bytes = 128;
    draft_.entries = static_cast<uint32_t>(data_.between(129, 132));
  }
  if (lie_ == GptLie::kSmallRoom) {
    // At most half of what should be reserved, whatever the sector is.
    const uint32_t fit = draft_.sector_bytes <= 8192 ? 8192 / draft_.entry_bytes : 0;
    if (fit == 0) {
      draft_.sector_bytes = 512;
      draft_.entry_bytes = 128;
    }
    draft_.entries = std::min(draft_.entries, std::max(fit, 4u));
  }
  draft_.header_bytes = 92;
  if (data_.chance(1, 6)) {
    const uint32_t last = draft_.sector_bytes;
    draft_.header_bytes = data_.pick({last, 93u, 96u, 128u, last - 1, 512u});
  }
}

void Drawer::layout() {
  const uint64_t array = draft_.array_sectors();
  const uint64_t reserved = (kReservedBytes + draft_.sector_bytes - 1) / draft_.sector_bytes;
  const uint64_t room = lie_ == GptLie::kSmallRoom ? array : std::max(array, reserved);
  const auto slack = [&] { return data_.chance(1, 4) ? data_.below(100) : 0; };
  draft_.entries_lba = 2 + (room > array ? std::min(slack(), room - array) : 0);
  draft_.first_usable = 2 + room + (lie_ == GptLie::kSmallRoom ? 0 : slack());
  const uint64_t gap = slack();
  const uint64_t behind = room + (lie_ == GptLie::kSmallRoom ? 0 : gap);
  const uint64_t usable = lie_ == GptLie::kManyPartitions ? draft_.entries : 4;
  const uint64_t least = draft_.first_usable + behind + usable; // all but the backup's header
  constexpr uint64_t k32 = uint64_t{1} << 32;
  switch (data_.weighted({12, 6, 3, 3, 1})) {
  case 0:
    draft_.sectors = least + data_.between(65, 4096);
    break;
  case 1:
    draft_.sectors = least + data_.between(1, 16);
    break;
  case 2:
    draft_.sectors = k32 + data_.pick({uint64_t{0}, ~uint64_t{0}, uint64_t{1}, k32, 2 * k32});
    break;
  case 3:
    draft_.sectors = ~uint64_t{0} - data_.pick({0u, 1u, 2u, 1000u});
    break;
  default:
    draft_.sectors = std::max(least + 1, data_.u64());
  }
  draft_.backup_lba = draft_.sectors - 1;
  draft_.last_usable = draft_.backup_lba - behind - 1;
  draft_.backup_entries_lba =
      draft_.last_usable + 1 + (behind > array ? data_.below(behind - array + 1) : 0);
  draft_.disk_id = guid(0xF0);
}

size_t Drawer::count_of_partitions() {
  switch (lie_) {
  case GptLie::kManyPartitions:
    dense_ = true;
    return draft_.entries;
  case GptLie::kOverlap:
  case GptLie::kSameId:
    return std::min<size_t>(2 + static_cast<size_t>(data_.below(3)), draft_.entries);
  default:
    break;
  }
  if (data_.chance(1, 24)) {
    dense_ = true;
    return std::min(draft_.entries, 128u);
  }
  const auto count = static_cast<size_t>(data_.below(std::min(draft_.entries, 5u) + 1));
  const bool needs_one = lie_ >= GptLie::kEnds && lie_ <= GptLie::kName;
  return std::max<size_t>(count, needs_one ? 1 : 0);
}

Entry Drawer::entry(uint32_t index) {
  static constexpr uint8_t kKinds[][4] = {{0xAF, 0x3D, 0xC6, 0x0F}, {0x28, 0x73, 0x2A, 0xC1}};
  Entry entry;
  entry.index = index;
  const auto& kind = data_.pick(kKinds);
  std::copy(std::begin(kind), std::end(kind), entry.kind.begin());
  if (data_.chance(1, 8)) { // only its last byte says that the entry is in use
    entry.kind = Guid{};
    entry.kind[15] = 1;
  }
  entry.id = guid(static_cast<uint8_t>(index));
  entry.attributes = data_.pick({uint64_t{0}, uint64_t{1}, uint64_t{4}, uint64_t{7},
                                 uint64_t{1} << 63, uint64_t{1} << 48, uint64_t{0xFFFF} << 48});
  const Name& name = data_.pick(kNames);
  std::copy_n(name.units.begin(), std::min<size_t>(name.units.size(), 36), entry.name.begin());
  entry.name_text = name.text;
  if (name.units.size() < 35 && data_.chance(1, 6)) { // behind the NUL: nobody's business
    entry.name[name.units.size() + 1] = 0xD800;
  }
  return entry;
}

/// One behind the other, with and without room between them, up to the very end now and then.
void Drawer::partitions() {
  const uint64_t usable = draft_.last_usable - draft_.first_usable + 1;
  const size_t count = static_cast<size_t>(std::min<uint64_t>(count_of_partitions(), usable));
  const bool scattered = data_.chance(1, 3);
  const bool backwards = data_.chance(1, 4);
  uint64_t next = draft_.first_usable;
  for (size_t i = 0; i < count; ++i) {
    sim::Span span(tape_, "partition");
    const uint64_t others = count - i - 1; // each needs a sector
    uint64_t left = draft_.last_usable - next + 1 - others;
    const uint64_t gap =
        scattered && data_.boolean() ? data_.below(std::min<uint64_t>(left, 50)) : 0;
    next += gap;
    left -= gap;
    Entry made = entry(static_cast<uint32_t>(backwards ? draft_.entries - 1 - i : i));
    made.first = next;
    const uint64_t most = std::min<uint64_t>(left, dense_ ? 2 : 2000);
    const uint64_t sectors = !dense_ && data_.chance(1, 6) ? left : data_.between(1, most);
    made.last = next + (sectors - 1);
    draft_.in_use.push_back(made);
    if (made.last == draft_.last_usable) {
      break;
    }
    next = made.last + 1;
  }
}

} // namespace

Draft draw(sim::Tape& tape, GptLie lie) { return Drawer(tape, lie).draw(); }

} // namespace kiln::gen::gpt_draft

namespace kiln::gen {

uint32_t make_sector_bytes(sim::Tape::View& data) {
  switch (data.weighted({20, 6, 4, 2, 2, 2, 1, 2})) {
  case 0:
    return 512;
  case 1:
    return 4096;
  case 2:
    return data.pick({520u, 528u, 516u, 4104u});
  case 3:
    return 1024;
  case 4:
    return 2048;
  case 5:
    return 8192;
  case 6:
    return data.pick({65536u, 16384u, 32768u, 65532u});
  default:
    return 512 + 4 * static_cast<uint32_t>(data.below(1024));
  }
}

GptProduct make_gpt(sim::Tape& tape) {
  // Half of all are sound.
  sim::Tape::View fault = tape.fault();
  const bool lies = fault.chance(1, 2);
  GptProduct product;
  product.lie = lies ? static_cast<GptLie>(fault.between(1, kGptLies - 1)) : GptLie::kNone;
  gpt_draft::Draft draft = gpt_draft::draw(tape, product.lie);
  gpt_draft::Parts parts = gpt_draft::parts_of(draft);
  gpt_draft::tell(tape, product.lie, draft, parts);
  product.disk.sectors = draft.sectors;
  product.disk.sector_bytes = draft.sector_bytes;
  gpt_draft::write(parts, product.disk);
  for (const gpt_draft::Entry& entry : draft.in_use) {
    product.meant.push_back(
        {entry.index + 1, entry.first, entry.last - entry.first + 1, 0, entry.name_text});
  }
  std::sort(product.meant.begin(), product.meant.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  return product;
}

} // namespace kiln::gen
