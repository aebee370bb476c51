#pragma once
// Numbers as they lie in memory: any alignment, either byte order. For places known to hold
// sizeof(T) bytes; data from outside goes through ByteReader and ByteWriter.

#include <bit>
#include <concepts>
#include <stdint.h>

namespace clay {

template <std::unsigned_integral T> constexpr T byte_swap(T value) {
  if constexpr (sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(value);
  } else {
    static_assert(sizeof(T) == 8);
    return __builtin_bswap64(value);
  }
}

/// Between the CPU's order and a stated one; each is its own inverse.
template <std::unsigned_integral T> constexpr T big_endian(T value) {
  return std::endian::native == std::endian::big ? value : byte_swap(value);
}
template <std::unsigned_integral T> constexpr T little_endian(T value) {
  return std::endian::native == std::endian::little ? value : byte_swap(value);
}

template <std::unsigned_integral T> T load_be(const uint8_t* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof(T));
  return big_endian(value);
}
template <std::unsigned_integral T> T load_le(const uint8_t* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof(T));
  return little_endian(value);
}
template <std::unsigned_integral T> void store_be(uint8_t* to, T value) {
  value = big_endian(value);
  __builtin_memcpy(to, &value, sizeof(T));
}
template <std::unsigned_integral T> void store_le(uint8_t* to, T value) {
  value = little_endian(value);
  __builtin_memcpy(to, &value, sizeof(T));
}

} // namespace clay
