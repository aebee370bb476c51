#pragma once
// A place for a handler that interrupts call while tasks connect and disconnect it.

#include <atomic>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/sync/spin_word.h"

namespace clay {

template <typename Handler> class HandlerSlot {
 public:
  constexpr HandlerSlot() = default;

  /// kBusy when a handler is connected.
  Result<> connect(const Handler& handler) {
    const Handler* none = nullptr;
    // Release pairs with the load in call(): what the handler uses is ready.
    if (!handler_.compare_exchange_strong(none, &handler, std::memory_order_release,
                                          std::memory_order_relaxed)) {
      return Error::kBusy;
    }
    return {};
  }

  /// Takes the handler away and spins until no call of it is under way.
  void disconnect() {
    // Sequentially consistent with call(): either it sees null, or `calls_` shows it.
    handler_.store(nullptr, std::memory_order_seq_cst);
    while (const uint32_t calls = calls_.load(std::memory_order_seq_cst)) {
      spin_relax(calls_, calls);
    }
  }

  /// Calls use(handler) if one is connected; whether one was.
  template <typename Use> bool call(Use&& use) {
    calls_.fetch_add(1, std::memory_order_seq_cst);
    const Handler* handler = handler_.load(std::memory_order_seq_cst);
    if (handler != nullptr) {
      use(*handler);
    }
    // Release pairs with disconnect(): the handler's last access comes before the count.
    calls_.fetch_sub(1, std::memory_order_release);
    return handler != nullptr;
  }

 private:
  std::atomic<const Handler*> handler_{nullptr};
  std::atomic<uint32_t> calls_{0}; ///< on all CPUs
};

} // namespace clay
