#include "gates/worker/judge.h"

#include <cstdio>

#include "gates/worker/death.h"
#include "gates/worker/parting.h"

namespace kiln::gates {

namespace {

// A cheap run: what matters is its digest.
sim::ExecuteOptions plain(sim::ExecuteOptions options) {
  options.details = false;
  options.record = false;
  options.spans = nullptr;
  options.exhibits = nullptr;
  return options;
}

sim::ExecuteOptions with_other_fill(const sim::ExecuteOptions& options) {
  sim::ExecuteOptions other = plain(options);
  other.fill = kOtherFill;
  return other;
}

void make_finding(sim::Outcome& outcome, sim::Rule rule, const char* what,
                  const sim::TraceEvent* parting) {
  char headline[sizeof(sim::Finding::headline)];
  if (parting == nullptr) {
    std::snprintf(headline, sizeof headline, "%s", what);
  } else {
    std::string_view kind = sim::trace_kind_name(parting->kind);
    std::snprintf(headline, sizeof headline, "%s; the two runs part at the event '%.*s'", what,
                  static_cast<int>(kind.size()), kind.data());
  }
  outcome.found = true;
  outcome.finding = plain_finding(rule, headline);
  if (parting == nullptr) return;
  outcome.finding.clock_ns = parting->clock_ns;
  outcome.finding.point = parting->point;
  outcome.finding.cpu = parting->cpu;
  outcome.finding.context = parting->context;
  if (parting->pc != 0) {
    outcome.finding.stack.count = 1;
    outcome.finding.stack.pc[0] = parting->pc;
  }
}

} // namespace

void judge_further(Executor& executor, const Input& input, const sim::ExecuteOptions& options,
                   Rerun rerun, sim::Outcome& first) {
  if (first.found) return;
  sim::ExecuteOptions same = plain(options);
  sim::ExecuteOptions filled = with_other_fill(options);
  bool depends_on_fill = false;
  if (rerun.other_fill) {
    sim::Outcome other = executor.run(Phase::kOtherFill, input, filled);
    depends_on_fill = other.digest != first.digest || other.found;
  }
  // A run that is not its own twin says nothing about the fill.
  if (rerun.repeat || depends_on_fill) {
    sim::Outcome again = executor.run(Phase::kRepeat, input, same);
    if (again.digest != first.digest || again.found) {
      Parting parting = find_parting(executor, input, same, same);
      make_finding(first, sim::Rule::kNondeterminism, "the same input made two different runs",
                   parting.event());
      return;
    }
  }
  if (depends_on_fill) {
    Parting parting = find_parting(executor, input, same, filled);
    make_finding(first, sim::Rule::kUninitialised, "the run depends on what fresh memory holds",
                 parting.event());
  }
}

} // namespace kiln::gates
