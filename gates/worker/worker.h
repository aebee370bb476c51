#pragma once
// A worker: a process that boots the machine once and then runs what it is told to, over a socket.
// It is forked from the supervisor (no exec), has one thread, and ends when the socket does.

#include "gates/worker/boot_plan.h"
#include "gates/worker/executor.h"
#include "gates/worker/jobs.h"

namespace kiln::gates {

struct WorkerSetup {
  int socket;
  int words; ///< file that standard output and error go to
  WorkerSlot* slot;
  Isolate isolate;
  const BootPlan* plan;
};

/// The body of the child.
[[noreturn]] void worker_main(const WorkerSetup& setup);

/// Runs a range; the part is left in the slot.
RangeDone run_range(const RangeJob& job, Executor& executor, WorkerSlot& slot);
/// Runs a range and notes which input visits which place for mutants.
RecordDone run_record(const RecordJob& job, Executor& executor, WorkerSlot& slot);
/// Runs inputs with mutants armed, in a child process. `socket`: is closed there.
TryDone run_try(const TryJob& job, int socket, WorkerSlot& slot);
/// Before the boot.
void carry_out(const BootPlan& plan);
/// Runs one input and looks closely.
SingleDone run_single(const SingleJob& job, Executor& executor);

} // namespace kiln::gates
