#pragma once
// An entry of a page table of an x86-64 CPU, 4-level paging (Intel SDM volume 3A, 4.5), and the
// arithmetic of levels: 4 is the top, tables of level 1 map pages of 4 KiB.

#include <stdint.h>

#include "kernel-src/mm/page_frame.h"

namespace clay {

inline constexpr unsigned kTopLevel = 4;
/// Entries of these levels and below may map a page themselves: 1 GiB, 2 MiB, 4 KiB.
inline constexpr unsigned kLargestLeafLevel = 3;
inline constexpr unsigned kEntriesPerTable = 512;

/// Bytes that one entry of a level translates.
constexpr uint64_t span_of(unsigned level) { return uint64_t{kPageBytes} << (9 * (level - 1)); }

/// Index of the entry that translates `address`.
constexpr unsigned index_at(unsigned level, uint64_t address) {
  return static_cast<unsigned>(address / span_of(level) % kEntriesPerTable);
}

/// What may be done with a page besides reading it. Never both written and executed.
struct PageRights {
  bool write = false;
  bool execute = false;
  bool user = false; ///< by user mode, too

  constexpr bool operator==(const PageRights&) const = default;
};

struct PageEntry {
  static constexpr uint64_t kPresent = 1 << 0;
  static constexpr uint64_t kWrite = 1 << 1;
  static constexpr uint64_t kUser = 1 << 2;
  static constexpr uint64_t kAccessed = 1 << 5;
  static constexpr uint64_t kDirty = 1 << 6;
  static constexpr uint64_t kPage = 1 << 7; ///< levels 2 and 3: maps a page, not a table
  static constexpr uint64_t kNoExecute = uint64_t{1} << 63;
  static constexpr uint64_t kAddress = 0x000F'FFFF'FFFF'F000;
  static constexpr uint64_t kRights = kWrite | kUser | kNoExecute;

  uint64_t bits = 0;

  /// Whether there is something: a page or a table.
  constexpr bool present() const { return (bits & kPresent) != 0; }
  constexpr bool maps_page(unsigned level) const { return level == 1 || (bits & kPage) != 0; }
  constexpr uint64_t physical() const { return bits & kAddress; }
  constexpr PageRights rights() const {
    return {(bits & kWrite) != 0, (bits & kNoExecute) == 0, (bits & kUser) != 0};
  }

  constexpr PageEntry with_rights(const PageRights& rights) const {
    return {(bits & ~kRights) | bits_of(rights)};
  }
  /// The entry of the next lower level that maps the n-th part of what this one maps.
  constexpr PageEntry part(unsigned level, unsigned n) const {
    const uint64_t kept = level == 2 ? bits & ~kPage : bits;
    return {kept + n * span_of(level - 1)};
  }

  static constexpr PageEntry page(unsigned level, uint64_t physical, const PageRights& rights) {
    return {physical | kPresent | (level > 1 ? kPage : 0) | bits_of(rights)};
  }
  /// Allows everything: the entries of pages say what may be done.
  static constexpr PageEntry table(uint64_t physical) {
    return {physical | kPresent | kWrite | kUser};
  }

 private:
  static constexpr uint64_t bits_of(const PageRights& rights) {
    return (rights.write ? kWrite : 0) | (rights.user ? kUser : 0) |
           (rights.execute ? 0 : kNoExecute);
  }
};

} // namespace clay
