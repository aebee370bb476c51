#include "gates/run/many.h"

#include <algorithm>

#include "gates/cli/option_values.h"
#include "gates/run/gate_run.h"
#include "gates/run/progress.h"
#include "gates/run/session.h"
#include "gates/run/summary.h"
#include "gates/support/atomic_file.h"
#include "gates/support/build_facts.h"
#include "gates/support/environment.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

/// Inputs of a tier.
uint64_t tier_inputs(const sim::TargetInfo& target, Tier tier) {
  uint64_t gate = target.gate_inputs;
  switch (tier) {
  case Tier::kQuick:
    return target.quick_inputs != 0 ? target.quick_inputs : std::max<uint64_t>(1, gate / 10);
  case Tier::kGate:
    return gate;
  case Tier::kNightly:
    return target.nightly_inputs != 0 ? target.nightly_inputs : gate * 10;
  case Tier::kRelease:
    return gate * 100;
  }
  return gate;
}

std::vector<RangePlan> make_plans(const Settings& settings,
                                  const std::vector<const sim::Target*>& targets,
                                  const ManyOptions& options, unsigned jobs) {
  std::vector<RangePlan> plans;
  for (const sim::Target* target : targets) {
    RangePlan plan;
    plan.target = target;
    plan.seed = seed_of(settings);
    plan.end = settings.iterations.value_or(tier_inputs(target->info(), settings.tier));
    if (settings.seconds.has_value() || options.endless) plan.end = UINT64_MAX;
    if (settings.seconds.has_value()) plan.time = std::chrono::seconds(*settings.seconds);
    plan.strategy = settings.strategy;
    plan.keep_going = options.keep_going;
    plan.jobs = jobs;
    plans.push_back(plan);
  }
  return plans;
}

/// Asked before a run of hours, not after it.
bool can_write_reports(const Settings& settings, std::string* error) {
  return (settings.json.empty() || can_write_file(settings.json, error)) &&
         (settings.junit.empty() || can_write_file(settings.junit, error));
}

void write_reports(const Settings& settings, RunSummary& summary) {
  bool written = true;
  if (!settings.json.empty()) written &= write_report(settings.json, summary_to_json(summary));
  if (!settings.junit.empty()) written &= write_report(settings.junit, summary_to_junit(summary));
  bool quiet = summary.exit_code == ExitCode::kNothing;
  if (!written && quiet) summary.exit_code = ExitCode::kInconclusive;
}

} // namespace

ExitCode exit_code_of(const RunSummary& summary, bool interrupt_is_normal) {
  bool hang = false;
  bool failed = summary.interrupted && !interrupt_is_normal;
  for (const TargetSummary& target : summary.targets) {
    failed |= target.end == TargetEnd::kFailed;
    for (const FindingLine& line : target.findings) {
      if (!line.silenced.empty()) continue;
      if (!line.hang) return ExitCode::kFinding;
      hang = true;
    }
  }
  if (hang) return ExitCode::kHang;
  return failed ? ExitCode::kInconclusive : ExitCode::kNothing;
}

RunSummary run_many(const Settings& settings, const std::vector<const sim::Target*>& targets,
                    const ManyOptions& options) {
  RunSummary summary;
  summary.command = settings.command;
  summary.flavour = build_facts().flavour;
  summary.seed = seed_of(settings);
  summary.jobs = jobs_of(settings);
  std::string error;
  std::optional<KnownFindings> known = read_known(settings, &error);
  if (!known.has_value() || !prepare_out_folder(settings, &error) ||
      !can_write_reports(settings, &error)) {
    summary.exit_code = refuse(error);
    return summary;
  }
  watch_for_interrupts();
  use_live_line(live_terminal() && !settings.plain);

  auto begin = std::chrono::steady_clock::now();
  Pool pool = make_pool(settings);
  FindingDesk desk(settings, pool, std::move(*known));
  GateRun run(pool, desk, make_plans(settings, targets, options, summary.jobs), summary.jobs,
              options.judge_probes);
  summary.targets = run.run();
  summary.interrupted = interrupted();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  summary.peak_worker_bytes = pool.peak_bytes();
  summary.exit_code = exit_code_of(summary, options.endless);
  if (summary.exit_code == ExitCode::kNothing && !desk.trouble().empty()) {
    summary.exit_code = ExitCode::kInconclusive;
  }
  print_block(summary_table(summary));
  for (const std::string& trouble : desk.trouble())
    complain(trouble);
  for (const std::string& unused : desk.unused_known())
    complain(unused);
  write_reports(settings, summary);
  return summary;
}

} // namespace kiln::gates
