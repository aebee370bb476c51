#include "generators/memory_map.h"

#include <algorithm>
#include <iterator>

#include "generators/byte_builder.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kGiB = uint64_t{1} << 30;

// What every kind of entry is called in each format.
enum class Kind : uint8_t { kUsable, kReserved, kTables, kNvs, kBad, kPersistent, kBoot, kUnknown };
constexpr uint32_t kE820Types[] = {1, 2, 3, 4, 5, 7, 1, 77};
constexpr uint32_t kUefiTypes[] = {7, 0, 9, 10, 8, 14, 4, 77};

constexpr uint64_t kWriteBack = 0x8;
constexpr uint64_t kE820Enabled = 1;

struct Range {
  uint64_t base;
  uint64_t length;
  Kind kind;
};

// As small machines have them, lowest first.
constexpr Range kPc[] = {{0, 0x9FC00, Kind::kUsable},
                         {0x9FC00, 0x400, Kind::kReserved},
                         {0xF0000, 0x10000, Kind::kReserved},
                         {kMiB, 127 * kMiB, Kind::kUsable}};
constexpr Range kServer[] = {{0, 0x9F000, Kind::kUsable},
                             {0x9F000, 0x1000, Kind::kReserved},
                             {kMiB, 2 * kGiB - kMiB - 0x300000, Kind::kUsable},
                             {2 * kGiB - 0x300000, 0x100000, Kind::kTables},
                             {2 * kGiB - 0x200000, 0x80000, Kind::kNvs},
                             {2 * kGiB - 0x180000, 0x180000, Kind::kReserved},
                             {0xE0000000, 0x10000000, Kind::kReserved},
                             {0xFEC00000, 0x1000, Kind::kReserved},
                             {4 * kGiB, 62 * kGiB, Kind::kUsable},
                             {66 * kGiB, 2 * kGiB, Kind::kPersistent}};
constexpr Range kFirmware[] = {{0, 0x1000, Kind::kBoot},
                               {0x1000, 0x9F000, Kind::kUsable},
                               {kMiB, 0x700000, Kind::kUsable},
                               {0x800000, 0x8000, Kind::kNvs},
                               {0x808000, 0x3000, Kind::kUsable},
                               {0x80B000, 0x1000, Kind::kNvs},
                               {0x900000, 0x2000000, Kind::kBoot},
                               {0x2900000, 0x5000000, Kind::kUsable},
                               {0x7900000, 0x20000, Kind::kTables},
                               {0x7920000, 0x6E0000, Kind::kReserved}};

class Maker {
 public:
  explicit Maker(sim::Tape& tape) : data_(tape.data()), fault_(tape.fault()) {}

  FirmwareMap make();

 private:
  void base_map();
  void scattered();
  void checkered();
  Range near_an_edge();
  uint64_t some_address();
  uint64_t some_length();
  Kind some_kind() { return static_cast<Kind>(data_.below(8)); }
  void spoil();
  void shuffle();
  void choose_format();
  void add(const Range& range);

  View data_;
  View fault_;
  std::vector<Range> ranges_;
  FirmwareMap map_;
};

void Maker::base_map() {
  switch (data_.below(3)) {
  case 0:
    ranges_.assign(std::begin(kPc), std::end(kPc));
    break;
  case 1:
    ranges_.assign(std::begin(kServer), std::end(kServer));
    break;
  default:
    ranges_.assign(std::begin(kFirmware), std::end(kFirmware));
    break;
  }
  // Entries of its own: a module, a table, a hole, each somewhere on an edge of what is there.
  for (uint64_t more = data_.below(6); more != 0; --more) {
    ranges_.push_back(near_an_edge());
  }
}

/// A range whose ends lie on, or a little beside, ends of those that are there.
Range Maker::near_an_edge() {
  const Range& one = data_.pick(ranges_);
  const Range& other = data_.pick(ranges_);
  const uint64_t from = one.base + (data_.boolean() ? one.length : 0);
  const uint64_t to = other.base + (data_.boolean() ? 0 : other.length);
  static constexpr int64_t kBeside[] = {0, 0, 1, -1, 512, 4096, -4096, 8191};
  const uint64_t begin = std::min(from, to) + static_cast<uint64_t>(data_.pick(kBeside));
  const uint64_t end = std::max(from, to) + static_cast<uint64_t>(data_.pick(kBeside));
  return {begin, end - begin, some_kind()};
}

uint64_t Maker::some_address() {
  static constexpr uint64_t kAnchors[] = {0,        kMiB,     4 * kGiB, uint64_t{1} << 52,
                                          0 - kMiB, 0 - kPage};
  switch (data_.below(4)) {
  case 0:
    return data_.pick(kAnchors) + data_.below(4) * kPage;
  case 1:
    return data_.u8() * kMiB;
  case 2:
    return data_.below(uint64_t{64} << 12);
  default:
    return data_.edge64();
  }
}

uint64_t Maker::some_length() {
  switch (data_.below(4)) {
  case 0:
    return (1 + data_.below(64)) * kPage;
  case 1:
    return data_.below(3 * kPage);
  case 2:
    return (1 + data_.u8()) * kMiB;
  default:
    return data_.edge64();
  }
}

