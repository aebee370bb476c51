#pragma once
// The heap: blocks of any size.

#include <stddef.h>
#include <stdint.h>

extern "C" {

enum HalAlloc : uint8_t {
  kHalAllocMayWait = 0, ///< may wait for memory: only where waiting is allowed
  kHalAllocAtomic = 1,  ///< never waits; fails sooner
};

/// `size` bytes (at least 1) aligned to `align` (a power of two, at most 4096), contents undefined.
/// Null when there are none: every caller must cope.
void* hal_alloc(size_t size, size_t align, HalAlloc how);

/// Gives back what hal_alloc returned; null is ignored. Never waits; any context but NMI.
void hal_free(void* block);
}
