#include "kernel-src/boot/module_symbols.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::elf {
namespace {

/// Below, at or above 0, as `a` stands before, at or behind `b`.
int compare(StringView a, StringView b) {
  const size_t common = a.size() < b.size() ? a.size() : b.size();
  const int difference = memcmp(a.data(), b.data(), common);
  if (difference != 0) {
    return difference;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

uint32_t name_offset(Bytes symbol) { return load_le<uint32_t>(&symbol[kNameAt]); }

bool is_known_kind(const Symbol& symbol) {
  const bool binding = symbol.binding == kGlobal || symbol.binding == kWeak ||
                       symbol.binding == kGnuUnique ||
                       (symbol.binding == kLocal && !symbol.is_import());
  return binding && symbol.type <= kFile;
}

} // namespace

// --- The kernel's

Exports::Exports(Span<const Export> sorted) : all_(sorted) {
  for (size_t i = 1; i < all_.size(); ++i) {
    CLAY_ASSERT(compare(all_[i - 1].name, all_[i].name) < 0);
  }
}

const Export* Exports::find(StringView name) const {
  size_t first = 0;
  size_t last = all_.size();
  while (first < last) {
    const size_t middle = first + (last - first) / 2;
    const int order = compare(all_[middle].name, name);
    if (order == 0) {
      return &all_[middle];
    }
    if (order < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return nullptr;
}

// --- The module's

Symbol Symbols::operator[](size_t index) const {
  const Bytes entry = tables_.symbols[index];
  const StringView rest(tables_.strings.from(name_offset(entry)));
  const uint8_t info = entry[kInfoAt];
  return {rest.first(rest.find('\0')),        load_le<uint64_t>(&entry[kValueAt]),
          load_le<uint64_t>(&entry[kSizeAt]), load_le<uint16_t>(&entry[kSectionAt]),
          static_cast<uint8_t>(info >> 4),    static_cast<uint8_t>(info & 0xF)};
}

Refusal Symbols::check_place(const Layout& layout, const Symbol& symbol) const {
  if (symbol.is_absolute()) {
    return Refusal::kNone;
  }
  const bool inside =
      symbol.section < kReserved && layout.segment_of(symbol.value, symbol.size) != nullptr;
  return inside ? Refusal::kNone : Refusal::kSymbolPlace;
}

Refusal Symbols::check(const Layout& layout, size_t index) const {
  if (name_offset(tables_.symbols[index]) >= tables_.strings.size()) {
    return Refusal::kSymbolName;
  }
  const Symbol symbol = (*this)[index];
  if (symbol.type == kThreadLocalObject) {
    return Refusal::kThreadLocal;
  }
  if (!is_known_kind(symbol)) {
    return Refusal::kSymbolKind;
  }
  if (!symbol.is_import()) {
    return check_place(layout, symbol);
  }
  const bool resolved = symbol.binding == kWeak || exports_.find(symbol.name) != nullptr;
  return resolved ? Refusal::kNone : Refusal::kUnresolved;
}

Refused Symbols::check(const Layout& layout) const {
  for (size_t i = 1; i < size(); ++i) {
    const Refusal refusal = check(layout, i);
    if (refusal != Refusal::kNone) {
      const bool named = refusal == Refusal::kUnresolved;
      return {refusal, layout.place_of(tables_.symbols[i]), named ? (*this)[i].name : StringView()};
    }
  }
  return {};
}

uint64_t Symbols::value(size_t index, uint64_t bias) const {
  if (index == 0) {
    return 0;
  }
  const Symbol symbol = (*this)[index];
  if (symbol.is_import()) {
    const Export* const found = exports_.find(symbol.name);
    return found != nullptr ? found->address : 0;
  }
  return symbol.is_absolute() ? symbol.value : wrapping_add(symbol.value, bias);
}

size_t Symbols::find(StringView name) const {
  for (size_t i = 1; i < size(); ++i) {
    const Symbol symbol = (*this)[i];
    if (symbol.is_public() && symbol.name == name) {
      return i;
    }
  }
  return 0;
}

} // namespace clay::elf
