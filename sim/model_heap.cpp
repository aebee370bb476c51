#include "sim/model_heap.h"

#include "sim/sanitizer.h"
#include "sim/size_class.h"

// Headers lie in poisoned memory.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace kiln::sim {

constinit ModelHeap model_heap{};

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

} // namespace kiln::sim

#pragma clang attribute pop
