#pragma once
// A queue between one producer and one consumer that run at the same time, without a lock: an
// interrupt handler and a task, or two CPUs. Neither ever waits for the other.
//
// Who owns what: the producer alone writes tail_ and the slots from tail_ to head_ + capacity; the
// consumer alone writes head_ and reads the slots from head_ to tail_. Each publishes its position
// with release and looks at the other's with acquire, so that
//
//   - an element is whole before the consumer can see the tail that covers it, and
//   - an element has been read before the producer can see the head that gives its slot away.
//
// More than one producer (the same handler on two CPUs) or consumer needs a lock around its side.

#include <atomic>
#include <bit>
#include <stdint.h>
#include <type_traits>

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/ring.h"

namespace clay {

/// `capacity` is a power of two. Elements are copied as bytes: a reader of a torn one never sees
/// it, and nothing of an element needs ending.
template <typename T, uint32_t capacity> class SpscRing {
  static_assert(std::has_single_bit(capacity) && capacity <= (uint32_t{1} << 31));
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  constexpr SpscRing() = default;
  SpscRing(const SpscRing&) = delete;
  SpscRing& operator=(const SpscRing&) = delete;

  static constexpr uint32_t kCapacity = capacity;

  /// Producer only: kNoSpace when the consumer has fallen a whole ring behind.
  Result<void> push(const T& value) {
    const uint32_t tail = tail_.load(std::memory_order_relaxed);
    const uint32_t head = head_.load(std::memory_order_acquire);
    if (wrapping_sub(tail, head) == capacity) {
      return Error::kNoSpace;
    }
    slots_[tail % capacity] = value;
    tail_.store(wrapping_add<uint32_t>(tail, 1), std::memory_order_release);
    return {};
  }

  /// Consumer only: kNotFound when there is nothing yet.
  Result<T> pop() {
    const uint32_t head = head_.load(std::memory_order_relaxed);
    const uint32_t tail = tail_.load(std::memory_order_acquire);
    if (head == tail) {
      return Error::kNotFound;
    }
    const T value = slots_[head % capacity];
    head_.store(wrapping_add<uint32_t>(head, 1), std::memory_order_release);
    return value;
  }

  /// Elements in the ring. Exact for neither side while the other runs: the producer may find fewer
  /// a moment later, the consumer more. Anyone else gets a number that was true in between.
  uint32_t size() const {
    // Head first: it only grows towards the tail read after it, so the difference is never
    // negative; the producer may meanwhile have gone round, hence the bound.
    const uint32_t head = head_.load(std::memory_order_acquire);
    const uint32_t used = wrapping_sub(tail_.load(std::memory_order_acquire), head);
    return used < capacity ? used : capacity;
  }
  bool empty() const { return size() == 0; }

 private:
  /// The two positions on lines of their own, or each side's store would stall the other.
  static constexpr size_t kCacheLine = 64;

  alignas(kCacheLine) std::atomic<uint32_t> head_{kFirstRingPosition};
  alignas(kCacheLine) std::atomic<uint32_t> tail_{kFirstRingPosition};
  alignas(kCacheLine) T slots_[capacity] = {};
};

} // namespace clay
