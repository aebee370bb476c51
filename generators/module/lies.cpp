// One lie about a module: what loaders have believed, at the ends of what may be believed.

#include <algorithm>

#include "generators/endian.h"
#include "generators/module/draft.h"

namespace kiln::gen::module_draft {
namespace {

class Liar {
 public:
  Liar(sim::Tape& tape, const Draft& draft, const Places& places, std::vector<uint8_t>& bytes)
      : fault_(tape.fault()), draft_(draft), places_(places), bytes_(bytes) {}

  ModuleLie tell() {
    // Half of all are sound.
    const auto lie = static_cast<ModuleLie>(fault_.weighted(
        {34, 1, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 2, 1, 1, 2, 2, 2, 1, 3, 1, 2, 1, 2}));
    tell(lie);
    return lie;
  }

 private:
  void tell(ModuleLie lie);
  void header();
  void program_table();
  void segment_file(const Load& load);
  void segment_memory(const Load& load);
  void segment_order();
  void other_header();
  void dynamic_header();
  void dynamic_entry();
  size_t size_entry_of(uint64_t tag) const;
  void table_place();
  void table_size();
  void entry_size();
  void hash();
  void gnu_hash();
  void strings();
  void symbol_kind();
  void symbol_place();
  void relocation_place();
  void descriptor();
  void length();
  void damage();

  size_t below(uint64_t n) { return static_cast<size_t>(fault_.below(n)); }
  template <typename T> T get(size_t at) const {
    return at + sizeof(T) <= bytes_.size() ? load<T>(&bytes_[at], std::endian::little) : T{0};
  }
  template <typename T> void set(size_t at, T value) {
    if (at + sizeof(T) <= bytes_.size()) store(&bytes_[at], value, std::endian::little);
  }
  void set16(size_t at, uint64_t value) { set(at, static_cast<uint16_t>(value)); }
  void set32(size_t at, uint64_t value) { set(at, static_cast<uint32_t>(value)); }
  void set64(size_t at, uint64_t value) { set(at, value); }
  const Load& some_load() { return fault_.pick(places_.loads); }
  size_t some_symbol() { return places_.symbols[1 + below(places_.symbols.size() - 1)]; }
  size_t some_relocation() { return fault_.pick(places_.relocations); }
  /// Bytes of the file from `at` on that the same segment loads.
  uint64_t rest_of_segment(size_t at) const {
    for (const Load& load : places_.loads) {
      if (at >= load.offset && at < load.offset + load.in_file) {
        return load.offset + load.in_file - at;
      }
    }
    return 0;
  }
  /// One of the entries of the dynamic section that are there.
  size_t entry(std::initializer_list<uint64_t> tags) {
    std::vector<size_t> there;
    for (const uint64_t tag : tags) {
      const auto found = places_.tags.find(tag);
      if (found != places_.tags.end()) there.push_back(found->second);
    }
    return fault_.pick(there);
  }

