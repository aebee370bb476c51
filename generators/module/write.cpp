// Lays a draft out, and writes it down.

#include <algorithm>
#include <iterator>

#include "generators/byte_builder.h"
#include "generators/module/draft.h"

namespace kiln::gen::module_draft {
namespace {

constexpr uint32_t kRead = 4;
constexpr uint32_t kWrite = 2;
constexpr uint32_t kExecute = 1;
constexpr size_t kHeader = 64;
constexpr uint64_t kPage = 4096;

uint64_t up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

/// What lies in one piece.
enum Block : uint8_t {
  kHeaders,
  kSymbols,
  kHash,
  kGnuHash,
  kStrings,
  kRelocations,
  kPlt,
  kText,
  kDynamic,
  kTable,
  kDescriptor,
  kName,
  kData,
  kBlocks,
};

struct Spot {
  uint64_t size = 0;
  uint64_t offset = 0;
  uint64_t address = 0;
};

struct Segment {
  uint32_t flags;
  Block first;
  Block last;
};

class Writer {
 public:
  Writer(const Draft& draft, Places& places) : draft_(draft), places_(places) {}

  std::vector<uint8_t> write() {
    places_ = {};
    gather();
    measure();
    lay_out(draft_.base);
    if (draft_.at_top) {
      const uint64_t end = up(places_.loads.back().address + places_.loads.back().bytes, unit());
      lay_out(uint64_t{0} - (end - (first_address_ / unit() * unit())));
    }
    header();
    program_headers();
    symbols();
    hashes();
    strings();
    relocations();
    contents();
    dynamic();
    places_.descriptor = spots_[kDescriptor].offset;
    return out_.take();
  }

 private:
  uint64_t unit() const { return std::max(draft_.align, kPage); }
  uint64_t address(Block block) const { return spots_[block].address; }
  size_t place(Block block) const { return static_cast<size_t>(spots_[block].offset); }

  /// The texts, and which table each relocation stands in.
  void gather() {
    strings_.push_back(0);
    for (const Symbol& symbol : draft_.symbols) {
      names_.push_back(symbol.name.empty() ? 0 : static_cast<uint32_t>(strings_.size()));
      if (!symbol.name.empty()) {
        strings_.insert(strings_.end(), symbol.name.begin(), symbol.name.end());
        strings_.push_back(0);
      }
    }
    for (const Relocation& relocation : draft_.relocations) {
      tables_[relocation.of_plt ? 1 : 0].push_back(&relocation);
    }
  }

  size_t headers() const {
    return draft_.segments + draft_.extra + 1 + (draft_.relro ? 1 : 0) + (draft_.stack ? 1 : 0);
  }

  void measure() {
    const size_t count = draft_.symbols.size();
    spots_[kHeaders].size = kHeader + headers() * draft_.program_stride;
    spots_[kSymbols].size = count * draft_.symbol_stride;
    spots_[kHash].size = draft_.sysv_hash ? 4 * (2 + draft_.buckets + count) : 0;
    spots_[kGnuHash].size =
        draft_.gnu_hash ? 16 + 8 + 4 * (draft_.buckets + count - draft_.first_hashed) : 0;
    spots_[kStrings].size = strings_.size();
    spots_[kRelocations].size = tables_[0].size() * draft_.relocation_stride;
    spots_[kPlt].size = tables_[1].size() * draft_.relocation_stride;
    spots_[kText].size = draft_.segments >= 3 ? draft_.text.size() : 0;
    make_entries();
    spots_[kDynamic].size = entries_.size() * 16;
    spots_[kTable].size = draft_.table_words * uint64_t{8};
    spots_[kDescriptor].size = 32;
    spots_[kName].size = draft_.name.size() + 1;
    spots_[kData].size = draft_.data.size();
  }

  std::vector<Segment> segments() const {
    switch (draft_.segments) {
    case 1:
      return {{kRead | kWrite, kHeaders, kData}};
    case 2:
      return {{kRead, kHeaders, kPlt}, {kRead | kWrite, kText, kData}};
    case 3:
      return {{kRead, kHeaders, kPlt},
              {kRead | kExecute, kText, kText},
              {kRead | kWrite, kDynamic, kData}};
    default:
      return {{kRead, kHeaders, kPlt},
              {kRead | kExecute, kText, kText},
              {kRead | kWrite, kDynamic, kTable},
              {kRead | kWrite, kDescriptor, kData}};
    }
  }

