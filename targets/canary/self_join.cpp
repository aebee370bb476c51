// A service handles the message "stop" itself, and so joins itself.

#include "kernel-src/sync/completion.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

constexpr uint8_t kStop = 77;

struct Service {
  clay::Task task;
  clay::Completion ready{"service"};
  uint8_t messages[16] = {};
  uint64_t count = 0;
};

void stop(Service& service) { service.task.join(); }

void serve(Service& service) {
  service.ready.wait();
  for (uint64_t i = 0; i < service.count; ++i) {
    if (service.messages[i] == kStop) {
      stop(service);
    }
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  Service service;
  service.count = data.below(17);
  for (uint64_t i = 0; i < service.count; ++i) {
    service.messages[i] = data.u8();
  }
  service.task = canary::spawn("service", [&service] { serve(service); });
  service.ready.complete();
  stop(service);
}

sim::Target target{{
    .name = "canary/self-join",
    .purpose = "A service joins itself when it is told to stop.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kSelfJoin,
}};

} // namespace
} // namespace kiln
