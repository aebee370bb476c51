#pragma once
// A list with room for a fixed number of elements: for what is read before there is a heap.

#include <stddef.h>

#include "kernel-src/lib/span.h"

namespace clay {

template <typename T, size_t most> class BoundedList {
 public:
  /// Whether there was room.
  bool add(const T& element) {
    if (full()) {
      return false;
    }
    elements_[size_++] = element;
    return true;
  }
  /// Before the element at `place` (at most size()); whether there was room.
  bool insert(size_t place, const T& element) {
    if (!add(element)) {
      return false;
    }
    for (size_t i = size_ - 1; i != place; --i) {
      elements_[i] = elements_[i - 1];
    }
    elements_[place] = element;
    return true;
  }
  size_t size() const { return size_; }
  bool full() const { return size_ == most; }
  const T& operator[](size_t index) const { return all()[index]; }
  Span<const T> all() const { return Span<const T>(elements_).first(size_); }
  Span<T> all() { return Span<T>(elements_).first(size_); }

 private:
  T elements_[most] = {};
  size_t size_ = 0;
};

} // namespace clay