  /// What is sealed ends with a page, and what follows begins one.
  uint64_t align_of(Block block) const {
    return block == kDescriptor && draft_.relro && draft_.segments < 4 ? kPage : 8;
  }

  void lay_out(uint64_t base) {
    places_.loads.clear();
    uint64_t at = draft_.headers_outside ? up(spots_[kHeaders].size, 8) : 0;
    uint64_t next = base / unit() * unit(); // the lowest address for the next segment
    for (const Segment& segment : segments()) {
      const bool first = places_.loads.empty();
      at = draft_.padded && !first ? up(at, unit()) : up(at, 8);
      Load load;
      load.offset = at;
      load.address = next + at % unit();
      const auto begin = first && draft_.headers_outside ? kSymbols : segment.first;
      for (size_t block = begin; block <= segment.last; ++block) {
        Spot& spot = spots_[block];
        at = up(at, spot.size == 0 ? 1 : align_of(static_cast<Block>(block)));
        spot.offset = at;
        spot.address = load.address + (at - load.offset);
        at += spot.size;
      }
      load.in_file = at - load.offset;
      load.bytes = load.in_file + (segment.last == kData ? draft_.zeros : 0);
      if (segment.last == kTable && draft_.relro) { // filled up, as linkers do
        load.bytes = up(load.address + load.bytes, kPage) - load.address;
      }
      places_.loads.push_back(load);
      flags_[places_.loads.size() - 1] = segment.flags;
      next = up(load.address + load.bytes, unit());
    }
    places_.data_address = places_.loads.back().address;
    places_.data_bytes = places_.loads.back().bytes;
    first_address_ = places_.loads.front().address;
    file_bytes_ = at;
    for (unsigned i = 0; i < draft_.extra; ++i) {
      const Load load{0, at, next + at % unit(), 0, 100};
      places_.loads.push_back(load);
      next = up(load.address + load.bytes, unit());
    }
  }

  // --- Headers

  void header() {
    out_.fill(0, static_cast<size_t>(std::max(file_bytes_, spots_[kHeaders].size)));
    const uint8_t ident[] = {0x7F, 'E', 'L', 'F', 2, 1, 1};
    for (size_t i = 0; i < sizeof ident; ++i) {
      out_.set_u8(i, ident[i]);
    }
    out_.set_u8(7, draft_.abi);
    out_.set_le16(16, 3);
    out_.set_le16(18, draft_.machine);
    out_.set_le32(20, 1);
    out_.set_le64(32, kHeader);
    out_.set_le16(52, kHeader);
    out_.set_le16(54, static_cast<uint16_t>(draft_.program_stride));
    out_.set_le16(56, static_cast<uint16_t>(headers()));
  }

  size_t program_header(uint32_t type, uint32_t flags, const Load& load, uint64_t align) {
    const size_t at = next_header_;
    next_header_ += draft_.program_stride;
    out_.set_le32(at, type);
    out_.set_le32(at + 4, flags);
    out_.set_le64(at + 8, load.offset);
    out_.set_le64(at + 16, load.address);
    out_.set_le64(at + 24, load.address);
    out_.set_le64(at + 32, load.in_file);
    out_.set_le64(at + 40, load.bytes);
    out_.set_le64(at + 48, align);
    return at;
  }

  void program_headers() {
    if (draft_.stack) {
      places_.other_header = program_header(0x6474E551, kRead | kWrite, {}, 0);
    }
    for (size_t i = 0; i < places_.loads.size(); ++i) {
      const uint32_t flags = i < draft_.segments ? flags_[i] : kRead | kWrite;
      places_.loads[i].at = program_header(1, flags, places_.loads[i], draft_.align);
    }
    const Spot& dynamic = spots_[kDynamic];
    places_.dynamic_header = program_header(
        2, kRead | kWrite, {0, dynamic.offset, dynamic.address, dynamic.size, dynamic.size}, 8);
    if (draft_.relro) {
      const uint64_t end = draft_.segments == 4 ? places_.loads[2].address + places_.loads[2].bytes
                                                : address(kDescriptor);
      const uint64_t in_file = spots_[kTable].offset + spots_[kTable].size - dynamic.offset;
      places_.relro_header =
          program_header(0x6474E552, kRead,
                         {0, dynamic.offset, dynamic.address, in_file, end - dynamic.address}, 1);
    }
  }

  // --- Symbols

