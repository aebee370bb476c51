#pragma once
// Numbers to bytes and back, in either byte order, at any address.

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace kiln::gen {

/// The number whose bytes in memory are those of `value` in `order`, and the other way round.
template <std::unsigned_integral T> constexpr T in_order(T value, std::endian order) {
  if (sizeof(T) == 1 || order == std::endian::native) return value;
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  return value;
}

/// `to` has room for sizeof(T) bytes.
template <std::unsigned_integral T> void store(uint8_t* to, T value, std::endian order) {
  value = in_order(value, order);
  std::memcpy(to, &value, sizeof(T));
}
template <std::unsigned_integral T> T load(const uint8_t* from, std::endian order) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return in_order(value, order);
}

template <std::unsigned_integral T> void store_be(uint8_t* to, T value) {
  store(to, value, std::endian::big);
}
template <std::unsigned_integral T> void store_le(uint8_t* to, T value) {
  store(to, value, std::endian::little);
}
template <std::unsigned_integral T> T load_be(const uint8_t* from) {
  return load<T>(from, std::endian::big);
}
template <std::unsigned_integral T> T load_le(const uint8_t* from) {
  return load<T>(from, std::endian::little);
}

} // namespace kiln::gen
