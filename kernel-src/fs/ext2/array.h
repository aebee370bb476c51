#pragma once
// A fixed number of Ts on the heap, zeroed: for plain data.

#include <stddef.h>
#include <type_traits>
#include <utility>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/hal/memory.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay::ext2 {

template <typename T> class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// `count` may be 0.
  static Result<Array> create(size_t count) {
    Array made;
    if (count != 0) {
      const size_t bytes = CLAY_TRY(checked_mul(count, sizeof(T)));
      made.items_ = static_cast<T*>(hal_alloc(bytes, alignof(T), kHalAllocMayWait));
      if (made.items_ == nullptr) {
        return Error::kNoMemory;
      }
      memset(static_cast<void*>(made.items_), 0, bytes);
      made.count_ = count;
    }
    return made;
  }

  Array() = default;
  Array(Array&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Array() { hal_free(items_); }

  /// The caller frees it.
  T* leak() {
    count_ = 0;
    return std::exchange(items_, nullptr);
  }
  size_t size() const { return count_; }
  Span<T> span() const { return Span<T>(items_, count_); }
  T& operator[](size_t index) const { return span()[index]; }

 private:
  T* items_ = nullptr;
  size_t count_ = 0;
};

} // namespace clay::ext2
