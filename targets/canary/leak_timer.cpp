// A connection arms its retransmission timer, and a reset forgets to disarm it.

#include "kernel-src/hal/annotate.h"
#include "targets/canary/canary.h"

namespace kiln {
namespace {

struct Connection {
  bool armed = false;
};

void send(Connection& connection) {
  if (!connection.armed) {
    hal_resource_taken(kHalTimer, &connection);
    connection.armed = true;
  }
}

void acknowledge(Connection& connection) {
  if (connection.armed) {
    hal_resource_returned(kHalTimer, &connection);
    connection.armed = false;
  }
}

void reset(Connection& connection) { connection.armed = false; }

void run(sim::Run& run) {
  auto data = run.tape.data();
  Connection connection;
  for (uint64_t left = canary::rounds(data); left != 0; --left) {
    switch (data.below(16)) {
    case 1:
      send(connection);
      break;
    case 2:
      reset(connection);
      break;
    default:
      acknowledge(connection);
    }
  }
  acknowledge(connection);
}

sim::Target target{{
    .name = "canary/leak-timer",
    .purpose = "Leaves a timer armed when a connection is reset.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kLeakTimer,
}};

} // namespace
} // namespace kiln
