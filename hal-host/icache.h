#pragma once
// Where hal_icache_sync goes: the machine has no instruction caches, so a target that judges what a
// kernel asks of them listens. Nobody listens at first, and again after every run.

#include <cstdint>

namespace kiln::hal_host {

using IcacheListener = void (*)(void* arg, uint64_t address, uint64_t bytes);

/// One at a time; null ends it.
void on_icache_sync(IcacheListener listener, void* arg);

} // namespace kiln::hal_host
