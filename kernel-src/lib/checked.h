#pragma once
// Integer arithmetic that says what it does at the edge: `checked_` fails, `wrapping_` wraps,
// `saturating_` stops at the end. Plain operators are for numbers known to fit; a silent wrap or a
// lossy conversion is a finding in the checked flavours.
//
// Both operands have one type; name it to widen first: checked_add<uint64_t>(base, length).

#include <bit>
#include <concepts>
#include <limits>
#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/result.h"

namespace clay {

template <typename T>
concept Integer = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

// --- checked: kOverflow when the true result does not fit T ------------------------------------

template <Integer T> constexpr Result<T> checked_add(T a, T b) {
  T sum{};
  if (__builtin_add_overflow(a, b, &sum)) {
    return Error::kOverflow;
  }
  return sum;
}

template <Integer T> constexpr Result<T> checked_sub(T a, T b) {
  T difference{};
  if (__builtin_sub_overflow(a, b, &difference)) {
    return Error::kOverflow;
  }
  return difference;
}

template <Integer T> constexpr Result<T> checked_mul(T a, T b) {
  T product{};
  if (__builtin_mul_overflow(a, b, &product)) {
    return Error::kOverflow;
  }
  return product;
}

/// a << bits without losing a bit; kOverflow too when `bits` is not below T's width.
template <std::unsigned_integral T> constexpr Result<T> checked_shl(T a, unsigned bits) {
  if (bits >= std::numeric_limits<T>::digits || a > (std::numeric_limits<T>::max() >> bits)) {
    return Error::kOverflow;
  }
  return static_cast<T>(a << bits);
}

/// The same number in another type.
template <Integer To, Integer From> constexpr Result<To> checked_cast(From from) {
  To to{};
  if (__builtin_add_overflow(from, From{0}, &to)) {
    return Error::kOverflow;
  }
  return to;
}

// --- wrapping: modulo 2^width; never a finding -------------------------------------------------

template <Integer T> constexpr T wrapping_add(T a, T b) {
  T sum{};
  static_cast<void>(__builtin_add_overflow(a, b, &sum));
  return sum;
}

template <Integer T> constexpr T wrapping_sub(T a, T b) {
  T difference{};
  static_cast<void>(__builtin_sub_overflow(a, b, &difference));
  return difference;
}

template <Integer T> constexpr T wrapping_mul(T a, T b) {
  T product{};
  static_cast<void>(__builtin_mul_overflow(a, b, &product));
  return product;
}

template <Integer T> constexpr T wrapping_neg(T a) { return wrapping_sub(T{0}, a); }

/// The low bits of a number, the rest dropped.
template <Integer To, Integer From> constexpr To truncate_to(From from) {
  To to{};
  static_cast<void>(__builtin_add_overflow(from, From{0}, &to));
  return to;
}

/// a << bits with the high bits dropped; bits < width of T.
template <std::unsigned_integral T> constexpr T wrapping_shl(T a, unsigned bits) {
  return static_cast<T>((a & (std::numeric_limits<T>::max() >> bits)) << bits);
}

// --- saturating: the nearest number that fits --------------------------------------------------

template <std::unsigned_integral T> constexpr T saturating_add(T a, T b) {
  return checked_add(a, b).value_or(std::numeric_limits<T>::max());
}
template <std::unsigned_integral T> constexpr T saturating_sub(T a, T b) {
  return a > b ? static_cast<T>(a - b) : T{0};
}
template <std::unsigned_integral T> constexpr T saturating_mul(T a, T b) {
  return checked_mul(a, b).value_or(std::numeric_limits<T>::max());
}

// --- alignment and ranges ----------------------------------------------------------------------

template <std::unsigned_integral T> constexpr bool is_power_of_two(T n) {
  return std::has_single_bit(n);
}

/// `align` is a power of two here and below.
template <std::unsigned_integral T> constexpr bool is_aligned(T n, T align) {
  CLAY_ASSERT(is_power_of_two(align));
  return (n & static_cast<T>(align - 1)) == 0;
}
template <std::unsigned_integral T> constexpr T align_down(T n, T align) {
  CLAY_ASSERT(is_power_of_two(align));
  return static_cast<T>(n - (n & static_cast<T>(align - 1)));
}
/// kOverflow when the next multiple lies above T's range.
template <std::unsigned_integral T> constexpr Result<T> align_up(T n, T align) {
  const T down = align_down(n, align);
  return down == n ? Result<T>(n) : checked_add(down, align);
}

/// n / by, rounded up; by > 0. Cannot overflow.
template <std::unsigned_integral T> constexpr T divide_up(T n, T by) {
  return static_cast<T>(n / by + (n % by != 0 ? 1 : 0));
}

/// Whether [offset, offset + length) lies within [0, size]; no sum that could wrap.
template <std::unsigned_integral T> constexpr bool range_within(T offset, T length, T size) {
  return offset <= size && length <= static_cast<T>(size - offset);
}

} // namespace clay