  sim::Tape::View fault_;
  const Draft& draft_;
  const Places& places_;
  std::vector<uint8_t>& bytes_;
};

void Liar::header() {
  const size_t at = fault_.pick({0, 1, 2, 3, 4, 5, 6, 7, 7, 16, 18, 20});
  const uint8_t value = fault_.pick({0, 1, 2, 3, 4, 62, 183, 255});
  set(at, value);
}

void Liar::program_table() {
  const uint64_t count = get<uint16_t>(56);
  switch (fault_.below(7)) {
  case 0:
    return set16(52, fault_.pick({63u, 0u, 65u, 0xFFFFu}));
  case 1:
    return set16(54, fault_.pick({55u, 0u, 32u, 57u, 0xFFFFu}));
  case 2:
    return set16(56, fault_.pick({count - 1, count + 1, uint64_t{0}, uint64_t{0xFFFF},
                                  uint64_t{0xFFFE}, uint64_t{1}}));
  case 3: { // at the very end of the file, or one byte behind it
    const uint64_t table = count * get<uint16_t>(54);
    return set64(32, bytes_.size() - table + fault_.below(2));
  }
  case 4: // as many as mean that the number is elsewhere, and there are so many
    if (!fault_.chance(1, 4)) return set16(56, 0xFFFF);
    set16(56, 0xFFFF);
    return bytes_.resize(static_cast<size_t>(get<uint64_t>(32) + 0xFFFF * draft_.program_stride));
  case 5: // none of them loads anything
    for (const Load& load : places_.loads) {
      set32(load.at, 0);
    }
    return;
  default:
    return set64(32, fault_.pick({~uint64_t{0} - 7, ~uint64_t{0}, uint64_t{bytes_.size()},
                                  uint64_t{0}, uint64_t{65}}));
  }
}

void Liar::segment_file(const Load& load) {
  const uint64_t rest = bytes_.size() - load.offset;
  switch (fault_.below(5)) {
  case 0: // to the file's end, or one byte more; enough memory for it
    set64(load.at + 32, rest + fault_.below(2));
    return set64(load.at + 40, rest + 1);
  case 1:
    return set64(load.at + 32, fault_.pick({~uint64_t{0}, ~load.offset, ~load.offset + 1}));
  case 2:
    return set64(load.at + 8, fault_.pick({~uint64_t{0} - 4095 + load.offset % 4096,
                                           bytes_.size() / 4096 * 4096 + load.offset % 4096,
                                           load.offset + 4096}));
  case 3: { // what is in the file fills its last page; a byte more, or less
    const uint64_t end = (load.offset + load.in_file + 4095) / 4096 * 4096 +
                         fault_.pick({~uint64_t{0}, uint64_t{0}, uint64_t{1}});
    bytes_.resize(std::max<size_t>(bytes_.size(), static_cast<size_t>(end)), 0xEE);
    set64(load.at + 32, end - load.offset);
    return set64(load.at + 40, std::max(load.bytes, end - load.offset));
  }
  default:
    return set64(load.at + 32, load.bytes + fault_.pick({1, 0, 4096}));
  }
}

void Liar::segment_memory(const Load& load) {
  switch (fault_.below(4)) {
  case 0: // to the last address, or behind it
    return set64(load.at + 40, 0 - load.address + fault_.below(2));
  case 1:
    return set64(load.at + 40,
                 fault_.pick({uint64_t{0}, load.in_file, load.in_file - 1, ~uint64_t{0}}));
  case 2: // up to the next page, or onto it
    return set64(load.at + 40,
                 (load.address + load.bytes + 4095) / 4096 * 4096 - load.address + fault_.below(2));
  default:
    return set64(load.at + 16,
                 load.address % 4096 +
                     fault_.pick({~uint64_t{0} - 4095, uint64_t{1} << 63, uint64_t{1} << 40}));
  }
}

void Liar::segment_order() {
  if (places_.loads.size() < 2) {
    return;
  }
  const size_t second = 1 + below(places_.loads.size() - 1);
  const Load& before = places_.loads[second - 1];
  const Load& load = places_.loads[second];
  const uint64_t last_page = (before.address + before.bytes - 1) / 4096 * 4096;
  switch (fault_.below(4)) {
  case 2: // one byte, right before the one before: on a page of its own if that begins one
    set64(load.at + 8, (before.address - 1) % 4096);
    set64(load.at + 16, before.address - 1);
    set64(load.at + 32, 0);
    return set64(load.at + 40, 1);
  case 0: // on the last page of the one before
    return set64(load.at + 16, last_page + load.offset % 4096);
  case 1: // right behind it
    return set64(load.at + 16, last_page + 4096 + load.offset % 4096);
  default:
    std::swap_ranges(&bytes_[before.at], &bytes_[before.at] + 56, &bytes_[load.at]);
    return;
  }
}

/// Of what is read-only after relocation, of threads, of nothing.
void Liar::other_header() {
  if (places_.relro_header != 0 && fault_.chance(3, 4)) {
    const size_t at = places_.relro_header;
    const uint64_t address = get<uint64_t>(at + 16);
    const Load& load = some_load();
    switch (fault_.below(6)) {
    case 0:
      return set64(at + 16, load.address);
    case 1:
      return set64(at + 16, load.address + load.bytes - fault_.below(2));
    case 2: { // to the end of the page in which its segment ends, or one byte more
      const uint64_t end = (places_.data_address + places_.data_bytes + 4095) / 4096 * 4096;
      return set64(at + 40, end - address + fault_.below(2));
    }
    case 3:
      return set64(at + 40, fault_.pick({uint64_t{0}, ~uint64_t{0}, 0 - address,
                                         get<uint64_t>(at + 40) - 1}));
    case 4:
      return set64(at + 16, fault_.pick({address + 1, address - 1, ~uint64_t{0}}));
    default:
      return set32(fault_.pick({places_.dynamic_header, some_load().at}), 0x6474E552);
    }
  }
  const size_t at = places_.other_header != 0 ? places_.other_header : places_.dynamic_header;
  set32(at, fault_.pick({7u, 2u, 0x6474E552u, 3u, 1u}));
}

void Liar::dynamic_header() {
  const size_t at = places_.dynamic_header;
  const uint64_t bytes = places_.dynamic_bytes;
  switch (fault_.below(5)) {
  case 0:
    return set32(at, fault_.pick({0u, 7u, 6u}));
  case 1:
    return set64(at + 16, get<uint64_t>(at + 16) +
                              fault_.pick({uint64_t{8}, ~uint64_t{0} - 7, uint64_t{1} << 32}));
  case 2:
    return set64(at + 8, places_.dynamic + 8);
  case 3: // without its last entry, or with half of it
    return set64(at + 32, bytes - fault_.pick({16, 8, 1, 0}));
  default:
    return set64(at + 32, fault_.pick({uint64_t{0}, bytes + 1, ~uint64_t{0}, uint64_t{1} << 40}));
  }
}

void Liar::dynamic_entry() {
  const size_t ignored = fault_.pick(places_.ignored_tags);
  switch (fault_.below(4)) {
  case 0:
    return set64(ignored, fault_.pick({1u, 12u, 13u, 25u, 26u, 32u, 17u, 36u, 22u}));
  case 1:
    set64(ignored, 30);
    return set64(ignored + 8, fault_.pick({4u, 8u, 0xFFu}));
  case 2:
    return set64(ignored, get<uint64_t>(entry({5, 6, 4, 7, 10, 23, 0x6FFFFEF5})));
  default:
    return set64(entry({5, 6, 10, 11, 4, 0x6FFFFEF5, 7, 8, 9, 23, 2, 20, 0}), 0x70000001);
  }
}

/// The entry with the size of a table, by the tag of the one with its address; 0: there is none.
size_t Liar::size_entry_of(uint64_t tag) const {
  const auto found = places_.tags.find(tag == 5 ? 10 : tag == 7 ? 8 : tag == 23 ? 2 : 0);
  return found == places_.tags.end() || found->first == 0 ? 0 : found->second;
}

void Liar::table_place() {
  const size_t at = entry({5, 6, 7, 23, 4, 0x6FFFFEF5});
  const Load& load = some_load();
  // What is as long as the rest of its segment, or nothing, anywhere, may be sound.
  const size_t size = size_entry_of(get<uint64_t>(at));
  switch (fault_.below(4)) {
  case 0: {
    const uint64_t left = fault_.pick({1u, 0u, 8u, 16u, 24u});
    if (size != 0 && fault_.boolean()) set64(size + 8, fault_.pick({uint64_t{0}, left, left + 1}));
    return set64(at + 8, load.address + load.in_file - left);
  }
  case 1:
    return set64(at + 8, get<uint64_t>(at + 8) +
                             fault_.pick({uint64_t{1}, uint64_t{8}, ~uint64_t{0}, ~uint64_t{7}}));
  case 2:
    if (size != 0 && fault_.boolean()) set64(size + 8, 0);
    return set64(at + 8, fault_.pick({~uint64_t{0}, ~uint64_t{7}, uint64_t{0}, ~uint64_t{31}}));
  default:
    return set64(at + 8, load.address + load.bytes - fault_.pick({8, 1, 0}));
  }
}

void Liar::table_size() {
  const size_t at = entry({10, 8, 2});
  const uint64_t value = get<uint64_t>(at + 8);
  const uint64_t stride = draft_.relocation_stride;
  set64(at + 8, fault_.pick({value + 1, value - 1, value + stride, value - stride, uint64_t{0},
                             ~uint64_t{0} / stride * stride, uint64_t{1} << 63, stride * 4096}));
}

void Liar::entry_size() {
  set64(entry({11, 9, 20}) + 8,
        fault_.pick({uint64_t{23}, uint64_t{0}, uint64_t{16}, uint64_t{25}, uint64_t{48},
                     uint64_t{1} << 61, ~uint64_t{0}, uint64_t{17},
                     ~uint64_t{0} / places_.symbols.size() + 1})); // all of them wrap round
}

void Liar::gnu_hash() {
  const size_t buckets = places_.gnu_hash + 24;
  const size_t chains = buckets + 4 * size_t{draft_.buckets};
  switch (fault_.below(4)) {
  case 0:
    return set32(places_.gnu_hash + 4 * below(3),
                 fault_.pick({0u, 1u, 2u, 0x40u, 0xFFFFFFFFu, 0x3FFFFFFFu}));
  case 1:
    return set32(buckets + 4 * below(draft_.buckets),
                 fault_.pick({0u, 1u, static_cast<uint32_t>(draft_.symbols.size()), 0xFFFFFFFFu}));
  case 2: // no chain has an end
    for (size_t i = draft_.first_hashed; i < draft_.symbols.size(); ++i) {
      const size_t at = chains + 4 * (i - draft_.first_hashed);
      set32(at, get<uint32_t>(at) & ~1u);
    }
    return;
  default: // none is in it
    for (size_t i = 0; i < draft_.buckets; ++i) {
      set32(buckets + 4 * i, 0);
    }
    return;
  }
}

void Liar::hash() {
  if (places_.hash == 0 || (places_.gnu_hash != 0 && fault_.boolean())) {
    return gnu_hash();
  }
  const size_t at = places_.hash + 4 * below(2);
  const uint32_t value = get<uint32_t>(at);
  // As many as go into the rest of what is loaded, and a few more.
  const uint64_t rest = rest_of_segment(places_.hash) / 4 - draft_.buckets - draft_.symbols.size();
  const auto fitting = static_cast<uint32_t>(value + rest);
  set32(at, fault_.pick({value + 1, value - 1, 0u, 1u, 0xFFFFFFFFu, 0x3FFFFFFEu, value + 4,
                         fitting - 2, fitting - 1, fitting}));
}

void Liar::strings() {
  const size_t last = places_.strings + places_.strings_bytes - 1;
  if (fault_.boolean()) { // the table ends with the last character
    const size_t size = entry({10}) + 8;
    return set64(size, places_.strings_bytes - fault_.pick({1, 2}));
  }
  set(fault_.pick({last, places_.strings}), fault_.pick({uint8_t{'x'}, uint8_t{255}}));
}

void Liar::symbol_kind() {
  const size_t at = some_symbol() + 4;
  if (fault_.boolean()) {
    return set(at,
               static_cast<uint8_t>((get<uint8_t>(at) & 0xF0) | fault_.pick({6, 10, 5, 7, 15})));
  }
  set(at, static_cast<uint8_t>((get<uint8_t>(at) & 0xF) | fault_.pick({0, 3, 9, 10, 11, 15}) << 4));
}

void Liar::symbol_place() {
  const size_t at = some_symbol();
  const Load& load = some_load();
  const uint64_t end = load.address + load.bytes;
  switch (fault_.below(6)) {
  case 0:
    return set16(at + 6, fault_.pick({0xFFF2u, 0xFF00u, 0xFFFFu, 0xFEFFu, 0u, 0xFFF1u}));
  case 1: // up to its segment's end, or one byte more
    set64(at + 8, end - 8);
    return set64(at + 16, 8 + fault_.below(2));
  case 2:
    set64(at + 16, 0);
    return set64(at + 8, fault_.pick({end, end + 1, load.address, load.address - 1}));
  case 3:
    return set64(at + 16, fault_.pick({~uint64_t{0}, uint64_t{1} << 63, uint64_t{4096}}));
  case 4: { // the first one, which is none, looks like another
    const size_t like = fault_.boolean() ? places_.symbols[places_.descriptor_symbol] : at;
    const size_t none = places_.symbols.front();
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(like), 24,
                bytes_.begin() + static_cast<ptrdiff_t>(none));
    return set64(none + 8, get<uint64_t>(none + 8) + fault_.pick({8, 1}));
  }
  default:
    return set64(at + 8, fault_.pick({~uint64_t{0}, uint64_t{1} << 63, ~uint64_t{4095}}));
  }
}

void Liar::relocation_place() {
  const Load& load = fault_.boolean() ? some_load() : places_.loads[draft_.segments - 1];
  const uint64_t end = load.address + load.bytes;
  set64(some_relocation(),
        fault_.pick({end - 8, end - 7, end - 1, end, load.address, load.address - 1,
                     load.address - 7, load.address - 8, places_.loads[0].address + 0x10,
                     ~uint64_t{0}, ~uint64_t{7}, uint64_t{1} << 63, load.address + load.in_file}));
}

void Liar::descriptor() {
  const size_t symbol = places_.symbols[places_.descriptor_symbol];
  const size_t name = places_.relocations.front() + 16; // addend of the name's address
  const uint64_t end = places_.data_address + places_.data_bytes;
  switch (fault_.below(7)) {
  case 0: // another name
    return set32(symbol, get<uint32_t>(symbol) + 1);
  case 1:
    return set(symbol + 4, static_cast<uint8_t>(fault_.pick({0x01, 0x21, 0xA1, 0x10})));
  case 2: // to the last byte of its segment, or one byte out
    set64(symbol + 16, 0);
    return set64(symbol + 8, end - 32 + fault_.below(2));
  case 3:
    return set64(places_.descriptor, fault_.pick({2, 0, 257}));
  case 4: // the text is open, of the longest kind, or empty
    return set64(name, fault_.pick({end - 1, end, places_.data_address - 1,
                                    get<uint64_t>(name) + draft_.name.size(), ~uint64_t{0}}));
  case 5: { // as long as it may be, or one character longer
    const size_t text = places_.descriptor + 32;
    const size_t size = 63 + below(2);
    for (size_t i = 0; i <= size; ++i) {
      set(text + i, static_cast<uint8_t>(i == size ? 0 : 'n'));
    }
    return;
  }
  default: { // an entry point: at the end of the text, or in something else
    const Load& load = some_load();
    const size_t which = below(2); // the first, or the last
    const size_t at =
        places_.relocations[std::min<size_t>(1 + which, places_.relocations.size() - 1)] + 16;
    set64(places_.descriptor + 16 + 8 * which, load.address);
    return set64(at, fault_.pick({load.address, load.address + load.bytes,
                                  load.address + load.bytes - 1, load.address - 1}));
  }
  }
}

void Liar::length() {
  const size_t size = bytes_.size();
  switch (fault_.below(4)) {
  case 0:
    return bytes_.resize(size - 1 - below(size - 1));
  case 2: // the header, or a byte beside that
    return bytes_.resize(fault_.pick({size_t{64}, size_t{63}, size_t{65}}));
  case 1:
    return bytes_.resize(size - 1);
  default:
    return bytes_.resize(size + 1 + below(64), 0xEE);
  }
}

void Liar::damage() {
  for (uint64_t n = fault_.between(1, 4); n != 0; --n) {
    // The headers and tables most of the time, in a short file all of it.
    const size_t at = below(std::min<size_t>(bytes_.size(), fault_.boolean() ? 1200 : 65536));
    set(at, fault_.boolean() ? static_cast<uint8_t>(get<uint8_t>(at) ^ (1u << fault_.below(8)))
                             : fault_.u8());
  }
}

void Liar::tell(ModuleLie lie) {
  const auto edge = [&] { return fault_.edge64(); };
  switch (lie) {
  case ModuleLie::kNone:
  case ModuleLie::kManySegments:
  case ModuleLie::kLongName:
  case ModuleLie::kKinds:
    return;
  case ModuleLie::kHeader:
    return header();
  case ModuleLie::kProgramTable:
    return program_table();
  case ModuleLie::kSegmentFile:
    return segment_file(some_load());
  case ModuleLie::kSegmentMemory:
    return segment_memory(some_load());
  case ModuleLie::kSegmentAlign: {
    const Load& load = some_load();
    if (fault_.boolean()) {
      return set64(load.at + 16, load.address + fault_.pick({1, 8, 2048, 4096}));
    }
    return set64(load.at + 48, fault_.pick({uint64_t{3}, uint64_t{4097}, uint64_t{1} << 22,
                                            uint64_t{1} << 63, ~uint64_t{0}, uint64_t{8192}}));
  }
  case ModuleLie::kSegmentRights:
    return set32(some_load().at + 4, fault_.pick({7u, 3u, 0u, 1u, 2u, 8u, 4u, 6u}));
  case ModuleLie::kSegmentOrder:
    return segment_order();
  case ModuleLie::kOtherHeader:
    return other_header();
  case ModuleLie::kDynamicHeader:
    return dynamic_header();
  case ModuleLie::kDynamicEntry:
    return dynamic_entry();
  case ModuleLie::kTablePlace:
    return table_place();
  case ModuleLie::kTableSize:
    return table_size();
  case ModuleLie::kEntrySize:
    return entry_size();
  case ModuleLie::kHash:
    return hash();
  case ModuleLie::kStrings:
    return strings();
  case ModuleLie::kSymbolName:
    if (places_.strings_bytes > 257 &&
        fault_.chance(3, 4)) { // as long as a name may be, and its end
      return set32(some_symbol(), places_.strings_bytes - fault_.pick({255, 256, 257}));
    }
    return set32(some_symbol(), places_.strings_bytes - fault_.pick({0, 1, 2}) +
                                    (fault_.boolean() ? 0x7FFFFFFFu : 0u));
  case ModuleLie::kSymbolKind:
    return symbol_kind();
  case ModuleLie::kSymbolPlace:
    return symbol_place();
  case ModuleLie::kRelocationType:
    return set32(some_relocation() + 8, fault_.pick({2u, 5u, 9u, 37u, 256u, 257u, 1u, 1024u, 1028u,
                                                     1027u, 8u, 6u, 1025u, 0u}));
  case ModuleLie::kRelocationSymbol:
    return set32(some_relocation() + 12,
                 fault_.pick({places_.symbols.size(), places_.symbols.size() - 1,
                              size_t{0xFFFFFFFF}, size_t{1}, size_t{0}}));
  case ModuleLie::kRelocationPlace:
    return relocation_place();
  case ModuleLie::kRelocationAddend:
    return set64(some_relocation() + 16, edge());
  case ModuleLie::kDescriptor:
    return descriptor();
  case ModuleLie::kLength:
    return length();
  case ModuleLie::kDamage:
    return damage();
  }
}

} // namespace

ModuleLie lie(sim::Tape& tape, const Draft& draft, const Places& places,
              std::vector<uint8_t>& bytes) {
  return Liar(tape, draft, places, bytes).tell();
}

} // namespace kiln::gen::module_draft
