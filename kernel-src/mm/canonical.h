#pragma once
// Which addresses an x86-64 CPU with 4-level paging has: those whose bits 63 to 47 are equal (Intel
// SDM volume 1, 3.3.7.1).

#include <stdint.h>

namespace clay {

inline constexpr uint64_t kLowerHalfEnd = uint64_t{1} << 47;
inline constexpr uint64_t kUpperHalf = 0xFFFF'8000'0000'0000;

/// Whether all of [first, last] is, and lies in one half.
constexpr bool is_canonical(uint64_t first, uint64_t last) {
  return first <= last && (last < kLowerHalfEnd || first >= kUpperHalf);
}

} // namespace clay
