#include "kernel-src/boot/module_index.h"

#include <new>

#include "kernel-src/hal/bytes.h"

namespace clay::elf {

bool SymbolIndex::fill(const Tables& tables, const Symbols& symbols, uint64_t bias) {
  const size_t room = symbols.size() * sizeof(Entry);
  auto* const block = static_cast<uint8_t*>(heap_.allocate(room + tables.strings.size()));
  if (block == nullptr) {
    return false;
  }
  entries_ = reinterpret_cast<Entry*>(block);
  strings_ = reinterpret_cast<char*>(block + room);
  memcpy(strings_, tables.strings.data(), tables.strings.size());
  for (size_t i = 1; i < symbols.size(); ++i) {
    const Symbol symbol = symbols[i];
    if (!symbol.is_import()) {
      const bool is_place = symbol.is_place() && !symbols.name_of(symbol).empty();
      new (&entries_[count_++])
          Entry{symbols.value(i, bias), symbol.name, symbol.is_public(), is_place};
    }
  }
  return true;
}

Result<uint64_t> SymbolIndex::find(StringView name) const {
  for (const Entry& entry : all()) {
    if (entry.is_public && name_of(entry) == name) {
      return entry.address;
    }
  }
  return Error::kNotFound;
}

Result<SymbolPlace> SymbolIndex::nearest(uint64_t address) const {
  const Entry* best = nullptr;
  for (const Entry& entry : all()) {
    const bool below = entry.is_place && entry.address <= address;
    if (below && (best == nullptr || entry.address > best->address)) {
      best = &entry;
    }
  }
  if (best == nullptr) {
    return Error::kNotFound;
  }
  return SymbolPlace{name_of(*best), address - best->address};
}

} // namespace clay::elf
