#include "gates/worker/lab.h"

#include "gates/worker/asan_report.h"

namespace kiln::gates {

namespace {

constexpr std::chrono::milliseconds kStep{100};
constexpr unsigned kMostAttempts = 3;

} // namespace

sim::Finding finding_of_end(const WorkerEnd& end, const DeathNote& note) {
  sim::Finding finding = finding_of_death(end.death, note);
  // AddressSanitizer's own text says more than the note: where the memory came from.
  sim::Finding told{};
  if (end.death.killed == KillReason::kNone && parse_asan_report(end.words, &told)) finding = told;
  return finding;
}

Lab::~Lab() { let_go(); }

void Lab::let_go() {
  if (worker_ != nullptr) pool_.drop(worker_);
  worker_ = nullptr;
}

LabResult Lab::run_alone(const SingleJob& job) {
  let_go();
  LabResult result = run(job);
  let_go();
  return result;
}

LabResult Lab::run(const SingleJob& job) {
  for (unsigned i = 0; i < kMostAttempts; ++i) {
    LabResult result = attempt(job);
    if (!killed_from_outside_) return result;
  }
  LabResult failed;
  failed.failed = true;
  failed.trouble = "A worker was killed from outside, again and again (is memory short?).";
  return failed;
}

LabResult Lab::attempt(const SingleJob& job) {
  result_.reset();
  killed_from_outside_ = false;
  if (worker_ == nullptr) worker_ = pool_.start();
  if (worker_ == nullptr) {
    LabResult failed;
    failed.failed = true;
    failed.trouble = pool_.trouble();
    return failed;
  }
  worker_->ask(MessageKind::kSingleJob, job, *this);
  while (!result_.has_value())
    pool_.step(kStep);
  if (worker_ != nullptr && worker_->retired()) let_go();
  return std::move(*result_);
}

void Lab::on_done(WorkerProcess& worker, const Message& answer) {
  LabResult result;
  if (!unpack(answer.bytes, &result.done)) {
    result.failed = true;
    result.trouble = "A worker's answer was not whole.";
  }
  // A run that was stopped in the middle may have left a lock of the host's libraries taken.
  bool damaged = result.done.found && result.done.finding.rule == sim::Rule::kHang;
  if (damaged || result.failed) worker.retire();
  result.words = worker.words();
  result_ = std::move(result);
}

void Lab::on_end(WorkerProcess& worker, const WorkerEnd& end) {
  worker_ = nullptr;
  killed_from_outside_ = killed_from_outside(end.death, worker.slot().note);
  LabResult result;
  if (!end.in_input) {
    result.failed = true;
    result.trouble = pool_.trouble().empty() ? end.trouble : pool_.trouble();
    if (!worker.boot().error.empty()) result.trouble = worker.boot().error;
  } else {
    result.died = true;
    result.signal = death_signal(end.death);
    result.words = end.words;
    result.done.found = true;
    result.done.finding = finding_of_end(end, worker.slot().note);
  }
  result_ = std::move(result);
}

} // namespace kiln::gates
