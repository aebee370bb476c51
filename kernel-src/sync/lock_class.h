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
  constexpr explicit LockClass(const char* name) : hal_{name, 0} {}
  LockClass(const LockClass&) = delete;
  LockClass& operator=(const LockClass&) = delete;

  const char* name() const { return hal_.name; }
  constexpr HalLockMap map(HalLockKind kind) { return {&hal_, kind, 0, 0, 0, 0}; }

 private:
  HalLockClass hal_;
};

} // namespace clay
