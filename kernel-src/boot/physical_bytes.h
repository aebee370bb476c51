#pragma once
// A run of physical memory, read through a window: at most one piece of one page is mapped at a
// time, and none once this is gone.
//
//   PhysicalBytes table(window, physical, length);
//   CLAY_TRY(table.copy(8, out));
//
// Errors of all: those of PhysicalWindow::map.

#include "kernel-src/boot/physical_window.h"

namespace clay {

class PhysicalBytes {
 public:
  /// [physical, physical + size), which does not go round the end of 64 bits.
  PhysicalBytes(PhysicalWindow& window, uint64_t physical, size_t size);
  ~PhysicalBytes() { release(); }
  PhysicalBytes(const PhysicalBytes&) = delete;
  PhysicalBytes& operator=(const PhysicalBytes&) = delete;

  size_t size() const { return size_; }

  /// Fills `out` from `offset` on. [offset, offset + out.size()) lies inside.
  Result<void> copy(size_t offset, MutableBytes out);
  /// As much of the beginning as there is and fits into `out`.
  Result<Bytes> prefix(MutableBytes out);
  /// The sum of all bytes modulo 256.
  Result<uint8_t> sum();

 private:
  /// What is mapped from `offset` (below size()) on: at least one byte, until the next call.
  Result<Bytes> piece(size_t offset);
  void release();

  PhysicalWindow& window_;
  uint64_t physical_;
  size_t size_;
  Bytes mapped_; ///< empty: nothing
  size_t mapped_at_ = 0;
};

/// Whether [physical, physical + size) lies below 2^64; size is not 0.
bool fits_physical(uint64_t physical, uint64_t size);

} // namespace clay
