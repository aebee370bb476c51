#include "kernel-src/task/cross_call.h"

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/sync/completion.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/permanent.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/per_cpu.h"

namespace clay {
namespace {

/// Calls that one interrupt runs at most; for the rest it raises itself again.
constexpr unsigned kMostPerInterrupt = 8;

constinit LockClass cross_call_class{"cross-call"};

struct Inbox {
  IrqSpinLock lock{cross_call_class};
  List<CrossCall, &CrossCall::link> calls; ///< guarded by lock
};

constinit Permanent<PerCpu<Inbox>> inboxes;

CrossCall* take_one(Inbox& inbox) {
  IrqSpinGuard guard(inbox.lock);
  return inbox.calls.pop_front();
}

void on_interrupt(unsigned line, void*) {
  Inbox& inbox = inboxes->here();
  for (unsigned runs = 0; runs < kMostPerInterrupt; ++runs) {
    CrossCall* call = take_one(inbox);
    if (call == nullptr) {
      return;
    }
    call->run(call->arg); // and `call` may be gone
  }
  hal_irq_raise(hal_cpu_id(), line);
}

struct Waited {
  void (*run)(void*);
  void* arg;
  Completion done{"cross call"};
};

void run_waited(void* arg) {
  auto* waited = static_cast<Waited*>(arg);
  waited->run(waited->arg);
  waited->done.complete();
}

} // namespace

Result<> send_cross_call(unsigned cpu, CrossCall& call) {
  if (cpu >= hal_cpu_count()) {
    return Error::kNoDevice;
  }
  Inbox& inbox = inboxes->on(cpu);
  {
    IrqSpinGuard guard(inbox.lock);
    inbox.calls.push_back(call);
  }
  hal_irq_raise(cpu, kHalIpiIrq); // after the call is in: the interrupt finds it
  return {};
}

Result<> cross_call_and_wait(unsigned cpu, void (*run)(void*), void* arg) {
  Waited waited{run, arg};
  CrossCall call{run_waited, &waited, {}};
  CLAY_TRY(send_cross_call(cpu, call));
  waited.done.wait();
  return {};
}

void boot_cross_calls() {
  static constexpr InterruptHandler handler{on_interrupt, nullptr};
  const Result<> connected = connect_interrupt(kHalIpiIrq, handler);
  CLAY_ASSERT(connected.ok());
}

} // namespace clay
