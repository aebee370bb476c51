#include "gates/worker/judge.h"
#include "gates/worker/parting.h"
#include "gates/worker/worker.h"

namespace kiln::gates {

namespace {

Input input_of(const SingleJob& job) {
  return {job.target, job.origin, job.seed, job.iteration, job.bytes, job.name};
}

std::vector<std::string> tail_in_words(size_t most) {
  std::vector<std::string> lines;
  for (const sim::TraceEvent& event : sim::trace_tail(most))
    lines.push_back(sim::describe(event));
  return lines;
}

void copy_facts(const sim::Outcome& outcome, SingleDone& done) {
  done.digest = outcome.digest;
  done.points = outcome.points;
  done.switches = outcome.switches;
  done.clock_ns = outcome.clock_ns;
  done.allocations = outcome.allocations;
  done.lock_edges = outcome.edges;
  done.tape.assign(outcome.tape.begin(), outcome.tape.end());
}

sim::Outcome first_run(const SingleJob& job, Executor& executor, const sim::ExecuteOptions& options,
                       SingleDone& done) {
  if (!job.trace) return executor.run(Phase::kInput, input_of(job), options, &done.words);
  TraceKeeper keeper;
  sim::Outcome outcome = executor.run(Phase::kInput, input_of(job), options, &done.words);
  done.trace = keeper.take();
  return outcome;
}

SingleDone run_for_artefact(const SingleJob& job, Executor& executor) {
  SingleDone done;
  std::optional<sim::HostVector<uint8_t>> artefact;
  sim::ExecuteOptions options;
  options.strategy = job.strategy;
  options.artefact = &artefact;
  sim::Outcome outcome = executor.run(Phase::kInput, input_of(job), options);
  done.found = outcome.found;
  done.has_artefact = artefact.has_value();
  if (artefact.has_value()) done.artefact.assign(artefact->begin(), artefact->end());
  return done;
}

} // namespace

SingleDone run_single(const SingleJob& job, Executor& executor) {
  if (job.artefact) return run_for_artefact(job, executor);
  SingleDone done;
  sim::ExecuteOptions options;
  options.strategy = job.strategy;
  options.details = job.details;
  options.record = job.record;
  if (job.record) options.spans = &done.spans;
  if (job.details) options.exhibits = &done.exhibits;
  sim::Outcome outcome = first_run(job, executor, options, done);
  if (job.tail > 0) done.trace_tail = tail_in_words(job.tail);
  copy_facts(outcome, done);
  if (job.judge) judge_further(executor, input_of(job), options, {true, true}, outcome);
  done.found = outcome.found;
  done.finding = outcome.finding;
  return done;
}

} // namespace kiln::gates
