// Three locks in a circle, each pair of them on another path: directory -> node, node -> cache,
// and, only for a dirty entry, cache -> directory.

#include "kernel-src/sync/mutex.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass directory_class{"canary-directory"};
constinit clay::LockClass node_class{"canary-node"};
constinit clay::LockClass cache_class{"canary-page-cache"};

struct Volume {
  clay::Mutex directory{directory_class};
  clay::Mutex node{node_class};
  clay::Mutex cache{cache_class};
  bool dirty = false;
};

void look_up(Volume& volume) {
  clay::MutexGuard directory(volume.directory);
  clay::MutexGuard node(volume.node);
}

void write(Volume& volume) {
  clay::MutexGuard node(volume.node);
  clay::MutexGuard cache(volume.cache);
  volume.dirty = true;
}

void evict(Volume& volume) {
  clay::MutexGuard cache(volume.cache);
  if (volume.dirty) {
    clay::MutexGuard directory(volume.directory);
    volume.dirty = false;
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Volume volume;
  for (uint64_t left = data.between(0, 8); left != 0; --left) {
    switch (data.below(4)) {
    case 0:
      look_up(volume);
      break;
    case 1:
      write(volume);
      break;
    case 2:
      evict(volume);
      break;
    default:
      break;
    }
  }
}

sim::Target target{{
    .name = "canary/lock-order",
    .purpose = "Takes three locks in a circle, each pair on another path.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockOrder,
}};

} // namespace
} // namespace kiln
