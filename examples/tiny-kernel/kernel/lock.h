#pragma once

#include <atomic>

#include "arch.h"

namespace tiny {

/// Spins. This CPU's interrupts are off while it is held.
class Lock {
 public:
  void lock() {
    const bool irqs_were_on = arch_irq_save();
    while (word_.exchange(1) != 0) {
      arch_spin(reinterpret_cast<const volatile uint32_t*>(&word_), 1);
    }
    irqs_were_on_ = irqs_were_on;
  }

  void unlock() {
    const bool irqs_were_on = irqs_were_on_;
    word_.store(0);
    arch_irq_restore(irqs_were_on);
  }

 private:
  std::atomic<uint32_t> word_ = 0;
  bool irqs_were_on_ = false; ///< of who holds it
};

class Guard {
 public:
  explicit Guard(Lock& lock) : lock_(lock) { lock_.lock(); }
  ~Guard() { lock_.unlock(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Lock& lock_;
};

} // namespace tiny
