// The last packet of a session ends it, while the handler still holds the session's lock.

#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/heap.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constinit clay::LockClass session_class{"canary-session"};

struct Session {
  clay::SpinLock lock{session_class};
  unsigned pending = 0;
  bool closing = false;
};

/// True when the session is gone.
bool on_packet(Session* session, bool last) {
  clay::SpinGuard guard(session->lock);
  session->closing = session->closing || last;
  if (session->closing && session->pending == 0) {
    clay::heap_delete(session);
    return true;
  }
  return false;
}

void send(Session& session) {
  clay::SpinGuard guard(session.lock);
  ++session.pending;
}

void acknowledge(Session& session) {
  clay::SpinGuard guard(session.lock);
  session.pending -= session.pending == 0 ? 0 : 1;
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  auto* session = clay::heap_new<Session>(kHalAllocMayWait);
  KILN_CHECK(session != nullptr, "there is no memory for a session");
  send(*session);
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    switch (data.below(3)) {
    case 0:
      send(*session);
      break;
    case 1:
      acknowledge(*session);
      break;
    default:
      if (on_packet(session, data.boolean())) {
        return;
      }
    }
  }
  clay::heap_delete(session);
}

sim::Target target{{
    .name = "canary/lock-destroyed-held",
    .purpose = "Frees a session while its lock is held.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLockDestroyedHeld,
}};

} // namespace
} // namespace kiln
