// The table of interrupt lines.

#include "kernel-src/task/interrupts.h"

#include <atomic>

#include "kernel-src/lib/assert.h"
#include "kernel-src/task/handler_slot.h"

namespace clay {
namespace {

constinit HandlerSlot<InterruptHandler> lines[kHalIrqLines];
constinit std::atomic<uint32_t> strays{0};

} // namespace

Result<> connect_interrupt(unsigned line, const InterruptHandler& handler) {
  if (line >= kHalIrqLines) {
    return Error::kOutOfRange;
  }
  return lines[line].connect(handler);
}

void wait_disconnect_interrupt(unsigned line) {
  CLAY_ASSERT(line < kHalIrqLines);
  lines[line].disconnect();
}

uint32_t stray_interrupts() { return strays.load(std::memory_order_relaxed); }

void dispatch_interrupt(unsigned line) {
  const bool handled = lines[line].call(
      [line](const InterruptHandler& handler) { handler.handle(line, handler.arg); });
  if (!handled) {
    strays.fetch_add(1, std::memory_order_relaxed);
  }
}

} // namespace clay