  uint64_t value_of(const Symbol& symbol) const {
    switch (symbol.where) {
    case Where::kText:
      return address(kText) + symbol.offset;
    case Where::kData:
      return address(kData) + symbol.offset;
    case Where::kDataEnd:
      return places_.data_address + places_.data_bytes;
    case Where::kDescriptor:
      return address(kDescriptor);
    default:
      return symbol.offset;
    }
  }

  static uint16_t section_of(Where where) {
    return where == Where::kNowhere    ? 0
           : where == Where::kAbsolute ? 0xFFF1
                                       : static_cast<uint16_t>(where);
  }

  void symbols() {
    for (size_t i = 0; i < draft_.symbols.size(); ++i) {
      const Symbol& symbol = draft_.symbols[i];
      const size_t at = place(kSymbols) + i * draft_.symbol_stride;
      places_.symbols.push_back(at);
      if (symbol.where == Where::kDescriptor) places_.descriptor_symbol = i;
      out_.set_le32(at, names_[i]);
      out_.set_u8(at + 4, symbol.info);
      out_.set_le16(at + 6, section_of(symbol.where));
      out_.set_le64(at + 8, value_of(symbol));
      out_.set_le64(at + 16, symbol.size);
    }
  }

  void hashes() {
    places_.hash = draft_.sysv_hash ? place(kHash) : 0;
    places_.gnu_hash = draft_.gnu_hash ? place(kGnuHash) : 0;
    if (draft_.sysv_hash) {
      sysv_hash();
    }
    if (draft_.gnu_hash) {
      gnu_hash();
    }
  }

  /// gABI, chapter 5, "Hash Table".
  void sysv_hash() {
    const size_t at = place(kHash);
    const size_t buckets = at + 8;
    const size_t chains = buckets + 4 * draft_.buckets;
    out_.set_le32(at, draft_.buckets);
    out_.set_le32(at + 4, static_cast<uint32_t>(draft_.symbols.size()));
    for (size_t i = draft_.symbols.size() - 1; i >= draft_.first_hashed; --i) {
      uint32_t hash = 0;
      for (const char c : draft_.symbols[i].name) {
        hash = (hash << 4) + static_cast<uint8_t>(c);
        const uint32_t high = hash & 0xF0000000;
        hash = (hash ^ high >> 24) & ~high;
      }
      const size_t bucket = buckets + 4 * (hash % draft_.buckets);
      const auto head = load<uint32_t>(&out_.bytes()[bucket], std::endian::little);
      out_.set_le32(chains + 4 * i, head);
      out_.set_le32(bucket, static_cast<uint32_t>(i));
    }
  }

  void gnu_hash() {
    const size_t at = place(kGnuHash);
    const size_t buckets = at + 24;
    const size_t chains = buckets + 4 * draft_.buckets;
    out_.set_le32(at, draft_.buckets);
    out_.set_le32(at + 4, static_cast<uint32_t>(draft_.first_hashed));
    out_.set_le32(at + 8, 1);
    out_.set_le32(at + 12, 6);
    out_.set_le64(at + 16, ~uint64_t{0}); // lets every name through
    uint32_t following = UINT32_MAX;      // bucket of the symbol behind
    for (size_t i = draft_.symbols.size() - 1; i >= draft_.first_hashed; --i) {
      uint32_t hash = 5381;
      for (const char c : draft_.symbols[i].name) {
        hash = hash * 33 + static_cast<uint8_t>(c);
      }
      const uint32_t bucket = hash % draft_.buckets;
      const uint32_t last = bucket != following ? 1 : 0;
      out_.set_le32(chains + 4 * (i - draft_.first_hashed), (hash & ~1u) | last);
      out_.set_le32(buckets + 4 * bucket, static_cast<uint32_t>(i));
      following = bucket;
    }
  }

  void strings() {
    places_.strings = place(kStrings);
    places_.strings_bytes = strings_.size();
    put(kStrings, strings_);
  }

  void put(Block block, std::span<const uint8_t> bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      out_.set_u8(place(block) + i, bytes[i]);
    }
  }

  // --- Relocations

  uint32_t type_of(Form form) const {
    static constexpr uint32_t kAmd[] = {1, 6, 7, 8, 0};
    static constexpr uint32_t kArm[] = {257, 1025, 1026, 1027, 0};
    return (draft_.machine == 62 ? kAmd : kArm)[static_cast<size_t>(form)];
  }

