// The child runs the whole job in process and leaves what it found in the slot, as plain data:
// it may have been stopped in the middle of anything, and must not allocate any more.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gates/finding/finding_key.h"
#include "gates/worker/asan_report.h"
#include "gates/worker/death.h"
#include "gates/worker/fault_handlers.h"
#include "gates/worker/judge.h"
#include "gates/worker/worker.h"
#include "sim/mutants.h"

namespace kiln::gates {

namespace {

constexpr unsigned kMostAttempts = 3;
constexpr size_t kMostWords = 32768;

void arm(const TryJob& job) {
  for (uint32_t number : job.mutants)
    sim::arm_mutant(sim::mutant_table().mutants[number]);
}

// In time of the processor: a busy host makes no hang.
void limit_time(uint32_t seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
}

void note_seen(WorkerSlot& slot) {
  sim::MutantSeen seen = sim::mutant_seen();
  slot.visits = seen.visits;
  slot.differs = seen.differs;
}

bool counts_as_found(const TryJob& job, const sim::Finding& finding) {
  if ((job.rules_off >> static_cast<unsigned>(finding.rule) & 1) != 0) return false;
  return !std::binary_search(job.original.begin(), job.original.end(), finding_key(finding));
}

// The same run again, its decisions written down. A hang would take as long once
// more; a process that dies of it has left its finding before.
void keep_tape(const Input& input, sim::ExecuteOptions options, Executor& executor,
               WorkerSlot& slot) {
  if (slot.findings[0].finding.rule == sim::Rule::kHang) return;
  options.record = true;
  sim::Outcome again = executor.run(Phase::kRepeat, input, options);
  if (again.digest != slot.findings[0].digest || again.tape.size() > kTriedTape) return;
  std::copy(again.tape.begin(), again.tape.end(), slot.tape);
  slot.tape_bytes = static_cast<uint32_t>(again.tape.size());
}

// What does not fit goes unseen.
void note_facts(WorkerSlot& slot, LockFacts& facts, uint64_t iteration,
                const sim::Outcome& outcome) {
  size_t before = facts.list().size();
  facts.add(iteration, outcome.edges);
  for (size_t i = before; i < facts.list().size() && slot.fact_count < kChunkFacts; ++i) {
    slot.facts[slot.fact_count] = facts.list()[i];
    slot.fact_part[slot.fact_count++] = slot.part;
  }
}

bool finds(const TryJob& job, const Input& input, Executor& executor, LockFacts& facts,
           WorkerSlot& slot) {
  slot.iteration = input.iteration;
  limit_time(job.cpu_seconds);
  sim::ExecuteOptions options;
  options.strategy = job.strategy;
  options.rules_off = job.rules_off;
  sim::Outcome outcome = executor.run(Phase::kInput, input, options);
  judge_further(executor, input, options, rerun_of_iteration(input.iteration), outcome);
  note_seen(slot);
  note_facts(slot, facts, input.iteration, outcome);
  if (!outcome.found || !counts_as_found(job, outcome.finding)) return false;
  slot.findings[0] = {0, input.iteration, outcome.digest, 1, outcome.finding};
  slot.finding_count = 1;
  keep_tape(input, options, executor, slot);
  return true;
}

void run_parts(const TryJob& job, WorkerSlot& slot) {
  Executor executor(Isolate::kProcess, slot);
  for (const TryPart& part : job.parts) {
    slot.part = static_cast<uint32_t>(&part - job.parts.data());
    sim::set_loop_fuel(part.loop_fuel);
    LockFacts facts;
    for (const InputRange& range : part.inputs) {
      for (uint64_t i = range.begin; i < range.end; ++i) {
        Input input{part.target, Origin::kSeed, job.seed, i, {}, {}};
        if (finds(job, input, executor, facts, slot)) return;
      }
    }
  }
}

[[noreturn]] void child(const TryJob& job, int socket, WorkerSlot& slot) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(socket);
  arm(job);
  run_parts(job, slot);
  _exit(0);
}

std::string words_after(off_t from) {
  off_t size = lseek(STDOUT_FILENO, 0, SEEK_END);
  from = std::max(from, size - static_cast<off_t>(kMostWords));
  if (from >= size) return "";
  std::string text(static_cast<size_t>(size - from), '\0');
  ssize_t n = pread(STDOUT_FILENO, text.data(), text.size(), from);
  text.resize(n > 0 ? static_cast<size_t>(n) : 0);
  // What a worker may print is bounded, and a worker sees many die.
  if (ftruncate(STDOUT_FILENO, 0) != 0) return text;
  return text;
}

void prepare(WorkerSlot& slot) {
  slot.finding_count = 0;
  slot.fact_count = 0;
  slot.part = 0;
  slot.tape_bytes = 0;
  note_seen(slot);
  slot.note.valid = false;
  slot.killed = KillReason::kNone;
}

TryDone result_in(const WorkerSlot& slot) {
  TryDone done;
  done.part = slot.part;
  // The child went on from what the boot had counted, which Booted tells.
  done.visits = slot.visits - sim::mutant_seen().visits;
  done.differs = slot.differs - sim::mutant_seen().differs;
  for (uint32_t i = 0; i < std::min(slot.fact_count, kChunkFacts); ++i)
    done.facts.push_back({slot.fact_part[i], slot.facts[i]});
  done.found = slot.finding_count > 0;
  if (!done.found) return done;
  done.iteration = slot.findings[0].iteration;
  done.digest = slot.findings[0].digest;
  done.finding = slot.findings[0].finding;
  done.tape.assign(slot.tape, slot.tape + std::min<size_t>(slot.tape_bytes, kTriedTape));
  return done;
}

void take_death(const Death& death, const WorkerSlot& slot, off_t words, TryDone* done) {
  done->died = true;
  done->found = true;
  done->iteration = slot.iteration;
  done->finding = finding_of_death(death, slot.note);
  done->words = words_after(words);
  sim::Finding told{};
  if (death.killed == KillReason::kNone && parse_asan_report(done->words, &told)) {
    done->finding = told;
  }
}

/// Whether it says anything.
bool attempt(const TryJob& job, int socket, WorkerSlot& slot, TryDone* done) {
  prepare(slot);
  off_t words = lseek(STDOUT_FILENO, 0, SEEK_END);
  pid_t pid = fork();
  if (pid < 0) _exit(kWorkerCannotGoOn);
  if (pid == 0) child(job, socket, slot);
  slot.runner.store(pid);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  slot.runner.store(getpid());
  slot.running = Phase::kIdle;
  Death death{status, slot.killed.exchange(KillReason::kNone)};
  *done = result_in(slot);
  bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (ended_well || done->found) return true;
  if (killed_from_outside(death, slot.note)) return false;
  take_death(death, slot, words, done);
  return true;
}

} // namespace

TryDone run_try(const TryJob& job, int socket, WorkerSlot& slot) {
  TryDone done;
  for (unsigned i = 0; i < kMostAttempts; ++i) {
    if (attempt(job, socket, slot, &done)) return done;
  }
  done.failed = true;
  return done;
}

} // namespace kiln::gates
