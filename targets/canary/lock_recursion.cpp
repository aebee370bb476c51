// A cache's drop() holds the lock and calls a function that takes it too, when the key is there.

#include "kernel-src/sync/mutex.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass cache_class{"canary-cache"};

struct Cache {
  clay::Mutex lock{cache_class};
  uint32_t keys = 0;
};

void insert(Cache& cache, uint32_t key) {
  clay::MutexGuard guard(cache.lock);
  cache.keys |= 1u << key;
}

void erase(Cache& cache, uint32_t key) {
  clay::MutexGuard guard(cache.lock);
  cache.keys &= ~(1u << key);
}

void drop(Cache& cache, uint32_t key) {
  clay::MutexGuard guard(cache.lock);
  if ((cache.keys >> key & 1) != 0) {
    erase(cache, key);
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Cache cache;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    auto key = static_cast<uint32_t>(data.below(16));
    data.boolean() ? insert(cache, key) : drop(cache, key);
  }
}

sim::Target target{{
    .name = "canary/lock-recursion",
    .purpose = "Takes a mutex again on the path of a key that is in the cache.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockRecursion,
}};

} // namespace
} // namespace kiln
