// The error path of a write unlocks, and the common way out unlocks again.

#include "kernel-src/sync/mutex.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass file_class{"canary-file"};

struct File {
  clay::Mutex lock{file_class};
  uint64_t size = 0;
};

void append(File& file, uint64_t bytes) {
  file.lock.lock();
  if (file.size + bytes > 64) {
    file.size = 0;
    file.lock.unlock();
  } else {
    file.size += bytes;
  }
  file.lock.unlock();
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  File file;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    append(file, data.below(12));
  }
}

sim::Target target{{
    .name = "canary/lock-not-held",
    .purpose = "Releases a mutex twice when a file is full.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockNotHeld,
}};

} // namespace
} // namespace kiln