  uint64_t place_of(const Relocation& relocation) const {
    const uint64_t end = places_.data_address + places_.data_bytes;
    const uint64_t border = up(address(kData) + 4, kPage);
    switch (relocation.place) {
    case Place::kTable:
      return address(kTable) + 8 * relocation.offset;
    case Place::kName:
      return address(kDescriptor) + 8;
    case Place::kInit:
      return address(kDescriptor) + 16;
    case Place::kExit:
      return address(kDescriptor) + 24;
    case Place::kLastWord:
      return end - 8;
    case Place::kPageEdge:
      return end - address(kData) >= border + 5 - address(kData) ? border - 3 : address(kData);
    default:
      return address(kData) + relocation.offset;
    }
  }

  uint64_t addend_of(const Relocation& relocation) const {
    if (relocation.place == Place::kName) {
      return address(kName);
    }
    return relocation.addend + (relocation.target == Where::kText ? address(kText) : 0);
  }

  void relocations() {
    for (size_t table = 0; table < 2; ++table) {
      size_t at = place(table == 0 ? kRelocations : kPlt);
      for (const Relocation* relocation : tables_[table]) {
        places_.relocations.push_back(at);
        out_.set_le64(at, place_of(*relocation));
        out_.set_le32(at + 8, type_of(relocation->form));
        out_.set_le32(at + 12, static_cast<uint32_t>(relocation->symbol));
        out_.set_le64(at + 16, addend_of(*relocation));
        at += draft_.relocation_stride;
      }
    }
  }

  void contents() {
    if (draft_.segments >= 3) {
      put(kText, draft_.text);
    }
    out_.set_le64(place(kDescriptor), 1);
    for (size_t i = 0; i < draft_.name.size(); ++i) {
      out_.set_u8(place(kName) + i, static_cast<uint8_t>(draft_.name[i]));
    }
    put(kData, draft_.data);
  }

  // --- The dynamic section

  /// Tags, and the block whose address is the value, or kBlocks.
  struct Entry {
    uint64_t tag;
    Block block;
    uint64_t value;
  };

  void make_entries() {
    entries_ = {{14, kBlocks, 0},
                {5, kStrings, 0},
                {10, kBlocks, spots_[kStrings].size},
                {6, kSymbols, 0},
                {11, kBlocks, draft_.symbol_stride}};
    if (draft_.sysv_hash) entries_.push_back({4, kHash, 0});
    if (draft_.gnu_hash) entries_.push_back({0x6FFFFEF5, kGnuHash, 0});
    if (!tables_[0].empty()) {
      entries_.push_back({7, kRelocations, 0});
      entries_.push_back({8, kBlocks, spots_[kRelocations].size});
      entries_.push_back({9, kBlocks, draft_.relocation_stride});
    }
    if (!tables_[1].empty()) {
      entries_.push_back({23, kPlt, 0});
      entries_.push_back({2, kBlocks, spots_[kPlt].size});
      entries_.push_back({20, kBlocks, 7});
    }
    entries_.push_back({3, kTable, 0});
    entries_.push_back({30, kBlocks, 8});
    std::rotate(entries_.begin(),
                entries_.begin() + static_cast<ptrdiff_t>(draft_.rotate % entries_.size()),
                entries_.end());
    entries_.push_back({0, kBlocks, 0});
  }

  void dynamic() {
    places_.dynamic = place(kDynamic);
    places_.dynamic_bytes = static_cast<size_t>(spots_[kDynamic].size);
    size_t at = place(kDynamic);
    for (const Entry& entry : entries_) {
      places_.tags[entry.tag] = at;
      if (entry.tag == 14 || entry.tag == 3 || entry.tag == 30) places_.ignored_tags.push_back(at);
      out_.set_le64(at, entry.tag);
      out_.set_le64(at + 8, entry.block == kBlocks ? entry.value : address(entry.block));
      at += 16;
    }
  }

  const Draft& draft_;
  Places& places_;
  ByteBuilder out_;
  Spot spots_[kBlocks];
  uint32_t flags_[4] = {};
  uint64_t first_address_ = 0;
  uint64_t file_bytes_ = 0;
  size_t next_header_ = kHeader;
  std::vector<uint8_t> strings_;
  std::vector<uint32_t> names_;
  std::vector<const Relocation*> tables_[2];
  std::vector<Entry> entries_;
};

} // namespace

std::vector<uint8_t> write(const Draft& draft, Places& places) {
  return Writer(draft, places).write();
}

} // namespace kiln::gen::module_draft
