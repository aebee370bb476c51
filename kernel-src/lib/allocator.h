#pragma once
// How a container gets memory: an allocator is any type with
//
//   void* allocate(size_t size, size_t align);   // null when there is none
//   void release(void* block);                   // what allocate returned, or null
//
// Containers take theirs as a parameter, keep it by value, and cope with null.

#include <concepts>
#include <stddef.h>

#include "kernel-src/hal/memory.h"

namespace clay {

template <typename T>
concept Allocator = requires(T allocator, void* block) {
  { allocator.allocate(size_t{1}, size_t{1}) } -> std::same_as<void*>;
  allocator.release(block);
};

/// The heap, where the caller may wait for memory...
struct WaitingHeap {
  static void* allocate(size_t size, size_t align) {
    return hal_alloc(size, align, kHalAllocMayWait);
  }
  static void release(void* block) { hal_free(block); }
};
/// ... and where it must not: under spin locks and in interrupts.
struct AtomicHeap {
  static void* allocate(size_t size, size_t align) {
    return hal_alloc(size, align, kHalAllocAtomic);
  }
  static void release(void* block) { hal_free(block); }
};

} // namespace clay
