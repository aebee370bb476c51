#pragma once
// Size classes of the two heaps: 64, 80, 96, 112, 128, 160, ...: a power of two and its quarters.

#include <bit>
#include <cstddef>

namespace kiln::sim {

inline constexpr size_t kSmallestChunk = 64;

/// Bytes of a chunk of class `order`.
__attribute__((no_sanitize("address"))) constexpr size_t class_bytes(unsigned order) {
  return (kSmallestChunk << (order / 4)) + (kSmallestChunk >> 2 << (order / 4)) * (order % 4);
}

/// The smallest class whose chunks have `bytes` bytes.
__attribute__((no_sanitize("address"))) constexpr unsigned class_for(size_t bytes) {
  if (bytes <= kSmallestChunk) {
    return 0;
  }
  unsigned order = (static_cast<unsigned>(std::bit_width(bytes - 1)) - 7) * 4;
  while (class_bytes(order) < bytes) {
    ++order;
  }
  return order;
}

static_assert(class_for(64) == 0 && class_for(65) == 1 && class_for(112) == 3);
static_assert(class_for(128) == 4 && class_for(129) == 5 && class_bytes(5) == 160);

} // namespace kiln::sim
