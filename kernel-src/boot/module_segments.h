#pragma once
// The ELF header and the program headers of a module: which parts of the file go where in memory,
// and with which rights. Nothing is trusted before read_layout() has seen it.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/module_format.h"
#include "kernel-src/boot/module_refusal.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/mm/page_entry.h"

namespace clay::elf {

/// Clay's own limits.
inline constexpr size_t kMostSegments = 16;
inline constexpr uint64_t kMostAlign = uint64_t{2} << 20;

/// Addresses are as the file has them: the module may be loaded elsewhere.
struct Segment {
  uint64_t address = 0; ///< address + bytes is at most 2^64
  uint64_t bytes = 0;   ///< not 0
  Bytes content;        ///< what it begins with; the rest is 0
  PageRights rights;

  uint64_t first_page() const { return address / kPageBytes; }
  uint64_t last_page() const { return (address + (bytes - 1)) / kPageBytes; }
  uint64_t pages() const { return last_page() - first_page() + 1; }
  /// Whether [at, at + size) lies in it.
  bool holds(uint64_t at, uint64_t size) const;
  /// Where the segment's `index`-th page has bytes of the content, and which.
  struct Part {
    size_t offset = 0; ///< in the page
    Bytes bytes;
  };
  Part part_of_page(uint64_t index) const;
};

/// A program header that is not a segment.
struct ProgramPart {
  bool present = false;
  uint64_t at = 0; ///< of the program header in the file
  uint64_t address = 0;
  uint64_t file_offset = 0;
  uint64_t file_bytes = 0;
  uint64_t bytes = 0;
};

struct Layout {
  Bytes file;
  BoundedList<Segment, kMostSegments> segments; ///< by address; no two share a page
  uint64_t align = kPageBytes;                  ///< what the load address keeps
  ProgramPart dynamic;
  ProgramPart relro; ///< its whole pages are not written once the module is relocated

  uint64_t first_page() const { return segments[0].first_page(); }
  /// From the first page to the last one, those between segments included.
  uint64_t span_pages() const;
  /// Those of segments.
  uint64_t pages() const;
  /// The segment that [address, address + size) lies in; null when there is none.
  const Segment* segment_of(uint64_t address, uint64_t size) const;
  /// What is loaded at `address` from the file, up to the end of what its segment has of it.
  Result<Bytes> content_from(uint64_t address) const;
  /// [address, address + size) of it.
  Result<Bytes> content(uint64_t address, uint64_t size) const;
  /// Rights of a page of a segment once the module is relocated; by page number.
  PageRights rights_of(const Segment& segment, uint64_t page) const;
  uint64_t place_of(Bytes part) const { return static_cast<uint64_t>(part.data() - file.data()); }
};

/// What the headers say, of a file for that machine.
Refused read_layout(Bytes file, Machine machine, Layout& out);

} // namespace clay::elf
