// The global operators new and delete, and the switch between the two heaps behind them.

#include "sim/host_memory.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "sim/model_heap.h"

namespace kiln::sim {

constinit bool model_heap_on = false;

namespace {

constinit unsigned host_memory_depth = 0;

void* take(size_t size) {
  void* block = nullptr;
  if (model_heap_on && host_memory_depth == 0) {
    block = model_heap.allocate(size);
  } else {
    block = malloc(size == 0 ? 1 : size);
  }
  if (block == nullptr) [[unlikely]] {
    fputs(kOutOfModelMemory, stderr);
    abort();
  }
  return block;
}

void give_back(void* block) {
  if (block == nullptr) {
    return;
  }
  if (model_heap.owns(block)) {
    model_heap.release(block);
  } else {
    free(block);
  }
}

} // namespace

HostMemory::HostMemory() { ++host_memory_depth; }
HostMemory::~HostMemory() { --host_memory_depth; }

} // namespace kiln::sim

// Over-aligned types are not used by anything of ours that allocates in a run.
void* operator new(size_t size) { return kiln::sim::take(size); }
void* operator new[](size_t size) { return kiln::sim::take(size); }
// std::stable_sort and its kin use these, and give back by the ones below.
void* operator new(size_t size, const std::nothrow_t&) noexcept { return kiln::sim::take(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return kiln::sim::take(size); }
void operator delete(void* block, const std::nothrow_t&) noexcept { kiln::sim::give_back(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { kiln::sim::give_back(block); }
void operator delete(void* block) noexcept { kiln::sim::give_back(block); }
void operator delete[](void* block) noexcept { kiln::sim::give_back(block); }
void operator delete(void* block, size_t) noexcept { kiln::sim::give_back(block); }
void operator delete[](void* block, size_t) noexcept { kiln::sim::give_back(block); }