void Maker::scattered() {
  for (uint64_t count = data_.below(14); count != 0; --count) {
    const uint64_t base = some_address();
    ranges_.push_back({base, some_length(), some_kind()});
  }
}

/// As many ranges as a map may have, or some more: no two neighbours of one type.
void Maker::checkered() {
  static constexpr uint64_t kCounts[] = {127, 128, 129, 140, 64};
  const uint64_t count = data_.pick(kCounts);
  const bool gaps = data_.boolean();
  const bool fill = data_.boolean();
  for (uint64_t i = 0; i < count; ++i) {
    const Kind kind = !gaps && i % 2 != 0 ? Kind::kReserved : Kind::kUsable;
    ranges_.push_back({i * (gaps ? 2 : 1) * kPage, kPage, kind});
  }
  if (fill) { // then holes in the middle of one large range
    ranges_.insert(ranges_.begin(), Range{0, 512 * kPage, Kind::kUsable});
  }
  for (uint64_t more = data_.below(4); more != 0; --more) {
    ranges_.push_back(near_an_edge());
  }
}

void Maker::spoil() {
  if (ranges_.empty()) {
    return;
  }
  Range& range = ranges_[static_cast<size_t>(fault_.below(ranges_.size()))];
  switch (fault_.below(6)) {
  case 0:
    range.length = 0;
    break;
  case 1: // to the last byte of 64 bits, or one more
    range.length = 0 - range.base + fault_.below(2);
    break;
  case 2:
    range.length = fault_.edge64();
    break;
  case 3:
    range.base = fault_.edge64();
    break;
  case 4:
    range.kind = Kind::kUnknown;
    break;
  default:
    map_.open_end = fault_.below(map_.stride);
    break;
  }
}

void Maker::shuffle() {
  for (size_t i = ranges_.size(); i > 1; --i) {
    std::swap(ranges_[i - 1], ranges_[static_cast<size_t>(fault_.below(i))]);
  }
}

void Maker::choose_format() {
  switch (data_.below(4)) {
  case 0:
    map_.format = MapFormat::kE820;
    map_.stride = data_.pick({size_t{20}, size_t{20}, size_t{20}, size_t{21}, size_t{23}});
    break;
  case 1:
    map_.format = MapFormat::kE820;
    map_.stride = 24 + 4 * data_.below(3);
    break;
  case 2:
    map_.format = MapFormat::kUefi;
    map_.stride = 40 + 8 * data_.below(3);
    break;
  default:
    map_.format = MapFormat::kMultiboot;
    map_.stride = 24;
    break;
  }
}

void Maker::add(const Range& range) {
  MapEntry entry{range.base, range.length, 0, 0};
  const auto kind = static_cast<size_t>(range.kind);
  if (map_.format == MapFormat::kUefi) {
    entry.type = kUefiTypes[kind];
    entry.length = fault_.chance(1, 128) ? fault_.edge64() : range.length / kPage;
    entry.attributes = kWriteBack;
    if (fault_.chance(1, 64)) {
      static constexpr uint64_t kOther[] = {0, kWriteBack | 0x40000,
                                            kWriteBack | uint64_t{1} << 63};
      entry.attributes = fault_.pick(kOther);
    }
  } else {
    entry.type = kE820Types[kind];
    entry.attributes = fault_.chance(1, 64) ? fault_.u8() : kE820Enabled;
  }
  map_.entries.push_back(entry);
}

FirmwareMap Maker::make() {
  choose_format();
  switch (data_.weighted({22, 9, 1})) {
  case 0:
    base_map();
    break;
  case 1:
    scattered();
    break;
  default:
    checkered();
    break;
  }
  if (fault_.chance(1, 4)) {
    shuffle();
  }
  for (uint64_t lies = fault_.chance(1, 3) ? 1 + fault_.below(3) : 0; lies != 0; --lies) {
    spoil();
  }
  map_.entries.reserve(ranges_.size());
  for (const Range& range : ranges_) {
    add(range);
  }
  map_.blob = encode(map_);
  return std::move(map_);
}

} // namespace

FirmwareMap make_memory_map(sim::Tape& tape) { return Maker(tape).make(); }

std::vector<uint8_t> encode(const FirmwareMap& map) {
  ByteBuilder blob;
  for (const MapEntry& entry : map.entries) {
    const size_t end = blob.size() + map.stride;
    if (map.format == MapFormat::kUefi) {
      blob.le32(entry.type).le32(0).le64(entry.base).le64(0).le64(entry.length);
      blob.le64(entry.attributes);
    } else {
      blob.le64(entry.base).le64(entry.length).le32(entry.type);
      if (map.stride >= 24) {
        blob.le32(static_cast<uint32_t>(entry.attributes));
      }
    }
    if (blob.size() != end) blob.fill(0, end - blob.size());
  }
  blob.fill(0xEE, map.open_end);
  return blob.take();
}

} // namespace kiln::gen
