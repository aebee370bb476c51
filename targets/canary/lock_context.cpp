// A walk over a list under its spin lock takes the mutex of every node that needs writing back.

#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/spin_lock.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass list_class{"canary-list"};
constinit clay::LockClass node_class{"canary-list-node"};

struct Node {
  clay::Mutex lock{node_class};
  unsigned writes = 0;
};
struct List {
  clay::SpinLock lock{list_class};
  Node nodes[4];
};

void write(Node& node) {
  clay::MutexGuard guard(node.lock);
  ++node.writes;
}

void write_back(List& list) {
  clay::SpinGuard guard(list.lock);
  for (Node& node : list.nodes) {
    if (node.writes > 2) {
      clay::MutexGuard inner(node.lock);
      node.writes = 0;
    }
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  List list;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    if (data.below(4) == 3) {
      write_back(list);
    } else {
      write(list.nodes[data.below(4)]);
    }
  }
}

sim::Target target{{
    .name = "canary/lock-context",
    .purpose = "Takes a mutex under a spin lock for a node that was written often.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockContext,
}};

} // namespace
} // namespace kiln
