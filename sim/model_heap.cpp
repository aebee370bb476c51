#include "sim/model_heap.h"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "sim/host_memory.h"
#include "sim/sanitizer.h"
#include "sim/size_class.h"

// Headers lie in poisoned memory.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace kiln::sim {

constinit ModelHeap model_heap{};
constinit bool model_heap_on = false;
constinit unsigned host_memory_depth = 0;

HostMemory::HostMemory() { ++host_memory_depth; }
HostMemory::~HostMemory() { --host_memory_depth; }

namespace {

PoisonFront poison_front;

constexpr size_t kHead = 16; ///< class and a red zone before every block
constexpr size_t kTail = 16; ///< red zone behind it

struct Head {
  uint64_t order;
  uint64_t size;
};

} // namespace

void ModelHeap::init(uintptr_t at, size_t bytes) {
  *this = ModelHeap{};
  base = at;
  end = at + bytes;
  top = at;
  poison_front.to = at;
}

void* ModelHeap::allocate(size_t size) {
  if (size > end - base) {
    return nullptr;
  }
  unsigned order = class_for(kHead + size + kTail);
  uintptr_t chunk = free_list[order];
  if (chunk != 0) {
    free_list[order] = *reinterpret_cast<uintptr_t*>(chunk + kHead);
  } else {
    size_t bytes = class_bytes(order);
    if (end - top < bytes) {
      return nullptr;
    }
    chunk = top;
    top += bytes;
    poison_front.grow(top);
  }
  *reinterpret_cast<Head*>(chunk) = Head{order, size};
  ++live;
  void* user = reinterpret_cast<void*>(chunk + kHead);
  unpoison(user, size);
  return user;
}

void ModelHeap::release(void* block) {
  uintptr_t chunk = reinterpret_cast<uintptr_t>(block) - kHead;
  Head head = *reinterpret_cast<Head*>(chunk);
  *reinterpret_cast<uintptr_t*>(block) = free_list[head.order];
  poison(block, head.size < 8 ? 8 : head.size);
  free_list[head.order] = chunk;
  --live;
}

namespace {

void* take(size_t size) {
  void* block = nullptr;
  if (model_heap_on && host_memory_depth == 0) {
    block = model_heap.allocate(size);
  } else {
    block = malloc(size == 0 ? 1 : size);
  }
  if (block == nullptr) [[unlikely]] {
    fputs("kiln: out of memory for models and worlds\n", stderr);
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

} // namespace kiln::sim

#pragma clang attribute pop

// The global operators; over-aligned types are not used by anything of ours that allocates in a
// run.
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
