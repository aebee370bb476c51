#pragma once
// Has a function run on a certain CPU: in an interrupt there, so it must be short and must not
// wait.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/sync/inline.h"

namespace clay {

/// A call on its way. It belongs to the caller again once `run` has been called.
struct CrossCall {
  void (*run)(void* arg);
  void* arg;
  ListLink link;
};

/// Sends a call, which must not be on its way already. kNoDevice when there is no such CPU. Does
/// not wait for it: any context but NMI.
Result<> send_cross_call(unsigned cpu, CrossCall& call);

Result<> cross_call_and_wait(unsigned cpu, void (*run)(void*), void* arg);

/// Runs run(arg) on `cpu` and waits until it has returned. kNoDevice when there is no such CPU.
/// Task context, nothing held.
CLAY_INLINE Result<> run_on_cpu(unsigned cpu, void (*run)(void*), void* arg) {
  hal_may_wait("run on cpu");
  return cross_call_and_wait(cpu, run, arg);
}

/// Connects the interrupt by which CPUs call on each other. Once, at boot.
void boot_cross_calls();

} // namespace clay
