#pragma once
// Where hal_tlb_flush_local goes: the machine has no MMU of its own, so a target that has a model
// of one listens. Nobody listens at first, and again after every run.

#include <cstdint>

namespace kiln::hal_host {

/// `cpu` forgets what it remembers of [first, last].
using TlbListener = void (*)(void* arg, unsigned cpu, uint64_t root, uint64_t first, uint64_t last);

/// One at a time; null ends it.
void on_tlb_flush(TlbListener listener, void* arg);

} // namespace kiln::hal_host
