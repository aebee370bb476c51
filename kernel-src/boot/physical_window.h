#pragma once
// How a reader of firmware's tables reaches physical memory before it is mapped for good: a small
// window through which one piece after the other is seen.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay {

class PhysicalWindow {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  /// The `bytes` (not 0) from `physical` on, all in one page of kPageBytes; readable until they are
  /// unmapped. kTooMany when no slot is free, kOutOfRange when no CPU has such an address.
  virtual Result<Bytes> map(uint64_t physical, size_t bytes) = 0;
  /// `mapped` is what map() returned. May wait for other CPUs to forget it.
  virtual void unmap(Bytes mapped) = 0;

 protected:
  ~PhysicalWindow() = default;
};

} // namespace clay
