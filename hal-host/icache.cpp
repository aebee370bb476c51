#include "hal-host/icache.h"

#include "kernel-src/hal/icache.h"
#include "sim/core.h"

namespace kiln::hal_host {
namespace {

IcacheListener the_listener;
void* the_argument;

} // namespace

void on_icache_sync(IcacheListener listener, void* arg) {
  the_listener = listener;
  the_argument = arg;
}

} // namespace kiln::hal_host

/// Other CPUs take their time until they have heard of it: a scheduling point.
extern "C" void hal_icache_sync(uint64_t address, uint64_t bytes) {
  using namespace kiln;
  sim::point();
  sim::mix(address ^ bytes);
  if (hal_host::the_listener != nullptr) {
    hal_host::the_listener(hal_host::the_argument, address, bytes);
  }
}
