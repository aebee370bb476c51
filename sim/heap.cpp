// The kernel's heap behind the HAL: rules about where it may be called, failing allocations.

#include <cstring>

#include "sim/core.h"
#include "sim/hal.h"
#include "sim/layout.h"
#include "sim/sanitizer.h"

namespace kiln::sim::hal {

namespace {

void check_context(bool may_wait) {
  const Actor& a = self();
  if (may_wait && rule_on(Rule::kAllocContext) &&
      (a.context != ContextKind::kTask || !a.irqs_on || a.preempt_off != 0 || a.spin_held != 0)) {
    const Held* spin = waiting_forbidden_by({a.held_rules, a.held_count});
    fail_at(Rule::kAllocContext, spin == nullptr ? nullptr : "the spin lock was taken here",
            spin == nullptr ? 0 : spin->site, 0, "an allocation that may wait is made %s%s%s",
            spin != nullptr ? "with spin lock '" : "where waiting is forbidden",
            spin != nullptr ? lock_order.name(spin->lock_class) : "",
            spin != nullptr ? "' held" : "");
  }
  if (a.context == ContextKind::kNmi && rule_on(Rule::kAllocContext)) {
    fail_at(Rule::kAllocContext, nullptr, 0, 0, "memory is allocated in an NMI");
  }
  const Held* own = allocation_forbidden_by({a.held_rules, a.held_count});
  if (own != nullptr && rule_on(Rule::kAllocUnderLock)) [[unlikely]] {
    fail_at(Rule::kAllocUnderLock, "the lock was taken here", own->site, 0,
            "memory is allocated with lock '%s' of the allocator held",
            lock_order.name(own->lock_class));
  }
}

/// Judges an allocation and notes it; false: it is the one that is to fail.
bool may_go_on(size_t size, bool may_wait, uint64_t site) {
  if (!core.running) {
    return true;
  }
  check_context(may_wait);
  if (core.arena.allocations == core.fail_at) {
    core.fail_at = kNever;
    ++core.failed_allocations;
    trace(TraceKind::kAllocFail, 0, size, site);
    mix(0x4641494Cu);
    return false;
  }
  mix(0x414C4Cu ^ (size << 24));
  trace(TraceKind::kAlloc, 0, size, site);
  return true;
}

/// Only the arena's memory is marked: a reset puts no other's marks back.
bool in_arena(const void* at) { return reinterpret_cast<uintptr_t>(at) - kArenaBase < kArenaBytes; }

} // namespace

void* allocate(size_t size, size_t align, bool may_wait, uint64_t site) {
  return may_go_on(size, may_wait, site) ? core.arena.allocate(size, align, site) : nullptr;
}

bool memory_asked(size_t size, uint64_t site) {
  if (!may_go_on(size, false, site)) {
    return false;
  }
  ++core.arena.allocations;
  return true;
}

void memory_handed_out(void* at, size_t size) {
  if (in_arena(at)) {
    unpoison(at, size);
    memset(at, core.arena.fill, size);
  }
}

void memory_freed(void* at, size_t size) {
  if (in_arena(at)) {
    poison(at, size);
  }
}

void release(void* block, uint64_t site) {
  if (block == nullptr) {
    return;
  }
  FreeError error = core.arena.release(block, site);
  trace(TraceKind::kFree, 0, 0, site);
  if (error == FreeError::kNone) [[likely]] {
    return;
  }
  const BlockHeader* chunk = core.arena.chunk_around(reinterpret_cast<uintptr_t>(block));
  const BlockHeader header = Arena::header_of(chunk);
  const char* label = chunk == nullptr ? nullptr : "the block was allocated here";
  if (error == FreeError::kOverrun) {
    fail_at(Rule::kMemoryOverrun, label, header.site, 0,
            "the bytes behind a block of %u bytes were written", header.size);
  }
  if (error == FreeError::kTwice) {
    fail_at(Rule::kBadFree, "it was given back the first time here", header.freed_site, 0,
            "a block is given back twice");
  }
  fail_at(Rule::kBadFree, label, header.site, 0, "what is given back is not a block of the heap");
}

} // namespace kiln::sim::hal
