// The table of interrupt lines.

#include "kernel-src/task/interrupts.h"

#include <atomic>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/spin_word.h"

namespace clay {
namespace {

struct Line {
  std::atomic<const InterruptHandler*> handler{nullptr};
  std::atomic<uint32_t> running{0}; ///< CPUs that may be using `handler` now
};

constinit Line lines[kHalIrqLines];
constinit std::atomic<uint32_t> strays{0};

} // namespace

Result<> connect_interrupt(unsigned line, const InterruptHandler& handler) {
  if (line >= kHalIrqLines) {
    return Error::kOutOfRange;
  }
  const InterruptHandler* none = nullptr;
  // Release pairs with the load in dispatch_interrupt: what the handler uses is ready.
  if (!lines[line].handler.compare_exchange_strong(none, &handler, std::memory_order_release,
                                                   std::memory_order_relaxed)) {
    return Error::kBusy;
  }
  return {};
}

void disconnect_interrupt(unsigned line) {
  hal_may_wait("disconnect interrupt");
  Line& at = lines[line];
  // Sequentially consistent with dispatch_interrupt: either it sees null, or `running` shows it.
  at.handler.store(nullptr, std::memory_order_seq_cst);
  for (;;) {
    const uint32_t running = at.running.load(std::memory_order_seq_cst);
    if (running == 0) {
      return;
    }
    spin_relax(at.running, running);
  }
}

uint32_t stray_interrupts() { return strays.load(std::memory_order_relaxed); }

void dispatch_interrupt(unsigned line) {
  Line& at = lines[line];
  at.running.fetch_add(1, std::memory_order_seq_cst);
  if (const InterruptHandler* handler = at.handler.load(std::memory_order_seq_cst)) {
    handler->handle(line, handler->arg);
  } else {
    strays.fetch_add(1, std::memory_order_relaxed);
  }
  // Release pairs with disconnect_interrupt: the handler's last access comes before the null count.
  at.running.fetch_sub(1, std::memory_order_release);
}

} // namespace clay
