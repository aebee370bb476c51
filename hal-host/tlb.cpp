#include "hal-host/tlb.h"

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/mmu.h"
#include "sim/core.h"

namespace kiln::hal_host {
namespace {

TlbListener the_listener;
void* the_argument;

} // namespace

void on_tlb_flush(TlbListener listener, void* arg) {
  the_listener = listener;
  the_argument = arg;
}

} // namespace kiln::hal_host

/// A CPU takes its time to forget: a scheduling point.
extern "C" void hal_tlb_flush_local(uint64_t root, uint64_t first, uint64_t last) {
  using namespace kiln;
  sim::point();
  sim::mix(first ^ last);
  if (hal_host::the_listener != nullptr) {
    hal_host::the_listener(hal_host::the_argument, hal_cpu_id(), root, first, last);
  }
}
