// A sound table, with what a lie needs.

#include <algorithm>

#include "generators/mbr/draft.h"

namespace kiln::gen::mbr_draft {
namespace {

using View = sim::Tape::View;

/// How many links a lie needs.
size_t links_for(MbrLie lie) {
  switch (lie) {
  case MbrLie::kLinkBack:
    return 3;
  case MbrLie::kLinkLength:
  case MbrLie::kLinkExtra:
  case MbrLie::kLogicalOverNext:
  case MbrLie::kLogicalOverlap:
    return 2;
  default:
    return lie >= MbrLie::kLinkSignature ? 1 : 0;
  }
}

size_t records_for(MbrLie lie) {
  switch (lie) {
  case MbrLie::kOverlap:
  case MbrLie::kSecondExtended:
    return 2;
  case MbrLie::kUntyped:
  case MbrLie::kEmpty:
  case MbrLie::kOutside:
  case MbrLie::kWraps:
  case MbrLie::kOnTable:
    return 1;
  default:
    return 0;
  }
}

class Drawer {
 public:
  Drawer(sim::Tape& tape, MbrLie lie) : tape_(tape), data_(tape.data()), lie_(lie) {}

  Draft draw();

 private:
  void primary(Record& record, uint64_t begin, uint64_t sectors);
  void chain(uint64_t begin, uint64_t sectors);
  uint8_t type() {
    return data_.pick({uint8_t{0x83}, uint8_t{0x07}, uint8_t{0x0C}, uint8_t{0x82}, uint8_t{0xEF},
                       uint8_t{0x01}, uint8_t{0xFF}});
  }
  uint8_t extended_type() { return data_.pick({uint8_t{0x05}, uint8_t{0x0F}, uint8_t{0x85}}); }

