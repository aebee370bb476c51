// One lie about a table, and how tables are written.

#include <algorithm>

#include "generators/endian.h"
#include "generators/mbr/draft.h"

namespace kiln::gen::mbr_draft {
namespace {

class Liar {
 public:
  Liar(sim::Tape& tape, Draft& draft, std::vector<Sector>& sectors, SparseDisk& disk)
      : fault_(tape.fault()), draft_(draft), sectors_(sectors), disk_(disk) {}

  void tell(MbrLie lie);

 private:
  void tell_of_sector(MbrLie lie);
  void tell_of_record(MbrLie lie);
  void tell_of_link(MbrLie lie);
  void tell_of_logical(MbrLie lie);
  void filesystem();
  void noise();

  size_t below(uint64_t n) { return static_cast<size_t>(fault_.below(n)); }
  Sector& first() { return sectors_[0]; }
  /// A record of the first sector that is in use.
  Record& some_record() { return *fault_.pick(used_records()); }
  std::vector<Record*> used_records();
  /// One that is not, if there is one.
  Record& some_free_record();
  const Record& extended() const {
    return sectors_[0].records[static_cast<size_t>(draft_.extended)];
  }
  /// The link's record of its partition, and of the next link.
  Record& partition_of(size_t link);
  Record& next_of(size_t link);

