#pragma once
// The memory of one module: a page for each page of its segments, filled and relocated where only
// the direct map reaches it, then mapped with the rights that it keeps. At its own addresses nobody
// ever sees a module half made, or text that can be written.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/boot/module_segments.h"
#include "kernel-src/mm/heap.h"
#include "kernel-src/mm/page_table.h"

namespace clay::elf {

/// What the loader takes its memory from; all outlive it.
struct Memory {
  PageCache& pages;
  PageTable& table;
  Heap& heap;
};

class Image {
 public:
  explicit Image(const Memory& memory) : memory_(memory) {}
  /// Unmaps and gives everything back.
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  /// Takes the pages and puts the segments in, `bias` above where the file has them. Once. Whether
  /// there was memory.
  [[nodiscard]] bool fill(const Layout& layout, uint64_t bias);
  /// Maps it; from then on CPUs execute it. Whether there was memory for tables.
  [[nodiscard]] bool map(const Layout& layout);

  /// How far above the file's addresses it lies, modulo 2^64.
  uint64_t bias() const { return bias_; }
  /// Its whole pages, those between segments included: [first, first + count).
  uint64_t first_page() const { return segments_[0].first_page(); }
  uint64_t end_page() const { return segments_.all().back().last_page() + 1; }

  // --- By the addresses at which it lies

  bool holds(uint64_t address) const { return segment_of(address) != nullptr; }
  bool is_executable(uint64_t address) const;
  Result<uint8_t> byte_at(uint64_t address) const;
  /// Bytes that are all in one segment.
  void read(uint64_t address, MutableBytes out) const;
  void write(uint64_t address, Bytes bytes);

 private:
  /// A segment where it lies, and the first of its pages in pages_.
  struct Part : Segment {
    size_t first = 0;
  };

  const Part* segment_of(uint64_t address) const;
  uint8_t* byte(const Part& part, uint64_t address) const;
  bool take_page(const Part& part, uint64_t index);
  bool map_page(uint64_t page, const PageFrame& frame, const PageRights& rights);

  Memory memory_;
  BoundedList<Part, kMostSegments> segments_;
  PageFrame** pages_ = nullptr; ///< on the heap
  size_t count_ = 0;            ///< pages taken
  bool mapped_ = false;         ///< some may be
  uint64_t bias_ = 0;
};

} // namespace clay::elf
