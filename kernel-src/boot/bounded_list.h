#pragma once
// A list with room for a fixed number of elements: for what is read before there is a heap.

#include <stddef.h>

#include "kernel-src/lib/span.h"

namespace clay {

template <typename T, size_t most> class BoundedList {
 public:
  /// Whether there was room.
  bool add(const T& element) {
    if (size_ == most) {
      return false;
    }
    elements_[size_++] = element;
    return true;
  }
  size_t size() const { return size_; }
  const T& operator[](size_t index) const { return all()[index]; }
  Span<const T> all() const { return Span<const T>(elements_).first(size_); }

 private:
  T elements_[most] = {};
  size_t size_ = 0;
};

} // namespace clay
