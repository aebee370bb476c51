#pragma once
// A run of elements that belong to someone else: pointer and length, every access checked. An index
// out of range is a bug of the kernel and panics; lengths from outside go through `slice`, which
// fails.

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/result.h"

namespace clay {

template <typename T> class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t n> constexpr Span(T (&array)[n]) : data_(array), size_(n) {}
  /// From whatever has contiguous elements: another Span (also to const), std::span, std::array.
  template <typename Other>
    requires(!std::is_array_v<std::remove_cvref_t<Other>> &&
             requires(Other& other) {
               // Array conversion: adds const, never turns derived into base.
               static_cast<T(*)[]>(
                   static_cast<std::remove_pointer_t<decltype(other.data())>(*)[]>(nullptr));
               { other.size() } -> std::convertible_to<size_t>;
             })
  constexpr Span(Other&& other) : data_(other.data()), size_(other.size()) {}

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }

  constexpr T& operator[](size_t index) const {
    CLAY_ASSERT(index < size_);
    return data_[index];
  }
  constexpr T& front() const { return (*this)[0]; }
  constexpr T& back() const {
    CLAY_ASSERT(size_ > 0);
    return data_[size_ - 1];
  }

  /// Parts that the caller knows to be inside.
  constexpr Span first(size_t count) const {
    CLAY_ASSERT(count <= size_);
    return Span(data_, count);
  }
  constexpr Span last(size_t count) const {
    CLAY_ASSERT(count <= size_);
    return Span(data_ + (size_ - count), count);
  }
  constexpr Span from(size_t offset) const {
    CLAY_ASSERT(offset <= size_);
    return Span(data_ + offset, size_ - offset);
  }
  constexpr Span subspan(size_t offset, size_t count) const { return from(offset).first(count); }

  /// A part whose place comes from outside: kOutOfRange when it is not inside.
  constexpr Result<Span> slice(size_t offset, size_t count) const {
    if (offset > size_ || count > size_ - offset) {
      return Error::kOutOfRange;
    }
    return subspan(offset, count);
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

using Bytes = Span<const uint8_t>;
using MutableBytes = Span<uint8_t>;

/// Same length, same elements.
template <typename A, typename B> constexpr bool same_elements(Span<A> a, Span<B> b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(a.data()[i] == b.data()[i])) {
      return false;
    }
  }
  return true;
}

} // namespace clay
