#pragma once
// The kernel's own copy of what a module defines, for look-ups: whatever the module does to its
// memory later, or becomes of its file, names and addresses stay.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/boot/module_symbols.h"
#include "kernel-src/mm/heap.h"

namespace clay::elf {

/// An address in words: so far behind a symbol.
struct SymbolPlace {
  StringView name; ///< the index's own
  uint64_t offset;
};

class SymbolIndex {
 public:
  explicit SymbolIndex(Heap& heap) : heap_(heap) {}
  ~SymbolIndex() { heap_.free(entries_); }
  SymbolIndex(const SymbolIndex&) = delete;
  SymbolIndex& operator=(const SymbolIndex&) = delete;

  /// Once, with symbols that were checked. Whether there was memory.
  [[nodiscard]] bool fill(const Tables& tables, const Symbols& symbols, uint64_t bias);

  /// Where the first public symbol of that name lies; kNotFound. One by one: modules have few.
  Result<uint64_t> find(StringView name) const;
  /// The nearest symbol at or below an address; of several at one address the first. kNotFound.
  Result<SymbolPlace> nearest(uint64_t address) const;

 private:
  struct Entry {
    uint64_t address;
    uint32_t name; ///< offset in the strings
    bool is_public;
    bool is_place;
  };

  /// Ends with a NUL.
  StringView name_of(const Entry& entry) const { return StringView(strings_ + entry.name); }
  Span<const Entry> all() const { return {entries_, count_}; }

  Heap& heap_;
  Entry* entries_ = nullptr; ///< and behind them, in the same block, the strings
  size_t count_ = 0;
  char* strings_ = nullptr;
};

} // namespace clay::elf
