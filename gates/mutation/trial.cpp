#include "gates/mutation/trial.h"

#include <algorithm>
#include <set>

#include "gates/mutation/lock_join.h"
#include "gates/worker/death.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

namespace {

/// Inputs of each target that a round tries.
constexpr uint64_t kRounds[] = {200, 2000, UINT64_MAX};
constexpr unsigned kMostFailures = 3;

/// "a+b".
std::string classes_of(const JoinedCycle& cycle) {
  std::set<std::string> names;
  for (const JoinedCycle::Part& part : cycle.parts)
    names.insert({part.edge.from, part.edge.to});
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : "+") + name;
  return text;
}

void add_all(std::vector<uint64_t>& to, const std::vector<uint64_t>& keys) {
  to.insert(to.end(), keys.begin(), keys.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

} // namespace

Trial::Trial(TrialPlan plan)
    : plan_(std::move(plan)), facts_(plan_.targets.size()), next_(plan_.targets.size()) {}

BootPlan Trial::boot_plan() const {
  BootPlan boot;
  if (plan_.boots_armed) boot.armed = plan_.armed;
  for (const TrialTarget& target : plan_.targets)
    boot.loop_fuel = std::max(boot.loop_fuel, target.loop_fuel);
  return boot;
}

void Trial::run_in(WorkerProcess& worker) {
  if (plan_.boots_armed) {
    worker.await_boot(*this);
  } else {
    ask_next(worker);
  }
}

void Trial::ask_next(WorkerProcess& worker) {
  if (make_job()) {
    worker.ask(MessageKind::kTryJob, job_, *this);
  } else {
    join_lock_facts();
    finish();
  }
}

// No input shows it alone: do they together?
void Trial::join_lock_facts() {
  std::vector<JoinTarget> targets;
  for (size_t i = 0; i < plan_.targets.size(); ++i) {
    const TrialTarget& target = plan_.targets[i];
    targets.push_back(
        {target.target, target.all ? nullptr : &target.inputs, target.recording, facts_[i]});
  }
  if (targets.empty()) return;
  const std::vector<sim::LockEdge>& boot =
      plan_.boots_armed ? boot_edges_ : plan_.targets[0].recording->boot_edges;
  std::optional<JoinedCycle> cycle = join_with_mutant(boot, plan_.seed, std::move(targets));
  if (!cycle.has_value() || is_off(cycle->rule)) return;
  found_ = true;
  joined_ = classes_of(*cycle);
  done_.finding = plain_finding(cycle->rule, cycle->headline.c_str());
  done_.iteration = cycle->parts.front().source.iteration;
  found_by_ = sim::Target::find(cycle->parts.front().source.target);
}

// The next round that has something to try.
bool Trial::make_job() {
  for (; round_ < std::size(kRounds); ++round_) {
    before_ = next_;
    job_ = {};
    part_target_.clear();
    job_.mutants = plan_.armed;
    job_.seed = plan_.seed;
    job_.strategy = plan_.strategy;
    job_.rules_off = plan_.rules_off;
    for (size_t i = 0; i < plan_.targets.size(); ++i)
      add_part(i, kRounds[round_]);
    if (!job_.parts.empty()) return true;
  }
  return false;
}

void Trial::add_part(size_t target, uint64_t most) {
  const TrialTarget& t = plan_.targets[target];
  TryPart part{t.target, {}, t.loop_fuel};
  uint64_t& next = next_[target];
  if (t.all && next < t.budget) {
    uint64_t end = most < t.budget - next ? next + most : t.budget;
    part.inputs = {{next, end}};
    next = end;
  } else if (!t.all) {
    part.inputs = ranges_of(t.inputs, next, t.budget, most, &next);
  }
  if (part.inputs.empty()) return;
  job_.parts.push_back(std::move(part));
  part_target_.push_back(target);
  add_all(job_.original, t.original);
}

void Trial::on_done(WorkerProcess& worker, const Message& answer) {
  if (answer.kind == MessageKind::kBooted) return on_boot(worker, answer);
  TryDone done;
  if (!unpack(answer.bytes, &done)) {
    trouble_ = "A worker's answer was not whole.";
  } else if (done.failed) {
    trouble_ = "The process that ran it was killed from outside, again and again.";
  } else {
    take(done);
  }
  if (found_ || failed()) return finish();
  ++round_;
  ask_next(worker);
}

void Trial::take(const TryDone& done) {
  visits_ += done.visits;
  differs_ += done.differs;
  for (const TriedFact& fact : done.facts) {
    if (fact.part < part_target_.size()) facts_[part_target_[fact.part]].push_back(fact.given);
  }
  if (!done.found) return;
  if (is_off(done.finding.rule)) {
    trouble_ = "An input ends its process, and the rule that says so is switched off.";
    return;
  }
  size_t target = part_target_[std::min<size_t>(done.part, part_target_.size() - 1)];
  found_ = true;
  done_ = done;
  found_by_ = plan_.targets[target].target;
  // Not tried: what comes after the finding, here and in later parts.
  next_[target] = done.iteration + 1;
  for (size_t later = done.part + 1; later < part_target_.size(); ++later)
    next_[part_target_[later]] = before_[part_target_[later]];
}

// A boot that leaves the machine as the original's does: then only the inputs that reach a site can
// differ.
void Trial::on_boot(WorkerProcess& worker, const Message& answer) {
  Booted booted;
  if (!unpack(answer.bytes, &booted)) {
    trouble_ = "A worker's answer was not whole.";
    return finish();
  }
  boot_visits_ = booted.visits;
  boot_differs_ = booted.differs;
  if (!booted.ok) return fails_to_boot(booted.finding);
  boot_edges_ = booted.lock_edges;
  if (booted.generation != plan_.original_generation) {
    for (TrialTarget& target : plan_.targets)
      target.all = true;
  }
  ask_next(worker);
}

bool Trial::is_off(sim::Rule rule) const {
  return (plan_.rules_off >> static_cast<unsigned>(rule) & 1) != 0;
}

void Trial::fails_to_boot(const sim::Finding& finding) {
  if (is_off(finding.rule)) {
    trouble_ = "It does not boot, and the rule that says so is switched off.";
    return finish();
  }
  found_ = true;
  done_.finding = finding;
  if (!plan_.targets.empty()) {
    found_by_ = plan_.targets.front().target;
    next_[0] = 1;
  }
  finish();
}

void Trial::on_end(WorkerProcess& worker, const WorkerEnd& end) {
  bool boots = worker.slot().running.load() == Phase::kBoot;
  bool outside = killed_from_outside(end.death, worker.slot().note);
  if (boots && plan_.boots_armed && !outside) {
    return fails_to_boot(finding_of_end(end, worker.slot().note));
  }
  if (++failures_ < kMostFailures) {
    // Again from the beginning of the round, in another worker.
    if (!before_.empty()) next_ = before_;
    return;
  }
  trouble_ = end.trouble.empty() ? "The worker was ended, again and again." : end.trouble;
  finish();
}

std::vector<MutantTry> Trial::tries() const {
  std::vector<MutantTry> list;
  for (size_t i = 0; i < plan_.targets.size(); ++i) {
    const TrialTarget& target = plan_.targets[i];
    if (next_[i] == 0) continue;
    bool found = found_ && target.target == found_by_;
    list.push_back({target.target->info().name, plan_.strategy, next_[i], found});
  }
  return list;
}

} // namespace kiln::gates
