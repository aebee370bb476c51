#pragma once
// For sync/work: what work items, delayed work, soft IRQs, lines, references and boxes promise to a
// task that has them for itself. An item that holds up the worker makes certain what is queued.

#include "sim/machine.h"

namespace kiln::sync {

/// `may_fail`: an allocation may still be made to fail.
void check_work_alone(sim::Machine& machine, bool may_fail);

/// The same for flushes, soft IRQs, lines and what counts references (work_alone_flush.cpp,
/// work_alone_irq.cpp, work_alone_ref.cpp).
/// `full`: also with as many tasks as there can be, which takes a while.
void check_irqs_alone(sim::Machine& machine, bool full);
void check_flushes_alone();
void check_refs_alone(sim::Machine& machine, bool may_fail);

} // namespace kiln::sync
