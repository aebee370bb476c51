// Requests lie in slots that are used again; a late answer signals the event of a request whose
// life has ended.

#include <new>

#include "kernel-src/sync/event.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Request {
  clay::Event done{"request"};
};

struct Slot {
  alignas(Request) unsigned char bytes[sizeof(Request)];
  Request* request = nullptr; ///< what the device was told
  bool alive = false;
};

void submit(Slot& slot) {
  if (!slot.alive) {
    slot.request = new (slot.bytes) Request;
    slot.alive = true;
  }
}

void abort(Slot& slot) {
  if (slot.alive) {
    slot.request->~Request();
    slot.alive = false;
  }
}

void answer(Slot& slot) {
  if (slot.request != nullptr) {
    slot.request->done.signal();
    abort(slot);
    slot.request = nullptr;
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Slot slots[4];
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    Slot& slot = slots[data.below(4)];
    switch (data.below(8)) {
    case 0:
    case 1:
      submit(slot);
      break;
    case 2:
      abort(slot);
      break;
    case 3:
      answer(slot);
      break;
    default:
      break;
    }
  }
  for (Slot& slot : slots) {
    abort(slot);
  }
}

sim::Target target{{
    .name = "canary/use-destroyed",
    .purpose = "Signals the event of a request that has been aborted.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kUseDestroyed,
}};

} // namespace
} // namespace kiln
