#include "worlds/firmware/module_file.h"

#include <algorithm>
#include <optional>

#include "worlds/firmware/numbers.h"

namespace kiln::worlds {
namespace {

using Wide = unsigned __int128;
using Fault = ModuleFault;

/// A part of the file.
struct Stretch {
  uint64_t begin = 0;
  uint64_t size = 0;
};

class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, const ModuleRules& rules, const ModuleExports& exports)
      : bytes_(bytes), rules_(rules), exports_(exports) {}

  ModuleFile read() {
    void (Reader::* const stages[])() = {
        &Reader::header, &Reader::program_headers, &Reader::parts,   &Reader::dynamic_section,
        &Reader::tables, &Reader::symbols,         &Reader::entries, &Reader::descriptor};
    for (const auto stage : stages) {
      (this->*stage)();
      if (!file_.faults.empty()) {
        break;
      }
    }
    return std::move(file_);
  }

 private:
  struct Program {
    uint64_t at;
    uint64_t offset;
    uint64_t address;
    uint64_t in_file;
    uint64_t bytes;
  };

  /// Of `size` bytes of the file at `at`, which are there.
  uint64_t number(uint64_t at, size_t size) const {
    return worlds::number(bytes_, static_cast<size_t>(at), size);
  }
  void fault(bool wrong, Fault what, uint64_t at = 0) {
    if (wrong) file_.faults.insert({what, at});
  }
  /// Where the file has what is loaded at an address, up to the end of its segment's part.
  std::optional<Stretch> loaded(uint64_t address) const {
    for (const ModuleFile::Segment& s : file_.segments) {
      const Wide end = Wide{s.address} + s.in_file;
      if (address >= s.address && address < end) {
        return Stretch{s.offset + (address - s.address), static_cast<uint64_t>(end - address)};
      }
    }
    return std::nullopt;
  }
  std::optional<Stretch> loaded(uint64_t address, Wide size) const {
    const std::optional<Stretch> all = loaded(address);
    if (!all || size > all->size) return std::nullopt;
    return Stretch{all->begin, static_cast<uint64_t>(size)};
  }

  void header();
  void program_headers();
  void load_header(uint64_t at);
  void parts();
  void dynamic_section();
  void tables();
  void string_table();
  void symbol_table();
  std::optional<uint64_t> symbol_count();
  std::optional<uint64_t> gnu_symbol_count(Stretch table) const;
  void relocation_tables();
  void relocation_table(uint64_t place, uint64_t size);
  void symbols();
  void symbol(const ModuleFile::Symbol& symbol, bool named);
  void entries();
  void entry(uint64_t at);
  void descriptor();

  bool has(uint64_t tag) const { return tags_.contains(tag); }
  uint64_t value_of(uint64_t tag) const { return tags_.at(tag).second; }
  uint64_t place_of(uint64_t tag) const { return tags_.at(tag).first; }

  std::span<const uint8_t> bytes_;
  const ModuleRules& rules_;
  const ModuleExports& exports_;
  ModuleFile file_;
  std::vector<Program> dynamics_;
  std::vector<Program> relros_;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> tags_; ///< place in the file, value
  Stretch strings_;
  Stretch symbols_;
  std::vector<Stretch> relocations_;
};

// --- Headers

void Reader::header() {
  if (bytes_.size() < 64) {
    return fault(true, Fault::kTooShort);
  }
  fault(number(0, 4) != 0x464C457F, Fault::kNoMagic);
  fault(number(4, 1) != 2, Fault::kNot64Bit);
  fault(number(5, 1) != 1, Fault::kNotLittleEndian);
  fault(number(6, 1) != 1 || number(20, 4) != 1, Fault::kNotVersion1);
  fault(number(7, 1) != 0 && number(7, 1) != 3, Fault::kOtherSystem);
  fault(number(16, 2) != 3, Fault::kNotShared);
  fault(number(18, 2) != rules_.machine, Fault::kOtherMachine);
  fault(number(52, 2) < 64 || number(54, 2) < 56, Fault::kSmallHeader);
  const uint64_t count = number(56, 2);
  const Wide end = Wide{number(32, 8)} + count * number(54, 2);
  fault(count == 0 || count == 65535 || end > bytes_.size(), Fault::kHeadersOutside);
}

