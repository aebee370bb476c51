#pragma once
// Numbers in what firmware and files say.

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::worlds {

/// The little-endian number of `width` bytes, 8 at most, at `at`; all of it is there.
inline uint64_t number(std::span<const uint8_t> bytes, size_t at, size_t width) {
  uint64_t value = 0;
  for (size_t i = width; i-- > 0;) {
    value = value << 8 | bytes[at + i];
  }
  return value;
}

} // namespace kiln::worlds
