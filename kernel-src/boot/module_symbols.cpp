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
  const uint8_t info = entry[kInfoAt];
  return {load_le<uint32_t>(&entry[kNameAt]), load_le<uint64_t>(&entry[kValueAt]),
          load_le<uint64_t>(&entry[kSizeAt]), load_le<uint16_t>(&entry[kSectionAt]),
          static_cast<uint8_t>(info >> 4),    static_cast<uint8_t>(info & 0xF)};
}

/// Of one that is too long no more than tells so.
StringView Symbols::name_of(const Symbol& symbol) const {
  const StringView rest(tables_.strings.from(symbol.name));
  const StringView most =
      rest.first(rest.size() <= kSymbolNameMax ? rest.size() : kSymbolNameMax + 1);
  const size_t end = most.find('\0');
  return end == StringView::kNotFound ? most : most.first(end);
}

Refusal Symbols::check_name(const Symbol& symbol) const {
  if (symbol.name >= tables_.strings.size()) {
    return Refusal::kSymbolName;
  }
  return name_of(symbol).size() > kSymbolNameMax ? Refusal::kSymbolNameLong : Refusal::kNone;
}

Refusal Symbols::check_place(const Layout& layout, const Symbol& symbol) const {
  if (symbol.is_absolute()) {
    return Refusal::kNone;
  }
  const bool inside =
      symbol.section < kReserved && layout.segment_of(symbol.value, symbol.size) != nullptr;
  return inside ? Refusal::kNone : Refusal::kSymbolPlace;
}

Refusal Symbols::check(const Layout& layout, const Symbol& symbol) const {
  const Refusal name = check_name(symbol);
  if (name != Refusal::kNone) {
    return name;
  }
  if (symbol.type == kThreadLocalObject) {
    return Refusal::kThreadLocal;
  }
  if (!is_known_kind(symbol)) {
    return Refusal::kSymbolKind;
  }
  if (!symbol.is_import()) {
    return check_place(layout, symbol);
  }
  const bool resolved = symbol.binding == kWeak || exports_.find(name_of(symbol)) != nullptr;
  return resolved ? Refusal::kNone : Refusal::kUnresolved;
}

Refused Symbols::check(const Layout& layout) const {
  for (size_t i = 1; i < size(); ++i) {
    const Symbol symbol = (*this)[i];
    const Refusal refusal = check(layout, symbol);
    if (refusal != Refusal::kNone) {
      const bool named = refusal == Refusal::kUnresolved;
      return {refusal, layout.place_of(tables_.symbols[i]), named ? name_of(symbol) : StringView()};
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
    const Export* const found = exports_.find(name_of(symbol));
    return found != nullptr ? found->address : 0;
  }
  return symbol.is_absolute() ? symbol.value : wrapping_add(symbol.value, bias);
}

size_t Symbols::find(StringView name) const {
  for (size_t i = 1; i < size(); ++i) {
    const Symbol symbol = (*this)[i];
    if (symbol.is_public() && name_of(symbol) == name) {
      return i;
    }
  }
  return 0;
}

} // namespace clay::elf
