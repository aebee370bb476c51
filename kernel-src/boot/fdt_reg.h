#pragma once
// Addresses and sizes in cells, and the ranges of `reg` and `ranges` (Devicetree Specification
// v0.4, 2.3.5, 2.3.6, 2.3.8).

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay::fdt {

/// More cells than this in one number make no sense.
inline constexpr uint32_t kMaxCells = 4;

/// How many 4-byte cells an address and a size have in `reg` of a node's children. The values here
/// are those of a node that says nothing of it.
struct Cells {
  uint8_t address = 2;
  uint8_t size = 1;
  bool valid = true; ///< false: what the node says makes no sense
};

/// A number on a bus: as many bits as kMaxCells have. Only what a CPU sees must fit 64.
using Wide = unsigned __int128;

/// [base, base + size); its last byte is at most 2^64 - 1.
struct Range {
  uint64_t base = 0;
  uint64_t size = 0;
};

/// kOverflow when the last byte lies beyond 2^64 - 1.
Result<Range> make_range(uint64_t base, uint64_t size);

/// The number in the `cells` (at most kMaxCells) cells at `offset`; none is 0. They are within
/// `bytes`.
Wide read_cells(Bytes bytes, size_t offset, uint32_t cells);
/// The same number in 64 bits; kUnsupported when it has more.
Result<uint64_t> narrow(Wide number);

/// The entries of a `reg`. Exists only for a value that holds whole entries.
class RegList {
 public:
  /// kInvalid: no cells to read it with, or not whole entries.
  static Result<RegList> create(Bytes value, Cells cells);

  size_t count() const { return value_.size() / entry_bytes(); }
  /// Entry `index`, below count(). kUnsupported: a number of more than 64 bits; kOverflow: it ends
  /// beyond them.
  Result<Range> at(size_t index) const;
  /// Entry `index`'s address and size alone, as the bus counts. kUnsupported.
  Wide address_at(size_t index) const;
  Result<uint64_t> size_at(size_t index) const;

 private:
  RegList(Bytes value, Cells cells) : value_(value), cells_(cells) {}
  size_t entry_bytes() const { return (size_t{cells_.address} + cells_.size) * sizeof(uint32_t); }
  Bytes value_;
  Cells cells_;
};

} // namespace clay::fdt