  sim::Tape::View fault_;
  Draft& draft_;
  std::vector<Sector>& sectors_;
  SparseDisk& disk_;
};

std::vector<Record*> Liar::used_records() {
  std::vector<Record*> used;
  for (Record& record : first().records) {
    if (record.type != 0) {
      used.push_back(&record);
    }
  }
  return used;
}

Record& Liar::some_free_record() {
  for (Record& record : first().records) {
    if (record.type == 0) {
      return record;
    }
  }
  return first().records[below(4)];
}

Record& Liar::partition_of(size_t link) {
  const unsigned at = draft_.chain[link].shift + (draft_.chain[link].next_first ? 1u : 0u);
  return sectors_[1 + link].records[at];
}

Record& Liar::next_of(size_t link) {
  const unsigned at = draft_.chain[link].shift + (draft_.chain[link].next_first ? 0u : 1u);
  return sectors_[1 + link].records[at];
}

/// As a FAT volume begins that covers the whole disk: with a signature, and text where records
/// would be.
void Liar::filesystem() {
  for (Record& record : first().records) {
    record = {fault_.pick({uint8_t{'R'}, uint8_t{0x80}, uint8_t{0}}), uint8_t{'e'},
              0x6F62'6572u + static_cast<uint32_t>(fault_.below(256)), 0x0A0D'746Fu};
  }
}

void Liar::noise() {
  for (Record& record : first().records) {
    record = {fault_.pick({uint8_t{0}, uint8_t{0x80}}), static_cast<uint8_t>(fault_.below(256)),
              fault_.edge32(), fault_.edge32()};
  }
}

void Liar::tell_of_sector(MbrLie lie) {
  switch (lie) {
  case MbrLie::kSignature:
    first().signature ^= static_cast<uint16_t>(1u << fault_.below(16));
    break;
  case MbrLie::kBlank:
    sectors_.clear();
    break;
  case MbrLie::kFilesystem:
    filesystem();
    break;
  case MbrLie::kNoise:
    noise();
    break;
  case MbrLie::kStrayGpt:
    store_le(&disk_.at(1)[0], uint64_t{0x5452'4150'2049'4645});
    if (fault_.boolean()) {
      first() = {};
      first().signature = fault_.pick({uint16_t{0xAA55}, uint16_t{0}});
    }
    break;
  default:
    break;
  }
}

void Liar::tell_of_record(MbrLie lie) {
  const auto top = static_cast<uint32_t>(std::min<uint64_t>(draft_.sectors, 0xFFFF'FFFF));
  switch (lie) {
  case MbrLie::kBootIndicator:
    first().records[below(4)].boot =
        fault_.pick({uint8_t{1}, uint8_t{0x7F}, uint8_t{0x81}, uint8_t{0xFF}});
    break;
  case MbrLie::kUntyped:
    some_record().type = 0;
    break;
  case MbrLie::kEmpty:
    some_record().sectors = 0;
    break;
  case MbrLie::kOutside: {
    Record& record = some_record();
    if (fault_.chance(1, 3)) {
      record.first = top - fault_.pick({0u, 1u, 2u});
    }
    record.sectors = top - record.first + fault_.pick({1u, 0u, 2u});
    break;
  }
  case MbrLie::kWraps: {
    Record& record = some_record();
    record.first = fault_.pick({record.first, 0xFFFF'FFFFu});
    record.sectors = fault_.pick({0xFFFF'FFFFu, 0u - record.first, 1u - record.first});
    break;
  }
  case MbrLie::kOnTable: {
    Record& record = some_record();
    record.sectors += fault_.boolean() ? 0 : record.first;
    record.first = 0;
    break;
  }
  case MbrLie::kOverlap: {
    const std::vector<Record*> used = used_records();
    const size_t second = 1 + below(used.size() - 1);
    const Record& other = *used[second - 1];
    Record& record = *used[second];
    record.first = other.first + fault_.pick({other.sectors - 1, 0u, other.sectors / 2});
    record.sectors = fault_.pick({1u, other.sectors, record.sectors});
    break;
  }
  case MbrLie::kSecondExtended: {
    const std::vector<Record*> used = used_records();
    const size_t second = 1 + below(used.size() - 1);
    used[second - 1]->type = 5;
    used[second]->type = fault_.pick({uint8_t{5}, uint8_t{15}, uint8_t{0x85}});
    break;
  }
  default:
    some_free_record() = {0, 0xEE, fault_.pick({0u, 2u, 63u}), fault_.pick({1u, top, 0u})};
  }
}

void Liar::tell_of_link(MbrLie lie) {
  const size_t count = draft_.chain.size();
  const uint64_t begin = extended().first;
  const uint32_t whole = extended().sectors;
  // For these there must be a next one.
  const bool inner = lie == MbrLie::kLinkLength || lie == MbrLie::kLinkExtra;
  const size_t link = below(inner ? count - 1 : count);
  Record& next = next_of(link);
  if (lie != MbrLie::kLinkSignature && next.type == 0) {
    next = {0, 5, 0, 1};
  }
  switch (lie) {
  case MbrLie::kLinkSignature:
    sectors_[1 + link].signature ^= static_cast<uint16_t>(1u << fault_.below(16));
    break;
  case MbrLie::kLinkToItself:
    next.first = static_cast<uint32_t>(draft_.chain[link].at - begin);
    break;
  case MbrLie::kLinkBack:
    next.first = static_cast<uint32_t>(draft_.chain[below(link + 1)].at - begin);
    break;
  case MbrLie::kLinkOutside:
    next.first = fault_.pick({whole, whole + 1, 0xFFFF'FFFFu, 0u - extended().first});
    break;
  case MbrLie::kLinkToEnd:
    next.first = whole - 1;
    next.sectors = 1;
    break;
  case MbrLie::kLinkLength:
    next.sectors = fault_.pick({whole - next.first + 1, whole - next.first, 0xFFFF'FFFFu});
    break;
  case MbrLie::kLinkEmpty:
    next.sectors = 0;
    break;
  default: // a further record of either kind, wherever there is room
    for (Record& record : sectors_[1 + link].records) {
      if (record.type == 0) {
        record = {0, fault_.pick({uint8_t{0x83}, uint8_t{5}}), 1, 1};
      }
    }
  }
}

void Liar::tell_of_logical(MbrLie lie) {
  const size_t count = draft_.chain.size();
  const size_t link = below(count);
  const uint64_t at = draft_.chain[link].at;
  const auto left = static_cast<uint32_t>(uint64_t{extended().first} + extended().sectors - at);
  Record& record = partition_of(link);
  switch (lie) {
  case MbrLie::kLogicalOutside:
    record.sectors = left - record.first + fault_.pick({1u, 2u, 0u});
    break;
  case MbrLie::kLogicalWraps:
    record.first = fault_.pick({0xFFFF'FFFFu, static_cast<uint32_t>(0 - at), 0x8000'0000u});
    record.sectors = fault_.pick({1u, 2u, 0xFFFF'FFFFu});
    break;
  case MbrLie::kLogicalOnLink:
    record.first = 0;
    break;
  case MbrLie::kLogicalOverNext: { // what lies next on the disk: the chain may go backwards
    const auto each = static_cast<uint32_t>(draft_.chain[0].next_sectors);
    record.sectors = each - record.first + fault_.pick({1u, 0u, 2u});
    break;
  }
  default: { // two in one place: the links' own sectors stay free
    const size_t other = (link + 1) % count;
    record.first = static_cast<uint32_t>(draft_.chain[other].first - at);
    record.sectors = 1;
  }
  }
}

void Liar::tell(MbrLie lie) {
  if (lie == MbrLie::kNone || lie == MbrLie::kLongChain) {
    return; // a long chain was drawn
  }
  if (lie >= MbrLie::kLogicalOutside) {
    return tell_of_logical(lie);
  }
  if (lie >= MbrLie::kLinkSignature) {
    return tell_of_link(lie);
  }
  return lie >= MbrLie::kBootIndicator && lie != MbrLie::kStrayGpt ? tell_of_record(lie)
                                                                   : tell_of_sector(lie);
}

} // namespace

std::vector<Sector> sectors_of(const Draft& draft) {
  std::vector<Sector> sectors;
  Sector first;
  first.records = draft.records;
  first.disk_signature = draft.disk_signature;
  sectors.push_back(first);
  for (size_t i = 0; i < draft.chain.size(); ++i) {
    const Link& link = draft.chain[i];
    Sector sector;
    sector.at = link.at;
    if (link.has_partition) {
      sector.records[link.shift + (link.next_first ? 1 : 0)] = {
          link.boot, link.type, static_cast<uint32_t>(link.first - link.at),
          static_cast<uint32_t>(link.sectors)};
    }
    if (i + 1 < draft.chain.size()) {
      const auto place = static_cast<uint32_t>(draft.chain[i + 1].at - draft.chain[0].at);
      sector.records[link.shift + (link.next_first ? 0 : 1)] = {
          0, link.next_type, place, static_cast<uint32_t>(link.next_sectors)};
    }
    sectors.push_back(sector);
  }
  return sectors;
}

void tell(sim::Tape& tape, MbrLie lie, Draft& draft, std::vector<Sector>& sectors,
          SparseDisk& disk) {
  Liar(tape, draft, sectors, disk).tell(lie);
}

void write(const std::vector<Sector>& sectors, SparseDisk& disk) {
  for (const Sector& sector : sectors) {
    std::vector<uint8_t>& bytes = disk.at(sector.at);
    store_le(&bytes[440], sector.disk_signature);
    for (size_t i = 0; i < sector.records.size(); ++i) {
      const Record& record = sector.records[i];
      uint8_t* const at = &bytes[446 + 16 * i];
      at[0] = record.boot;
      at[4] = record.type;
      store_le(at + 8, record.first);
      store_le(at + 12, record.sectors);
    }
    store_le(&bytes[510], sector.signature);
  }
}

} // namespace kiln::gen::mbr_draft
