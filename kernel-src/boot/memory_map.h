#pragma once
// What each byte of physical memory is, as firmware says: one sorted list without overlaps, made of
// entries that come in any order, overlap, repeat and contradict each other.
//
// Where entries overlap, the more careful word counts: MemoryType is in that order. What no entry
// speaks of is nobody's. A map that has no room left never makes more memory usable than firmware
// said: it gives up usable memory, and counts it.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

// X(identifier, "name")  in the order of precedence, the weakest first
#define CLAY_MEMORY_TYPES(X)                                                                       \
  X(kUsable, "usable")         /* RAM that nobody needs */                                         \
  X(kBootServices, "boot")     /* usable once firmware's boot services have ended */               \
  X(kReclaimable, "tables")    /* ACPI tables: usable once they have been read */                  \
  X(kPersistent, "persistent") /* keeps what it holds without power */                             \
  X(kNvs, "nvs")               /* firmware's, to be kept over sleep */                             \
  X(kReserved, "reserved")     /* not to be touched */                                             \
  X(kBad, "bad")               /* RAM with errors */                                               \
  X(kKernel, "kernel")         /* taken by the kernel itself: image, modules, command line */

enum class MemoryType : uint8_t {
#define CLAY_MEMORY_TYPE_ENUM(id, text) id,
  CLAY_MEMORY_TYPES(CLAY_MEMORY_TYPE_ENUM)
#undef CLAY_MEMORY_TYPE_ENUM
};

/// Never null.
const char* memory_type_name(MemoryType type);

/// [first, last], both included, so that memory may end with the last byte of 64 bits.
struct MemoryRange {
  uint64_t first;
  uint64_t last;
  MemoryType type;
};

class MemoryMap {
 public:
  static constexpr size_t kRangesMax = 128;
  static constexpr uint64_t kPage = 4096;

  /// [first, last], both included, is `type`. kInvalid: last < first. kNoSpace: no room for it;
  /// what was usable where it says otherwise is then no longer in the map, and no more can be:
  /// nobody knows any longer what else was said of it.
  Result<void> add(uint64_t first, uint64_t last, MemoryType type);

  /// Sorted, apart, neighbours of one type joined.
  Span<const MemoryRange> ranges() const { return Span<const MemoryRange>(ranges_).first(size_); }
  /// Whether there was room for everything that was added.
  bool complete() const { return complete_; }
  /// Bytes of usable memory that were given up for want of room.
  uint64_t given_up() const { return given_up_; }

  /// The type of a byte; kNotFound: no entry speaks of it.
  Result<MemoryType> at(uint64_t address) const;
  /// Whether all of [first, last] is in the map with this type; false when last < first.
  bool is_all(uint64_t first, uint64_t last, MemoryType type) const;

  struct PageRun {
    uint64_t first; ///< page number
    uint64_t count;
  };
  /// The first run of whole pages inside usable memory at or above page `from`; count 0: no more.
  /// Usable memory is rounded inwards, so that a page of which anyone else has a byte is in no run.
  /// Nor is page 0: its address stands for "none".
  PageRun usable_pages(uint64_t from) const;
  /// Bytes of the type; all 2^64 of them are counted as one less.
  uint64_t bytes_of(MemoryType type) const;

 private:
  void forget_usable(uint64_t first, uint64_t last);
  /// Of the first range that ends at or behind `address`; size_: none does.
  size_t index_at(uint64_t address) const;

  MemoryRange ranges_[kRangesMax] = {};
  MemoryRange next_[kRangesMax] = {}; ///< what `add` makes out of ranges_
  size_t size_ = 0;
  uint64_t given_up_ = 0;
  bool complete_ = true;
};

} // namespace clay
