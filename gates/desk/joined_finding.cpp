#include "gates/desk/joined_finding.h"

#include "gates/shrink/shrink.h"
#include "gates/support/front_door.h"
#include "gates/support/interrupt.h"
#include "gates/support/printable.h"
#include "gates/worker/death.h"

namespace kiln::gates {

namespace {

constexpr ShrinkBudget kShrinkBudget{5'000, std::chrono::seconds{10}};

sim::Stack stack_of(uint64_t site) {
  sim::Stack stack{};
  stack.count = site != 0 ? 1 : 0;
  stack.pc[0] = site;
  return stack;
}

SingleJob tape_job(const JoinedTape& tape) {
  SingleJob job;
  job.target = tape.target;
  job.origin = Origin::kTape;
  job.bytes = tape.tape;
  job.judge = false;
  return job;
}

SingleJob seed_job(const JoinedTape& tape, sim::StrategyKind strategy) {
  SingleJob job;
  job.target = tape.target;
  job.seed = tape.source.seed;
  job.iteration = tape.source.iteration;
  job.strategy = strategy;
  job.record = true;
  job.judge = false;
  return job;
}

// Keeps the facts that the cycle has from this input.
class FactsJudge : public ShrinkJudge {
 public:
  FactsJudge(Lab& lab, const JoinedTape& tape, std::vector<sim::LockEdge> wanted)
      : lab_(lab), job_(tape_job(tape)), wanted_(std::move(wanted)) {
    job_.record = true;
  }
  std::optional<Judged> run(std::span<const uint8_t> tape) override {
    if (interrupted()) return std::nullopt;
    job_.bytes.assign(tape.begin(), tape.end());
    LabResult result = lab_.run(job_);
    if (result.failed) return std::nullopt;
    Judged judged;
    judged.same = !result.died && gives_all(result.done.lock_edges);
    judged.tape = std::move(result.done.tape);
    judged.record = std::move(result.done.spans);
    return judged;
  }

 private:
  bool gives_all(const std::vector<sim::LockEdge>& edges) const {
    for (const sim::LockEdge& edge : wanted_) {
      if (!gives(edges, edge)) return false;
    }
    return true;
  }
  Lab& lab_;
  SingleJob job_;
  std::vector<sim::LockEdge> wanted_;
};

std::vector<sim::LockEdge> facts_from(const JoinedCycle& cycle, const FactSource& source) {
  std::vector<sim::LockEdge> facts;
  for (const JoinedCycle::Part& part : cycle.parts) {
    if (part.source == source) facts.push_back(part.edge);
  }
  return facts;
}

void shrink_tape(Lab& lab, JoinedTape& tape, std::vector<sim::LockEdge> wanted) {
  FactsJudge judge(lab, tape, std::move(wanted));
  ShrinkResult result = kiln::gates::shrink(tape.tape, judge, kShrinkBudget);
  bool usable = result.end != ShrinkEnd::kNotReproduced && result.end != ShrinkEnd::kCannotRun;
  if (usable) tape.tape = std::move(result.tape);
}

} // namespace

sim::Finding finding_of(const JoinedCycle& cycle) {
  sim::Finding finding = plain_finding(cycle.rule, cycle.headline.c_str());
  if (cycle.parts.empty()) return finding;
  const sim::LockEdge& newest = cycle.parts.front().edge;
  finding.stack = stack_of(newest.taken_site != 0 ? newest.taken_site : newest.held_site);
  const sim::LockEdge& other = cycle.parts.back().edge;
  finding.other = stack_of(other.taken_site != 0 ? other.taken_site : other.held_site);
  finding.has_other = finding.other.count != 0;
  std::snprintf(finding.other_label, sizeof finding.other_label,
                "the other input took '%.40s' here, with '%.40s' held", other.to, other.from);
  return finding;
}

bool examine_cycle(Lab& lab, const JoinedCycle& cycle, sim::StrategyKind strategy, bool shrink,
                   JoinedFinding* out, std::string* trouble) {
  out->finding = finding_of(cycle);
  for (const FactSource& source : cycle.sources()) {
    JoinedTape tape{sim::Target::find(source.target), source, {}};
    LabResult result = lab.run_alone(seed_job(tape, strategy));
    if (result.failed) {
      *trouble = result.trouble;
      return false;
    }
    tape.tape = std::move(result.done.tape);
    if (shrink && !result.died) shrink_tape(lab, tape, facts_from(cycle, source));
    out->tapes.push_back(std::move(tape));
  }
  std::optional<JoinedCycle> again = join_tapes(lab, out->tapes, trouble);
  out->reproduced = again.has_value() && again->identity() == cycle.identity();
  return trouble->empty();
}

std::optional<JoinedCycle> join_tapes(Lab& lab, const std::vector<JoinedTape>& tapes,
                                      std::string* trouble) {
  std::vector<RunFacts> runs;
  for (auto tape = tapes.rbegin(); tape != tapes.rend(); ++tape) {
    LabResult result = lab.run_alone(tape_job(*tape));
    if (interrupted() && !result.failed) {
      result.failed = true;
      result.trouble = "It was interrupted before all tapes had been run.";
    }
    if (result.failed) {
      *trouble = result.trouble;
      return std::nullopt;
    }
    runs.push_back({tape->source, result.done.lock_edges});
  }
  return join_runs(lab.booted().lock_edges, runs);
}

std::string join_command(const std::vector<JoinedTape>& tapes,
                         const std::vector<std::string>& files) {
  std::string command = front_door() + " join";
  for (size_t i = 0; i < tapes.size() && i < files.size(); ++i) {
    command += std::string(" ") + tapes[i].target->info().name + " " + shell_word(files[i]);
  }
  return command;
}

} // namespace kiln::gates
