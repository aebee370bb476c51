// What a sound module is like.

#include "generators/module/draft.h"

namespace kiln::gen::module_draft {
namespace {

constexpr uint8_t kLocal = 0x00;
constexpr uint8_t kGlobal = 0x10;
constexpr uint8_t kWeak = 0x20;
constexpr uint8_t kUnique = 0xA0;
constexpr uint8_t kObject = 1;
constexpr uint8_t kFunction = 2;
constexpr uint8_t kSection = 3;
constexpr uint8_t kFile = 4;

class Drawer {
 public:
  Drawer(sim::Tape& tape, const ModuleWish& wish) : tape_(tape), data_(tape.data()), wish_(wish) {}

  Draft draw() {
    draft_.machine = wish_.machine;
    draft_.abi = data_.chance(1, 8) ? 3 : 0;
    draft_.name = wish_.name;
    shape();
    contents();
    symbols();
    relocations();
    return std::move(draft_);
  }

 private:
  size_t below(uint64_t n) { return static_cast<size_t>(data_.below(n)); }

  void shape() {
    const sim::Span span(tape_, "shape");
    draft_.segments = static_cast<unsigned>(1 + data_.weighted({2, 2, 6, 4}));
    if (data_.chance(1, 24)) {
      draft_.extra = static_cast<unsigned>(data_.pick({1u, 2u, 12u, 13u, 14u, 15u, 16u}));
    }
    draft_.program_stride = data_.pick({56, 56, 56, 64, 57});
    draft_.symbol_stride = data_.pick({24, 24, 24, 24, 32, 25});
    draft_.relocation_stride = data_.pick({24, 24, 24, 24, 32, 25});
    const size_t hash = data_.weighted({3, 3, 2});
    draft_.sysv_hash = hash != 1;
    draft_.gnu_hash = hash != 0;
    draft_.buckets = static_cast<uint32_t>(data_.between(1, 4));
    draft_.align = data_.pick({4096, 4096, 4096, 4096, 0, 1, 16, 8192, 0x10000, 0x200000});
    draft_.base = data_.pick({uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0},
                              uint64_t{0x400000}, uint64_t{0x7FFFF000}, 0xFFFFFFFF80000000});
    draft_.at_top = data_.chance(1, 32);
    draft_.padded = data_.chance(1, 4) && draft_.align <= 8192; // files stay small
    draft_.relro = data_.boolean();
    draft_.headers_outside = data_.chance(1, 8);
    draft_.stack = data_.boolean();
    draft_.rotate = static_cast<unsigned>(data_.below(16));
  }

