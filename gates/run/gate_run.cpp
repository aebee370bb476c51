#include "gates/run/gate_run.h"

#include <algorithm>
#include <fmt/format.h>

#include "gates/run/progress.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"
#include "gates/worker/death.h"

namespace kiln::gates {

namespace {

constexpr std::chrono::milliseconds kStep{100};

Found found_of(const RangeRun& run, const RangeFinding& finding) {
  Found found;
  found.target = run.plan().target;
  found.seed = run.plan().seed;
  found.iteration = finding.iteration;
  found.strategy = run.plan().strategy;
  found.finding = finding.finding;
  found.digest = finding.digest;
  found.sanitizer_text = run.words_of(finding.key);
  found.signal = run.signal_of(finding.key);
  found.key = finding.key;
  return found;
}

} // namespace

GateRun::GateRun(Pool& pool, FindingDesk& desk, const std::vector<RangePlan>& plans, unsigned jobs,
                 bool judge_probes)
    : pool_(pool), desk_(desk), jobs_(jobs), judge_probes_(judge_probes) {
  auto silenced = [this](const sim::Finding& finding) { return desk_.is_silenced(finding); };
  for (const RangePlan& plan : plans)
    runs_.push_back(std::make_unique<RangeRun>(plan, silenced));
  pool_.set_idle([this](WorkerProcess& worker) { offer(worker); });
}

std::vector<TargetSummary> GateRun::run() {
  size_t done = 0;
  while (done < runs_.size()) {
    keep_workers();
    pool_.step(kStep);
    for (auto& run : runs_) {
      run->tick(RangeRun::Clock::now());
      if (interrupted()) run->interrupt();
      if (workers_.empty() && !pool_.trouble().empty()) run->fail(pool_.trouble());
    }
    RangeRun& front = *runs_[done];
    settle(front);
    show_progress();
    if (front.finished()) {
      close(front);
      ++done;
    }
  }
  show_live_line("");
  pool_.set_idle({});
  if (lock_graph_.has_value() && lock_graph_->overflowed()) {
    complain("There are more lock classes or orders than are joined over inputs; a cycle of "
             "several inputs may have gone unseen.");
  }
  return std::move(summaries_);
}

void GateRun::keep_workers() {
  std::erase_if(workers_, [&](WorkerProcess* worker) { return !pool_.has(worker); });
  for (WorkerProcess*& worker : workers_) {
    if (!worker->retired() || worker->busy()) continue;
    pool_.drop(worker);
    worker = nullptr;
  }
  std::erase(workers_, nullptr);
  for (WorkerProcess* worker : workers_)
    offer(*worker);
  while (wants_worker()) {
    WorkerProcess* worker = pool_.start();
    if (worker == nullptr) break;
    workers_.push_back(worker);
    offer(*worker);
  }
}

// Not more than there are chunks for them, however many the user allows; and not more at once than
// can boot at once, so that a gate of a second is over before the hundredth has come up.
bool GateRun::wants_worker() const {
  if (workers_.size() >= jobs_ || !pool_.trouble().empty()) return false;
  auto boots = [](const WorkerProcess* worker) { return !worker->booted(); };
  auto booting = std::count_if(workers_.begin(), workers_.end(), boots);
  return booting < static_cast<ptrdiff_t>(processors()) &&
         std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->has_more(); });
}

void GateRun::offer(WorkerProcess& worker) {
  bool ours = std::find(workers_.begin(), workers_.end(), &worker) != workers_.end();
  if (!ours || worker.busy() || worker.retired()) return;
  for (auto& run : runs_) {
    if (run->feed(worker)) return;
    // A target that has a time for itself shares it with no other.
    bool timed = run->plan().time != std::chrono::nanoseconds::max();
    if (timed && !run->finished()) return;
  }
}

void GateRun::settle(RangeRun& run) {
  join_lock_facts(run);
  for (const RangeFinding& finding : run.take_findings())
    desk_.take(found_of(run, finding));
}

// Settled targets come one after another, inputs ascending: the joined order is the same however
// many workers there are.
void GateRun::join_lock_facts(RangeRun& run) {
  if (!pool_.booted().ok) return;
  if (!lock_graph_.has_value()) lock_graph_.emplace(pool_.booted().lock_edges);
  const RangePlan& plan = run.plan();
  for (const GivenFact& fact : run.take_lock_facts()) {
    FactSource source{plan.target->info().name, plan.seed, fact.iteration};
    std::optional<JoinedCycle> cycle = lock_graph_->add(source, fact.edge);
    if (cycle.has_value()) desk_.take_joined(plan.target, *cycle, plan.strategy);
  }
}

void GateRun::close(RangeRun& run) {
  settle(run);
  TargetSummary summary = run.summary();
  judge_probes(run, summary);
  summary.findings = desk_.lines_of(run.plan().target, run.totals().seen);
  print_block(target_line(summary));
  summaries_.push_back(std::move(summary));
}

void GateRun::judge_probes(const RangeRun& run, TargetSummary& summary) {
  std::string_view name = run.plan().target->info().name;
  std::vector<const sim::Probe*> declared;
  for (const sim::Probe* probe = sim::Probe::first(); probe != nullptr; probe = probe->next()) {
    if (probe->target() == name) declared.push_back(probe);
  }
  std::sort(declared.begin(), declared.end(), [](const sim::Probe* a, const sim::Probe* b) {
    return std::string_view(a->name()) < b->name();
  });
  const std::vector<ProbeHits>& all = run.totals().probes;
  for (const sim::Probe* probe : declared) {
    const ProbeHits hits = probe->index() < all.size() ? all[probe->index()] : ProbeHits{};
    summary.probes.push_back({probe->name(), hits.hits, hits.first});
    bool whole = judge_probes_ && summary.end == TargetEnd::kDone;
    if (hits.hits == 0 && whole) report_missed_probe(*run.plan().target, *probe, summary.inputs);
  }
}

void GateRun::report_missed_probe(const sim::Target& target, const sim::Probe& probe,
                                  uint64_t inputs) {
  Found found;
  found.target = &target;
  found.origin = Origin::kGate;
  std::string headline = fmt::format("no input of {} reached '{}'", inputs, probe.name());
  found.finding = plain_finding(sim::Rule::kProbeMissed, headline.c_str());
  desk_.take(std::move(found));
}

void GateRun::show_progress() {
  if (!has_live_line()) return;
  for (auto& run : runs_) {
    if (run->finished()) continue;
    show_live_line(live_line(*run));
    return;
  }
}

} // namespace kiln::gates
