#pragma once
// The heap behind operator new while an input runs: size classes and free lists, no locks, plain
// data. See host_memory.h.

#include <cstddef>
#include <cstdint>

namespace kiln::sim {

inline constexpr unsigned kModelClasses = 96;

struct ModelHeap {
  uintptr_t base;
  uintptr_t end;
  uintptr_t top;
  uint64_t live;
  uintptr_t free_list[kModelClasses];

  void init(uintptr_t at, size_t bytes);
  void* allocate(size_t size);
  void release(void* block);
  bool owns(const void* p) const {
    auto at = reinterpret_cast<uintptr_t>(p);
    return at >= base && at < end;
  }
};

extern ModelHeap model_heap;
/// Allocations go to the model heap when true and no HostMemory scope is open.
extern bool model_heap_on;

} // namespace kiln::sim
