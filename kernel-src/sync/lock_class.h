#pragma once
// The role of a lock. All locks of one role share a class, and the order in which locks may be
// taken is kept between classes.
//
//   constinit LockClass inode_class{"inode"};
//   Mutex lock{inode_class};
//
// The name must be unique in the kernel.

#include "kernel-src/hal/annotate.h"

namespace clay {

class LockClass {
 public:
  /// kHalOfAllocator for the locks of what hands out memory: nothing may be allocated under them.
  constexpr explicit LockClass(const char* name, HalLockRole role = kHalAnyRole)
      : hal_{name, 0, role} {}
  LockClass(const LockClass&) = delete;
  LockClass& operator=(const LockClass&) = delete;

  const char* name() const { return hal_.name; }
  constexpr HalLockMap map(HalLockKind kind) { return {&hal_, kind, 0, 0, 0, 0}; }

 private:
  HalLockClass hal_;
};

} // namespace clay
