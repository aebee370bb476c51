#include "hal-host/tlb.h"

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

/// Other CPUs take their time until they have heard of it: a scheduling point.
extern "C" void hal_tlb_flush(uint64_t root, uint64_t address, uint64_t bytes) {
  using namespace kiln;
  sim::point();
  sim::mix(address ^ bytes);
  if (hal_host::the_listener != nullptr) {
    hal_host::the_listener(hal_host::the_argument, root, address, bytes);
  }
}
