#pragma once
// The word of a spin lock: test and set, then spin on plain reads until it looks free. No queue and
// no promise of fairness: what it guards is held for a few instructions.

#include <atomic>
#include <stdint.h>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/sync/inline.h"

namespace clay {

/// One turn of a loop that waits until `word` is no longer `seen`.
CLAY_INLINE void spin_relax(const std::atomic<uint32_t>& word, uint32_t seen) {
  static_assert(sizeof(word) == sizeof(uint32_t) && std::atomic<uint32_t>::is_always_lock_free);
  hal_cpu_relax(reinterpret_cast<const volatile uint32_t*>(&word), seen);
}

class SpinWord {
 public:
  constexpr SpinWord() = default;

  /// Acquire pairs with the release in drop(): what the last holder wrote is seen.
  CLAY_INLINE bool try_take() { return word_.exchange(kTaken, std::memory_order_acquire) == kFree; }

  CLAY_INLINE void take() {
    while (!try_take()) {
      wait_until_free();
    }
  }

  /// The last access to the lock's memory: the next holder may free it.
  CLAY_INLINE void drop() { word_.store(kFree, std::memory_order_release); }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kTaken = 1;

  /// Relaxed: try_take() orders what follows.
  CLAY_SLOW_PATH void wait_until_free() const {
    while (word_.load(std::memory_order_relaxed) != kFree) {
      spin_relax(word_, kTaken);
    }
  }

  std::atomic<uint32_t> word_{kFree};
};

} // namespace clay
