#pragma once
// A first-in first-out queue of up to `capacity` elements inside the object itself. Not
// synchronised: for one producer and one consumer that run at the same time see spsc_ring.h, for
// bytes see byte_ring.h.
//
//   Ring<Event, 64> events;
//   if (!events.push(event).ok()) { ++dropped; }
//   while (Event* next = events.front()) { handle(*next); events.drop_front(); }

#include <bit>
#include <new>
#include <stddef.h>
#include <stdint.h>
#include <type_traits>
#include <utility>

#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/result.h"

namespace clay {

/// Where positions in rings start: so little below their wrap that every ring goes through it at
/// once, and not for the first time after years.
inline constexpr uint32_t kFirstRingPosition = UINT32_MAX - 2;

/// `capacity` is a power of two: positions then run on for ever, and wrap with their type.
template <typename T, uint32_t capacity> class Ring {
  static_assert(std::has_single_bit(capacity) && capacity <= (uint32_t{1} << 31));

 public:
  constexpr Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring()
    requires std::is_trivially_destructible_v<T>
  = default;
  ~Ring() { clear(); }

  static constexpr uint32_t kCapacity = capacity;
  uint32_t size() const { return wrapping_sub(tail_, head_); }
  bool empty() const { return head_ == tail_; }
  bool full() const { return size() == capacity; }

  /// kNoSpace when full; `value` is then as it was.
  Result<void> push(T&& value) { return emplace(std::move(value)); }
  Result<void> push(const T& value) { return emplace(value); }

  /// Puts `value` in, at the cost of the oldest element when full. Whether one was lost.
  bool push_over(T value) {
    const bool lost = full();
    if (lost) {
      drop_front();
    }
    static_cast<void>(emplace(std::move(value)));
    return lost;
  }

  /// Takes the oldest element out; kNotFound when empty.
  Result<T> pop() {
    if (empty()) {
      return Error::kNotFound;
    }
    Result<T> taken(std::move(*slot(head_)));
    drop_front();
    return taken;
  }

  /// The oldest and the newest element; null when empty.
  T* front() { return empty() ? nullptr : slot(head_); }
  T* back() { return empty() ? nullptr : slot(wrapping_sub<uint32_t>(tail_, 1)); }
  /// The index-th oldest.
  T& operator[](uint32_t index) {
    CLAY_ASSERT(index < size());
    return *slot(wrapping_add(head_, index));
  }

  /// Ends the oldest element; there must be one.
  void drop_front() {
    CLAY_ASSERT(!empty());
    slot(head_)->~T();
    head_ = wrapping_add<uint32_t>(head_, 1);
  }
  void clear() {
    while (!empty()) {
      drop_front();
    }
  }

 private:
  template <typename U> Result<void> emplace(U&& value) {
    if (full()) {
      return Error::kNoSpace;
    }
    new (static_cast<void*>(slot(tail_))) T(std::forward<U>(value));
    tail_ = wrapping_add<uint32_t>(tail_, 1);
    return {};
  }
  T* slot(uint32_t position) {
    return std::launder(reinterpret_cast<T*>(slots_[position % capacity].bytes));
  }

  struct Slot {
    alignas(T) uint8_t bytes[sizeof(T)];
  };
  Slot slots_[capacity] = {};
  uint32_t head_ = 0; ///< position of the oldest element
  uint32_t tail_ = 0; ///< position behind the newest
};

} // namespace clay
