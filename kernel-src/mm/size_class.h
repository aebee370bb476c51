#pragma once
// The sizes that the heap's pools come in: powers of two and, between them, what wastes less. Up to
// 2 KiB a page holds at least two.

#include <stddef.h>

#include "kernel-src/mm/page_frame.h"

namespace clay {

inline constexpr size_t kSizeClasses[] = {16,  32,  48,  64,  96,   128,  192,
                                          256, 384, 512, 768, 1024, 1360, 2048};
inline constexpr unsigned kSizeClassCount = sizeof kSizeClasses / sizeof kSizeClasses[0];
/// Static names of the pools.
inline constexpr const char* kSizeClassNames[] = {
    "heap-16",  "heap-32",  "heap-48",  "heap-64",  "heap-96",   "heap-128",  "heap-192",
    "heap-256", "heap-384", "heap-512", "heap-768", "heap-1024", "heap-1360", "heap-2048"};
static_assert(sizeof kSizeClassNames / sizeof kSizeClassNames[0] == kSizeClassCount);

/// What every object of a class is aligned to: the largest power of two that divides its size, for
/// they lie one behind the other from a page's beginning.
constexpr size_t alignment_of_class(unsigned index) {
  const size_t size = kSizeClasses[index];
  return size & (~size + 1);
}

/// The smallest class for `size` bytes at a multiple of `align`; kSizeClassCount when it takes
/// pages.
constexpr unsigned size_class_for(size_t size, size_t align) {
  unsigned index = 0;
  while (index < kSizeClassCount &&
         (kSizeClasses[index] < size || alignment_of_class(index) < align)) {
    ++index;
  }
  return index;
}

} // namespace clay