  void contents() {
    const sim::Span span(tape_, "contents");
    // The sizes that matter lie around the end of a page.
    const auto bytes = [&] {
      static constexpr uint16_t kSizes[] = {64, 16, 200, 3000, 4096, 4097, 9000};
      return static_cast<size_t>(kSizes[data_.weighted({8, 2, 6, 2, 1, 1, 1})]);
    };
    draft_.text.resize(bytes());
    draft_.data.resize(bytes());
    data_.noise(draft_.text);
    data_.noise(draft_.data);
    draft_.zeros = data_.pick({uint64_t{0}, uint64_t{8}, uint64_t{100}, uint64_t{2000},
                               uint64_t{4096}, uint64_t{6000}, uint64_t{1}});
    if (data_.chance(1, 48)) { // more than there is, of pages, of addresses, of pages in a row
      draft_.zeros = data_.pick({uint64_t{300'000}, uint64_t{1} << 40, uint64_t{100} << 20});
      draft_.base = 0;
    }
  }

  // --- Symbols

  bool has_text() const { return draft_.segments >= 3; }

  /// A name that the kernel has not.
  std::string fresh_name() {
    static constexpr const char* kNames[] = {"step", "table",      "x",      "module_state",
                                             "",     "clay_modul", "kprintf"};
    const size_t at = below(7);
    return kNames[at] + (at == 4 && data_.boolean() ? "" : std::to_string(draft_.symbols.size()));
  }

  void import() {
    Symbol symbol;
    const bool known = !data_.chance(1, 4) && !wish_.exports.empty();
    symbol.info = static_cast<uint8_t>((known && !data_.chance(1, 4) ? kGlobal : kWeak) +
                                       (data_.boolean() ? kFunction : 0));
    symbol.name = known ? wish_.exports[below(wish_.exports.size())] : fresh_name();
    if (data_.chance(1, 16)) { // what a module looks for may be called as what it has
      symbol = {"clay_module", kWeak, Where::kNowhere, 0, 0};
    }
    draft_.symbols.push_back(symbol);
  }

  void definition(uint8_t binding) {
    Symbol symbol;
    symbol.name = fresh_name();
    symbol.where = has_text() && data_.boolean() ? Where::kText : Where::kData;
    uint8_t type = symbol.where == Where::kText ? kFunction : kObject;
    const size_t room = symbol.where == Where::kText ? draft_.text.size() : draft_.data.size();
    symbol.offset = below(room);
    symbol.size = data_.boolean() ? room - symbol.offset : 0;
    switch (data_.weighted({20, 1, 1, 1})) {
    case 1:
      symbol.where = Where::kDataEnd; // as linkers' marks of where something ends
      symbol.offset = symbol.size = 0;
      break;
    case 2:
      symbol.where = Where::kAbsolute;
      symbol.offset = data_.edge64();
      break;
    case 3:
      type = data_.boolean() ? kSection : kFile;
      break;
    default:
      break;
    }
    symbol.info = static_cast<uint8_t>(binding + type);
    draft_.symbols.push_back(symbol);
  }

  /// As long as a name may be, or one character longer, or much longer.
  void long_name() {
    definition(kGlobal);
    const size_t size = data_.pick({size_t{256}, size_t{255}, size_t{255}, size_t{600}});
    draft_.symbols.back().name.assign(size, 'n');
    draft_.long_name = size > 255;
  }

  static uint32_t gnu_hash(const std::string& name) {
    uint32_t hash = 5381;
    for (const char c : name) {
      hash = hash * 33 + static_cast<uint8_t>(c);
    }
    return hash;
  }

  void symbols() {
    const sim::Span span(tape_, "symbols");
    draft_.symbols.emplace_back();
    for (size_t n = below(2); n != 0; --n) {
      definition(kLocal);
    }
    for (size_t n = below(5); n != 0; --n) {
      import();
    }
    draft_.first_hashed = draft_.symbols.size();
    draft_.symbols.push_back(
        {"clay_module", static_cast<uint8_t>(kGlobal + kObject), Where::kDescriptor, 0, 32});
    for (size_t n = below(5); n != 0; --n) {
      definition(data_.pick({kGlobal, kGlobal, kWeak, kUnique}));
    }
    if (data_.chance(1, 12)) {
      long_name();
    }
    if (draft_.gnu_hash) {
      sort_by_bucket();
    }
  }

  /// A chain of the GNU tools' hash table is a run of the symbol table.
  void sort_by_bucket() {
    const auto first = draft_.symbols.begin() + static_cast<ptrdiff_t>(draft_.first_hashed);
    const std::vector<Symbol> hashed(first, draft_.symbols.end());
    draft_.symbols.erase(first, draft_.symbols.end());
    for (uint32_t bucket = 0; bucket < draft_.buckets; ++bucket) {
      for (const Symbol& symbol : hashed) {
        if (gnu_hash(symbol.name) % draft_.buckets == bucket) {
          draft_.symbols.push_back(symbol);
        }
      }
    }
  }

  // --- Relocations

  void relative(Place place, Where target, uint64_t offset) {
    draft_.relocations.push_back({Form::kRelative, place, 0, 0, target, offset, false});
  }

  void against(size_t symbol) {
    Relocation relocation;
    relocation.symbol = symbol;
    relocation.of_plt = data_.boolean();
    relocation.form = relocation.of_plt ? Form::kJumpSlot : Form::kGlobDat;
    relocation.offset = draft_.table_words++;
    // Linkers put 0 here; what another number does the supplements do not agree on.
    relocation.addend = data_.chance(1, 4) ? data_.edge64() : 0;
    draft_.relocations.push_back(relocation);
  }

  void word() {
    Relocation relocation;
    relocation.form = data_.pick({Form::kWord, Form::kWord, Form::kRelative, Form::kNothing});
    relocation.place = data_.pick({Place::kData, Place::kData, Place::kLastWord, Place::kPageEdge});
    relocation.offset = below(draft_.data.size() - 7);
    relocation.symbol = relocation.form == Form::kWord ? below(draft_.symbols.size()) : 0;
    relocation.addend = data_.boolean() ? data_.edge64() : data_.below(64);
    draft_.relocations.push_back(relocation);
  }

  void relocations() {
    const sim::Span span(tape_, "relocations");
    relative(Place::kName, Where::kNowhere, 0); // the writer knows where the name is
    if (has_text()) {
      relative(Place::kInit, Where::kText, below(draft_.text.size()));
      if (data_.boolean()) {
        relative(Place::kExit, Where::kText, draft_.text.size() - 1);
      }
    }
    for (size_t i = 1; i < draft_.symbols.size(); ++i) {
      if (draft_.symbols[i].where == Where::kNowhere && !data_.chance(1, 4)) {
        against(i);
      }
    }
    for (size_t n = below(6); n != 0; --n) {
      word();
    }
    if (data_.chance(
            1, 12)) { // all in the second table; the first one, which has the size, is not there
      draft_.relocation_stride = 24;
      for (Relocation& relocation : draft_.relocations) {
        relocation.of_plt = true;
      }
    }
  }

  sim::Tape& tape_;
  sim::Tape::View data_;
  const ModuleWish& wish_;
  Draft draft_;
};

} // namespace

Draft draw(sim::Tape& tape, const ModuleWish& wish) { return Drawer(tape, wish).draw(); }

} // namespace kiln::gen::module_draft
