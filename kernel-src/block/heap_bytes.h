#pragma once
// Bytes on the kernel's heap, given back with their owner.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/hal/memory.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay {

class HeapBytes {
 public:
  HeapBytes() = default;
  HeapBytes(const HeapBytes&) = delete;
  HeapBytes& operator=(const HeapBytes&) = delete;
  ~HeapBytes() { hal_free(data_); }

  /// Once; `size` is at least 1. The contents are undefined. May wait.
  Result<> create(size_t size) {
    data_ = static_cast<uint8_t*>(hal_alloc(size, 8, kHalAllocMayWait));
    if (data_ == nullptr) {
      return Error::kNoMemory;
    }
    size_ = size;
    return {};
  }
  MutableBytes bytes() const { return {data_, size_}; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

} // namespace clay