void Reader::program_headers() {
  file_.program_stride = static_cast<size_t>(number(54, 2));
  const uint64_t count = number(56, 2);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = number(32, 8) + i * file_.program_stride;
    const Program program{at, number(at + 8, 8), number(at + 16, 8), number(at + 32, 8),
                          number(at + 40, 8)};
    switch (number(at, 4)) {
    case 1:
      load_header(at);
      break;
    case 2:
      fault(!dynamics_.empty(), Fault::kBadDynamic, at);
      dynamics_.push_back(program);
      break;
    case 7:
      fault(true, Fault::kTls, at);
      break;
    case 0x6474E552:
      fault(!relros_.empty(), Fault::kBadRelro, at);
      relros_.push_back(program);
      break;
    default:
      break;
    }
  }
}

void Reader::load_header(uint64_t at) {
  const uint64_t flags = number(at + 4, 4);
  const uint64_t align = number(at + 48, 8);
  const ModuleFile::Segment s{number(at + 16, 8), number(at + 40, 8), number(at + 8, 8),
                              number(at + 32, 8), (flags & 2) != 0,   (flags & 1) != 0};
  fault(Wide{s.offset} + s.in_file > bytes_.size(), Fault::kOutsideFile, at);
  fault(s.in_file > s.bytes, Fault::kMoreInFile, at);
  fault(Wide{s.address} + s.bytes > Wide{1} << 64, Fault::kWraps, at);
  fault(__builtin_popcountll(align) > 1 || align > rules_.most_align, Fault::kBadAlign, at);
  // Modulo a power of two, the difference tells; to the page at least.
  const uint64_t unlike = s.address ^ s.offset;
  fault((unlike & 4095) != 0 || (align != 0 && (unlike & (align - 1)) != 0), Fault::kNotCongruent,
        at);
  fault(s.write && s.execute, Fault::kWriteAndExecute, at);
  fault((flags & 7) == 0, Fault::kNoAccess, at);
  if (s.bytes == 0) {
    return;
  }
  fault(file_.segments.size() >= rules_.most_segments, Fault::kTooMany, at);
  if (!file_.segments.empty()) {
    const ModuleFile::Segment& before = file_.segments.back();
    const auto last_page = [](const ModuleFile::Segment& of) {
      return static_cast<uint64_t>((Wide{of.address} + of.bytes - 1) >> 12);
    };
    fault(s.address < before.address, Fault::kUnsorted, at);
    fault((s.address >> 12) <= last_page(before) && (before.address >> 12) <= last_page(s),
          Fault::kPageShared, at);
  }
  file_.segments.push_back(s);
  file_.align = std::max(file_.align, align);
}

void Reader::parts() {
  fault(file_.segments.empty(), Fault::kEmpty);
  fault(dynamics_.empty(), Fault::kBadDynamic);
  if (relros_.empty()) {
    return;
  }
  const Program& relro = relros_.front();
  const ModuleFile::Segment* const s = file_.segment_of(relro.address, 1);
  bool sound = s != nullptr && s->write;
  if (sound) {
    const Wide page_end = (Wide{s->address} + s->bytes + 4095) & ~Wide{4095};
    sound = Wide{relro.address} + relro.bytes <= page_end;
  }
  fault(!sound, Fault::kBadRelro, relro.at);
  file_.has_relro = true;
  file_.relro_address = relro.address;
  file_.relro_bytes = relro.bytes;
}

// --- The dynamic section

constexpr uint64_t kUsedTags[] = {2, 4, 5, 6, 7, 8, 9, 10, 11, 20, 23, 0x6FFFFEF5};

void Reader::dynamic_section() {
  const Program& dynamic = dynamics_.front();
  const std::optional<Stretch> place = loaded(dynamic.address, dynamic.in_file);
  if (!place || place->begin != dynamic.offset) {
    return fault(true, Fault::kBadDynamic, dynamic.at);
  }
  for (uint64_t at = place->begin; at + 16 <= place->begin + place->size; at += 16) {
    const uint64_t tag = number(at, 8);
    const uint64_t value = number(at + 8, 8);
    if (tag == 0) {
      return;
    }
    fault(tag == 1, Fault::kNeedsOther, at);
    fault(tag == 12 || tag == 13 || tag == 25 || tag == 26 || tag == 32, Fault::kHasInitialisers,
          at);
    fault(tag == 17 || tag == 36, Fault::kOtherForm, at);
    fault(tag == 22 || (tag == 30 && (value & 4) != 0), Fault::kTextRelocations, at);
    if (std::find(std::begin(kUsedTags), std::end(kUsedTags), tag) != std::end(kUsedTags)) {
      const bool first = tags_.insert({tag, {at, value}}).second;
      fault(!first, Fault::kTagTwice, at);
    }
  }
  fault(true, Fault::kOpenDynamic, place->begin);
}

