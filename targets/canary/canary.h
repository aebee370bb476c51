#pragma once
// What the canaries share. A canary is a target that must fail: a few lines of kernel code with one
// bug, which some inputs reach and some do not. The empty tape never does. They show that the
// machine finds what it says it finds, and give the shrinker something to do.

#include <utility>

#include "kernel-src/task/task.h"
#include "sim/machine.h"
#include "sim/target.h"

namespace kiln::canary {

using Data = sim::Tape::View;

/// Rounds of a canary's little program; 0 on the empty tape.
inline uint64_t rounds(Data& data) { return data.between(0, 24); }

/// A task that runs `body`; the canary cannot go on without it.
template <typename Body> clay::Task spawn(const char* name, Body body) {
  auto task = clay::Task::spawn(name, std::move(body));
  KILN_CHECK(task.ok(), "task '%s' could not be made", name);
  return std::move(task).value();
}

} // namespace kiln::canary
