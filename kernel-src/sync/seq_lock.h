#pragma once
// A value that is read often and never blocks its writer: readers copy it and look whether it
// changed meanwhile. Readers get a whole value, never parts of two.
//
//   SeqLock<Time> now{clock_class, Time{}};
//   now.write(time);        Time time = now.read();
//
// Writers take turns by a spin lock and keep interrupts off, so a reader in an interrupt handler
// never spins on a writer that it interrupted. Any context; NMI may read only with peek().

#include <atomic>
#include <concepts>
#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/spin_word.h"

namespace clay {

template <typename T> class SeqLock {
  static_assert(std::is_trivially_copyable_v<T> && std::default_initializable<T>);

 public:
  /// A value of all zeros when none is given.
  constexpr explicit SeqLock(LockClass& lock_class) : writer_lock_(lock_class) {}
  SeqLock(LockClass& lock_class, const T& value) : writer_lock_(lock_class) { write(value); }

  CLAY_INLINE void write(const T& value) {
    IrqSpinGuard guard(writer_lock_);
    store(value);
  }

  /// Changes the value in place: change(T&), called once, under the writers' lock.
  template <typename Change> CLAY_INLINE void update(Change&& change) {
    IrqSpinGuard guard(writer_lock_);
    T value{};
    load(value);
    change(value);
    store(value);
  }

  T read() const {
    T value{};
    for (;;) {
      const uint32_t before = sequence_.load(std::memory_order_acquire);
      if ((before & 1) != 0) {
        spin_relax(sequence_, before);
      } else if (load_unchanged(before, value)) {
        return value;
      }
    }
  }

  /// One attempt: false when a writer was in the way, and *value is worth nothing then.
  [[nodiscard]] bool peek(T* value) const {
    const uint32_t before = sequence_.load(std::memory_order_acquire);
    return (before & 1) == 0 && load_unchanged(before, *value);
  }

 private:
  static constexpr size_t kWords = (sizeof(T) + sizeof(uint64_t) - 1) / sizeof(uint64_t);

  bool load_unchanged(uint32_t before, T& value) const {
    load(value);
    // Acquire pairs with the release fence in store(): when a word of a later value was read, the
    // odd number that was stored before it is seen here.
    std::atomic_thread_fence(std::memory_order_acquire);
    return sequence_.load(std::memory_order_relaxed) == before;
  }

  void load(T& value) const {
    uint64_t words[kWords];
    for (size_t i = 0; i < kWords; ++i) {
      words[i] = words_[i].load(std::memory_order_relaxed);
    }
    memcpy(&value, words, sizeof(T));
  }

  /// The sequence is odd while the words change. Its writer reads it back relaxed: its own lock
  /// orders it after the last writer.
  void store(const T& value) {
    uint64_t words[kWords] = {};
    memcpy(words, &value, sizeof(T));
    const uint32_t before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before | 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (size_t i = 0; i < kWords; ++i) {
      words_[i].store(words[i], std::memory_order_relaxed);
    }
    // Release pairs with the first load of a reader: an even number promises its whole value.
    sequence_.store(next_even(before), std::memory_order_release);
  }

  /// Wraps round: a reader would have to sleep through 2^31 writes to be fooled.
  static constexpr uint32_t next_even(uint32_t even) {
    return even == UINT32_MAX - 1 ? 0 : even + 2;
  }

  std::atomic<uint32_t> sequence_{0};
  std::atomic<uint64_t> words_[kWords] = {};
  IrqSpinLock writer_lock_;
};

} // namespace clay
