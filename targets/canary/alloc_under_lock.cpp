// A pool of blocks refills itself from the heap with its own lock held.

#include "kernel-src/hal/memory.h"
#include "kernel-src/sync/spin_lock.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass pool_class{"canary-pool", kHalOfAllocator};

struct Pool {
  clay::SpinLock lock{pool_class};
  unsigned free = 4;
  void* slab = nullptr;
};

void take(Pool& pool) {
  clay::SpinGuard guard(pool.lock);
  if (pool.free == 0) {
    pool.slab = hal_alloc(4096, 64, kHalAllocAtomic);
    pool.free = 8;
  }
  --pool.free;
}

void give(Pool& pool) {
  clay::SpinGuard guard(pool.lock);
  ++pool.free;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Pool pool;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    data.boolean() ? take(pool) : give(pool);
  }
  hal_free(pool.slab);
}

sim::Target target{{
    .name = "canary/alloc-under-lock",
    .purpose = "Refills a pool of the allocator with the pool's lock held.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kAllocUnderLock,
}};

} // namespace
} // namespace kiln