  sim::Tape& tape_;
  View data_;
  MbrLie lie_;
  Draft draft_;
};

Draft Drawer::draw() {
  constexpr uint64_t k32 = uint64_t{1} << 32;
  draft_.sector_bytes = make_sector_bytes(data_);
  const size_t links_needed = links_for(lie_);
  auto count = static_cast<size_t>(data_.below(5));
  count = std::max({count, records_for(lie_), size_t{links_needed != 0 ? 1u : 0u}});
  switch (data_.weighted({12, 3, 2, 1})) {
  case 0:
    draft_.sectors = data_.between(400, 8000);
    break;
  case 1:
    draft_.sectors = data_.between(200, 400);
    break;
  case 2:
    draft_.sectors = k32 + data_.pick({uint64_t{0}, ~uint64_t{0}, uint64_t{1}, k32});
    break;
  default:
    draft_.sectors = ~uint64_t{0};
  }
  if (lie_ == MbrLie::kLongChain) { // with room for it in each of four records
    draft_.sectors = std::max<uint64_t>(draft_.sectors, 1000);
  }
  draft_.disk_signature = data_.u32();
  const bool has_chain = count != 0 && (links_needed != 0 || data_.boolean());
  const size_t which = has_chain ? static_cast<size_t>(data_.below(count)) : count;
  // Records may reach up to 2^32 sectors, from places below that.
  const uint64_t end = std::min(draft_.sectors, k32);
  const uint64_t each = count == 0 ? 0 : (end - 1) / count;
  const bool up_to_end = data_.boolean();
  const size_t turn = static_cast<size_t>(data_.below(4));
  for (size_t i = 0; i < count; ++i) {
    sim::Span span(tape_, "record");
    uint64_t begin = 1 + i * each;
    uint64_t sectors = each;
    if (up_to_end && i + 1 == count) {
      sectors = end - begin;
    }
    const size_t slot = (i + turn) % 4;
    Record& record = draft_.records[slot];
    primary(record, begin, sectors);
    if (i == which) {
      record.boot = 0;
      record.type = extended_type();
      record.first = static_cast<uint32_t>(begin);
      record.sectors = static_cast<uint32_t>(sectors);
      draft_.extended = static_cast<int>(slot);
      chain(begin, sectors);
    }
  }
  return draft_;
}

void Drawer::primary(Record& record, uint64_t begin, uint64_t sectors) {
  const uint64_t gap = data_.chance(1, 4) ? data_.below(std::min<uint64_t>(sectors, 20)) : 0;
  sectors -= gap;
  const uint64_t length = data_.chance(1, 3) ? data_.between(1, sectors) : sectors;
  record = {data_.chance(1, 5) ? uint8_t{0x80} : uint8_t{0}, type(),
            static_cast<uint32_t>(begin + gap), static_cast<uint32_t>(length)};
}

/// Areas of one size, each with its link at the beginning; the chain need not go upwards.
void Drawer::chain(uint64_t begin, uint64_t sectors) {
  const size_t needed = links_for(lie_);
  size_t count = lie_ == MbrLie::kLongChain ? static_cast<size_t>(data_.between(65, 67))
                 : data_.chance(1, 40)      ? static_cast<size_t>(data_.pick({64u, 63u, 64u}))
                                            : static_cast<size_t>(data_.between(1, 6));
  // Two sectors at least: a link and something behind it.
  const uint64_t most = std::max<uint64_t>(1, sectors / 3);
  count = static_cast<size_t>(std::min<uint64_t>(std::max(count, needed), most));
  const uint64_t each = sectors / count;
  const bool mixed = data_.chance(1, 4);
  for (size_t i = 0; i < count; ++i) {
    Link link;
    // Backwards, but for the first.
    const uint64_t place = mixed && i != 0 ? count - i : i;
    link.at = begin + place * each;
    link.has_partition = needed != 0 || !data_.chance(1, 8);
    link.boot = data_.chance(1, 10) ? 0x80 : 0;
    link.type = type();
    const uint64_t gap =
        data_.chance(1, 3) ? data_.between(1, std::min<uint64_t>(each - 1, 10)) : 1;
    link.first = link.at + gap;
    link.sectors = data_.chance(1, 3) ? data_.between(1, each - gap) : each - gap;
    link.next_type = data_.chance(1, 4) ? extended_type() : uint8_t{5};
    link.next_first = data_.chance(1, 6);
    link.shift = data_.chance(1, 8) ? static_cast<unsigned>(data_.below(3)) : 0;
    link.next_sectors = each;
    draft_.chain.push_back(link);
  }
}

} // namespace

Draft draw(sim::Tape& tape, MbrLie lie) { return Drawer(tape, lie).draw(); }

} // namespace kiln::gen::mbr_draft

namespace kiln::gen {
namespace {

std::vector<MeantPartition> meant_by(const mbr_draft::Draft& draft) {
  std::vector<MeantPartition> meant;
  for (size_t i = 0; i < draft.records.size(); ++i) {
    const mbr_draft::Record& record = draft.records[i];
    if (record.type != 0 && static_cast<int>(i) != draft.extended) {
      meant.push_back({static_cast<uint32_t>(i + 1), record.first, record.sectors, record.type});
    }
  }
  uint32_t number = 5;
  for (const mbr_draft::Link& link : draft.chain) {
    if (link.has_partition) {
      meant.push_back({number++, link.first, link.sectors, link.type});
    }
  }
  return meant;
}

} // namespace

MbrProduct make_mbr(sim::Tape& tape) {
  // Half of all are sound.
  sim::Tape::View fault = tape.fault();
  MbrProduct product;
  product.lie =
      fault.chance(1, 2) ? static_cast<MbrLie>(fault.between(1, kMbrLies - 1)) : MbrLie::kNone;
  mbr_draft::Draft draft = mbr_draft::draw(tape, product.lie);
  product.meant = meant_by(draft);
  product.disk.sectors = draft.sectors;
  product.disk.sector_bytes = draft.sector_bytes;
  std::vector<mbr_draft::Sector> sectors = mbr_draft::sectors_of(draft);
  mbr_draft::tell(tape, product.lie, draft, sectors, product.disk);
  mbr_draft::write(sectors, product.disk);
  return product;
}

} // namespace kiln::gen
