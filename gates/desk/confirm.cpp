#include "gates/desk/confirm.h"

#include "gates/support/interrupt.h"

namespace kiln::gates {

namespace {

bool needs_second_runs(sim::Rule rule) {
  return rule == sim::Rule::kUninitialised || rule == sim::Rule::kNondeterminism;
}

bool same_run(const Found& found, const LabResult& result,
              const std::function<bool(const sim::Finding&)>& same) {
  if (!result.done.found || !same(result.done.finding)) return false;
  bool has_digest = found.digest != 0 && !result.died && result.done.digest != 0;
  return !has_digest || needs_second_runs(found.finding.rule) || result.done.digest == found.digest;
}

void take_over(Found& found, const LabResult& result) {
  found.finding = result.done.finding;
  found.digest = result.done.digest;
  if (!result.words.empty()) found.sanitizer_text = result.words;
  if (result.signal != 0) found.signal = result.signal;
  found.trace_tail = result.done.trace_tail;
  found.exhibits = result.done.exhibits;
  if (result.died) return;
  found.tape = result.done.tape;
  found.has_tape = true;
  found.spans = result.done.spans;
}

/// All bytes of all lanes of a seeded input, without a schedule.
std::vector<uint8_t> full_tape(const sim::Target& target, uint64_t seed, uint64_t iteration) {
  sim::Tape tape(sim::SeededInput{target.info().name, seed, iteration, target.info().longest_tape,
                                  target.info().numbered});
  for (unsigned lane = 0; lane < sim::kLanes; ++lane) {
    if (static_cast<sim::Lane>(lane) == sim::Lane::kSched) continue;
    auto view = tape.in(static_cast<sim::Lane>(lane));
    while (!view.at_end())
      view.u8();
  }
  return tape.written({});
}

} // namespace

SingleJob job_of(const Found& found) {
  SingleJob job;
  job.target = found.target;
  job.origin = found.origin;
  job.seed = found.seed;
  job.iteration = found.iteration;
  job.strategy = found.strategy;
  job.name = found.feed_name;
  job.bytes = found.tape;
  if (found.origin == Origin::kSeed && found.has_tape) job.origin = Origin::kTape;
  job.judge = needs_second_runs(found.finding.rule);
  return job;
}

bool confirm(Lab& lab, Found& found, unsigned attempts,
             const std::function<bool(const sim::Finding&)>& same, std::string* trouble) {
  SingleJob job = job_of(found);
  for (found.attempts = 0; found.attempts < attempts && !interrupted();) {
    LabResult result = lab.run_alone(job);
    if (result.failed) {
      *trouble = result.trouble;
      return false;
    }
    ++found.attempts;
    if (same_run(found, result, same)) ++found.reproduced;
  }
  return true;
}

bool record(Lab& lab, Found& found, const std::function<bool(const sim::Finding&)>& same,
            TraceLog* trace, std::string* trouble) {
  SingleJob job = job_of(found);
  job.details = true;
  job.record = true;
  job.trace = true;
  job.tail = kTailLines;
  LabResult result = lab.run_alone(job);
  if (result.failed) {
    *trouble = result.trouble;
    return false;
  }
  bool shows = result.done.found && same(result.done.finding);
  if (shows) {
    take_over(found, result);
    *trace = std::move(result.done.trace);
  }
  if (found.has_tape || found.origin != Origin::kSeed) return true;
  // The process died with its notes, or the finding did not show: what the seed gives.
  found.tape = full_tape(*found.target, found.seed, found.iteration);
  found.has_tape = true;
  result = lab.run_alone(job_of(found));
  found.tape_exact = !result.failed && result.done.found && same(result.done.finding);
  return true;
}

} // namespace kiln::gates