// --- Tables

void Reader::tables() {
  const uint64_t at = dynamics_.front().offset;
  const bool rela = has(7) || has(8) || has(9);
  const bool plt = has(2) || has(20) || has(23);
  fault(!has(5) || !has(10) || !has(6) || !has(11) || (!has(4) && !has(0x6FFFFEF5)),
        Fault::kTagMissing, at);
  fault(rela && !(has(7) && has(8) && has(9)), Fault::kTagMissing, at);
  fault(plt && !(has(2) && has(20) && has(23)), Fault::kTagMissing, at);
  if (has(5) && has(10)) {
    string_table();
  }
  if (has(6) && has(11) && (has(4) || has(0x6FFFFEF5))) {
    symbol_table();
  }
  relocation_tables();
}

void Reader::string_table() {
  const std::optional<Stretch> place = loaded(value_of(5), value_of(10));
  const bool sound = place && place->size != 0 && number(place->begin, 1) == 0 &&
                     number(place->begin + place->size - 1, 1) == 0;
  fault(!sound, Fault::kBadStrings, place_of(5));
  strings_ = sound ? *place : Stretch{};
}

std::optional<uint64_t> Reader::gnu_symbol_count(Stretch table) const {
  if (table.size < 16) {
    return std::nullopt;
  }
  const uint64_t buckets = number(table.begin, 4);
  const uint64_t first = number(table.begin + 4, 4);
  const uint64_t heads = 16 + 8 * number(table.begin + 8, 4);
  if (heads + 4 * buckets > table.size) {
    return std::nullopt;
  }
  std::set<uint64_t> chains;
  for (uint64_t i = 0; i < buckets; ++i) {
    chains.insert(number(table.begin + heads + 4 * i, 4));
  }
  chains.erase(0);
  if (chains.empty()) {
    return first;
  }
  uint64_t symbol = *chains.rbegin();
  if (symbol < first) {
    return std::nullopt;
  }
  for (uint64_t at = heads + 4 * buckets + 4 * (symbol - first); at + 4 <= table.size; at += 4) {
    ++symbol;
    if (number(table.begin + at, 1) % 2 == 1) {
      return symbol;
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> Reader::symbol_count() {
  file_.by_gnu_hash = !has(4);
  const std::optional<Stretch> table = loaded(value_of(has(4) ? 4 : 0x6FFFFEF5));
  if (!table) {
    return std::nullopt;
  }
  if (!has(4)) {
    return gnu_symbol_count(*table);
  }
  if (table->size < 8) {
    return std::nullopt;
  }
  const uint64_t buckets = number(table->begin, 4);
  const uint64_t chains = number(table->begin + 4, 4);
  return 8 + 4 * (buckets + chains) <= table->size ? std::optional(chains) : std::nullopt;
}

void Reader::symbol_table() {
  const std::optional<uint64_t> count = symbol_count();
  fault(!count, Fault::kBadHash, place_of(has(4) ? 4 : 0x6FFFFEF5));
  fault(value_of(11) < 24, Fault::kSmallEntry, place_of(11));
  if (!count || value_of(11) < 24) {
    return;
  }
  const std::optional<Stretch> place = loaded(value_of(6), Wide{*count} * value_of(11));
  fault(!place, Fault::kBadSymbols, place_of(6));
  symbols_ = place.value_or(Stretch{});
  file_.symbol_stride = static_cast<size_t>(value_of(11));
}

void Reader::relocation_table(uint64_t place, uint64_t size) {
  if (!has(place) || !has(size) || file_.relocation_stride < 24) {
    return;
  }
  fault(value_of(size) % file_.relocation_stride != 0, Fault::kSmallEntry, place_of(size));
  const std::optional<Stretch> stretch = loaded(value_of(place), value_of(size));
  fault(!stretch, Fault::kBadRelocations, place_of(place));
  relocations_.push_back(stretch.value_or(Stretch{}));
}

void Reader::relocation_tables() {
  file_.relocation_stride = static_cast<size_t>(has(9) ? value_of(9) : 24);
  fault(has(9) && value_of(9) < 24, Fault::kSmallEntry, has(9) ? place_of(9) : 0);
  fault(has(20) && value_of(20) != 7, Fault::kOtherForm, has(20) ? place_of(20) : 0);
  relocation_table(7, 8);
  relocation_table(23, 2);
}

// --- Symbols

void Reader::symbols() {
  for (uint64_t n = 0; (n + 1) * file_.symbol_stride <= symbols_.size; ++n) {
    const uint64_t at = symbols_.begin + n * file_.symbol_stride;
    ModuleFile::Symbol s;
    s.at = at;
    s.value = number(at + 8, 8);
    s.size = number(at + 16, 8);
    s.section = static_cast<uint16_t>(number(at + 6, 2));
    s.binding = static_cast<uint8_t>(number(at + 4, 1) / 16);
    s.type = static_cast<uint8_t>(number(at + 4, 1) % 16);
    const uint64_t name = number(at, 4);
    for (uint64_t i = name; i < strings_.size && s.name.size() <= rules_.longest_symbol; ++i) {
      const uint64_t character = number(strings_.begin + i, 1);
      if (character == 0) {
        break;
      }
      s.name += static_cast<char>(character);
    }
    if (n != 0) {
      symbol(s, name < strings_.size);
    }
    file_.symbols.push_back(std::move(s));
  }
}

void Reader::symbol(const ModuleFile::Symbol& s, bool named) {
  const bool import = s.section == 0;
  fault(!named, Fault::kNameOutside, s.at);
  fault(s.name.size() > rules_.longest_symbol, Fault::kNameTooLong, s.at);
  fault(s.type == 6, Fault::kTls, s.at);
  fault(s.type == 5 || s.type > 6, Fault::kBadKind, s.at);
  fault((s.binding > 2 && s.binding != 10) || (s.binding == 0 && import), Fault::kBadKind, s.at);
  fault(import && named && s.binding != 2 && !exports_.contains(s.name), Fault::kUnresolved, s.at);
  const bool absolute = s.section == 0xFFF1;
  const bool place = !import && !absolute;
  fault(place && (s.section >= 0xFF00 || file_.segment_of(s.value, s.size) == nullptr),
        Fault::kSymbolOutside, s.at);
}

// --- Relocations

enum class Kind : uint8_t { kNothing, kSymbol, kRelative, kUnknown };

Kind kind_of(uint16_t machine, uint32_t type) {
  const bool amd = machine == 62;
  if (type == 0 || (!amd && type == 256)) {
    return Kind::kNothing;
  }
  if (type == (amd ? 8 : 1027)) {
    return Kind::kRelative;
  }
  const uint32_t word = amd ? 1 : 257;
  const uint32_t table = amd ? 6 : 1025; // and behind it the one of procedures
  return type == word || type == table || type == table + 1 ? Kind::kSymbol : Kind::kUnknown;
}

void Reader::entry(uint64_t at) {
  const ModuleFile::Relocation r{number(at, 8), static_cast<uint32_t>(number(at + 8, 4)),
                                 static_cast<uint32_t>(number(at + 12, 4)), number(at + 16, 8)};
  const Kind kind = kind_of(rules_.machine, r.type);
  fault(kind == Kind::kUnknown, Fault::kUnknownType, at);
  if (kind == Kind::kNothing || kind == Kind::kUnknown) {
    return;
  }
  const bool there = r.symbol == 0 || r.symbol < file_.symbols.size();
  fault(!there || (kind == Kind::kRelative && r.symbol != 0), Fault::kNoSuchSymbol, at);
  const ModuleFile::Segment* const s = file_.segment_of(r.place, 8);
  fault(s == nullptr, Fault::kPlaceOutside, at);
  fault(s != nullptr && !s->write, Fault::kPlaceReadOnly, at);
  file_.relocations.push_back(r);
}

void Reader::entries() {
  for (const Stretch& table : relocations_) {
    for (uint64_t at = 0; at < table.size; at += file_.relocation_stride) {
      entry(table.begin + at);
    }
  }
}

void Reader::descriptor() {
  for (size_t i = 1; i < file_.symbols.size(); ++i) {
    const ModuleFile::Symbol& s = file_.symbols[i];
    if (s.name == "clay_module" && s.section != 0 && s.binding != 0) {
      fault(s.section == 0xFFF1 || file_.segment_of(s.value, 32) == nullptr, Fault::kBadDescriptor,
            s.at);
      file_.descriptor = i;
      return;
    }
  }
  fault(true, Fault::kNoDescriptor);
}

} // namespace

const ModuleFile::Segment* ModuleFile::segment_of(uint64_t address, uint64_t size) const {
  for (const Segment& s : segments) {
    if (s.address <= address && Wide{address} + size <= Wide{s.address} + s.bytes) {
      return &s;
    }
  }
  return nullptr;
}

ModuleFile read_module(std::span<const uint8_t> bytes, const ModuleRules& rules,
                       const ModuleExports& exports) {
  return Reader(bytes, rules, exports).read();
}

} // namespace kiln::worlds
