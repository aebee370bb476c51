#include "gates/worker/worker.h"

#include <climits>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

#include "gates/support/coverage_profile.h"
#include "gates/worker/channel.h"
#include "gates/worker/fault_handlers.h"
#include "gates/worker/fences.h"
#include "gates/worker/sanitizer.h"
#include "sim/mutants.h"

namespace kiln::gates {

namespace {

void redirect_streams(int words) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
}

// Sockets of other workers, pipes of the symbolizer: none of a worker's business.
int keep_only(int socket) {
  constexpr int kFirstFree = STDERR_FILENO + 1;
  if (socket != kFirstFree) dup2(socket, kFirstFree);
  close_range(kFirstFree + 1, UINT_MAX, 0);
  return kFirstFree;
}

// Ctrl-C goes to the whole process group; ending workers is the supervisor's business.
void leave_interrupts_to_the_supervisor() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    std::signal(signal, SIG_IGN);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

Booted boot_machine(WorkerSlot& slot) {
  Booted booted;
  slot.running = Phase::kBoot;
  booted.ok = sim::boot(&booted.error, &booted.finding);
  if (booted.ok) {
    booted.generation = sim::machine_generation();
    booted.lock_edges = sim::booted_lock_edges();
    sim::watch_first_writes();
  }
  booted.visits = sim::mutant_seen().visits;
  booted.differs = sim::mutant_seen().differs;
  slot.running = Phase::kIdle;
  return booted;
}

bool serve(const Message& message, int socket, Executor& executor, WorkerSlot& slot) {
  RangeJob range;
  SingleJob single;
  RecordJob record;
  TryJob attempt;
  slot.note.valid = false;
  slot.killed = KillReason::kNone;
  switch (message.kind) {
  case MessageKind::kRangeJob:
    return unpack(message.bytes, &range) &&
           send(socket, MessageKind::kRangeDone, run_range(range, executor, slot));
  case MessageKind::kSingleJob:
    return unpack(message.bytes, &single) &&
           send(socket, MessageKind::kSingleDone, run_single(single, executor));
  case MessageKind::kRecordJob:
    return unpack(message.bytes, &record) &&
           send(socket, MessageKind::kRecordDone, run_record(record, executor, slot));
  case MessageKind::kTryJob:
    return unpack(message.bytes, &attempt) &&
           send(socket, MessageKind::kTryDone, run_try(attempt, socket, slot));
  default:
    return false;
  }
}

} // namespace

[[noreturn]] void worker_main(const WorkerSetup& setup) {
  WorkerSlot& slot = *setup.slot;
  slot.runner = getpid();
  sim::probe_counters = slot.probes;
  leave_interrupts_to_the_supervisor();
  redirect_streams(setup.words);
  int socket = keep_only(setup.socket);
  std::vector<Fence> fences = put_up_fences();
  note_sanitizer_reports(slot.note);
  install_fault_handlers(slot.note);

  carry_out(*setup.plan);
  Booted booted = boot_machine(slot);
  booted.fences = std::move(fences);
  bool alive = send(socket, MessageKind::kBooted, booted) && booted.ok;
  Executor executor(setup.isolate, slot);
  Message message;
  while (alive && receive_message(socket, &message)) {
    alive = serve(message, socket, executor, slot);
  }
  write_coverage_profile();
  _exit(0);
}

} // namespace kiln::gates
