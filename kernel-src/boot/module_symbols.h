#pragma once
// The symbols of a module: those that it defines, and those that it wants of the kernel.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/boot/module_dynamic.h"
#include "kernel-src/lib/string_view.h"

namespace clay::elf {

/// Something of the kernel's that modules may use.
struct Export {
  StringView name;
  uint64_t address;
};

/// What the kernel offers: sorted by name (as bytes), each name once; anything else panics.
class Exports {
 public:
  explicit Exports(Span<const Export> sorted);
  /// Null when there is none of that name.
  const Export* find(StringView name) const;

 private:
  Span<const Export> all_;
};

/// A symbol's name has at most so many characters: what one symbol costs is bounded, however many
/// share a text.
inline constexpr size_t kSymbolNameMax = 255;

/// A symbol as it stands in the table.
struct Symbol {
  uint32_t name = 0;  ///< where it begins in the strings; Symbols::name_of() reads it
  uint64_t value = 0; ///< an address as the file has them, unless it is absolute
  uint64_t size = 0;
  uint16_t section = 0;
  uint8_t binding = 0;
  uint8_t type = 0;

  bool is_import() const { return section == kUndefined; }
  bool is_absolute() const { return section == kAbsolute; }
  /// Whether others may look it up.
  bool is_public() const { return !is_import() && binding != kLocal; }
  /// Of one that is no import: whether it stands for a place in the module, which its name, if it
  /// has any, is for.
  bool is_place() const { return !is_absolute() && type != kSection && type != kFile; }
};

class Symbols {
 public:
  Symbols(const Tables& tables, const Exports& exports) : tables_(tables), exports_(exports) {}

  /// Every symbol: named, of a known kind, within the segments; every import found.
  Refused check(const Layout& layout) const;

  // --- Once they are checked

  size_t size() const { return tables_.symbols.size(); }
  /// The first one, which stands for none, is not asked for.
  Symbol operator[](size_t index) const;
  StringView name_of(const Symbol& symbol) const;
  /// What a relocation against the symbol puts in, when the module lies `bias` above where the
  /// file has it. Symbol 0, and an import that may be missing and is, are 0.
  uint64_t value(size_t index, uint64_t bias) const;
  /// The first public one of that name, as an index; 0 when there is none.
  size_t find(StringView name) const;

 private:
  Refusal check_name(const Symbol& symbol) const;
  Refusal check(const Layout& layout, const Symbol& symbol) const;
  Refusal check_place(const Layout& layout, const Symbol& symbol) const;

  const Tables& tables_;
  const Exports& exports_;
};

} // namespace clay::elf
