#include "gates/run/progress.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln::gates {

namespace {

unsigned probes_hit(const TargetSummary& summary) {
  return static_cast<unsigned>(
      std::count_if(summary.probes.begin(), summary.probes.end(),
                    [](const ProbeLine& probe) { return probe.hits > 0; }));
}

size_t loud_findings(const TargetSummary& summary) {
  return static_cast<size_t>(
      std::count_if(summary.findings.begin(), summary.findings.end(),
                    [](const FindingLine& line) { return line.silenced.empty(); }));
}

const char* end_word(const TargetSummary& summary) {
  switch (summary.end) {
  case TargetEnd::kInterrupted:
    return "interrupted";
  case TargetEnd::kFailed:
    return "FAILED";
  case TargetEnd::kStopped:
    return "stopped";
  case TargetEnd::kDone:
    break;
  }
  return loud_findings(summary) > 0 ? "FOUND" : "ok";
}

size_t name_width(const RunSummary& summary) {
  size_t width = 6;
  for (const TargetSummary& target : summary.targets) {
    width = std::max(width, std::string_view(target.target->info().name).size());
  }
  return width;
}

/// How many inputs it took to hit all probes; "" when some were not, or there are none.
std::string inputs_for_probes(const TargetSummary& t) {
  if (t.probes.empty() || probes_hit(t) != t.probes.size()) return "";
  const auto last = std::max_element(t.probes.begin(), t.probes.end(),
                                     [](auto& a, auto& b) { return a.first < b.first; });
  return grouped(last->first + 1);
}

std::string row(const TargetSummary& t, size_t width) {
  return fmt::format("{:<{}}  {:>11}  {:>9}  {:>3}/{:<3}  {:>7}  {:>8}  {:016x}  {:>9}  {}\n",
                     t.target->info().name, width, grouped(t.inputs),
                     grouped(static_cast<uint64_t>(rate_of(t.inputs, t.seconds))), probes_hit(t),
                     t.probes.size(), inputs_for_probes(t), loud_findings(t), t.digest,
                     duration_text(t.seconds), end_word(t));
}

std::string closing_line(const RunSummary& summary) {
  uint64_t inputs = 0;
  size_t findings = 0;
  size_t failed = 0;
  for (const TargetSummary& target : summary.targets) {
    inputs += target.inputs;
    findings += loud_findings(target);
    failed += target.end == TargetEnd::kFailed;
  }
  std::string what = findings == 0
                         ? "nothing found"
                         : fmt::format("{} finding{}", findings, findings == 1 ? "" : "s");
  if (failed != 0) what += fmt::format(", {} NOT RUN to their end: see above", failed);
  return fmt::format(
      "{} target{}, {} input{} of seed {} in {}, {} worker{} of at most {} MB: {}{}\n",
      summary.targets.size(), summary.targets.size() == 1 ? "" : "s", grouped(inputs),
      inputs == 1 ? "" : "s", summary.seed, duration_text(summary.seconds), summary.jobs,
      summary.jobs == 1 ? "" : "s", (summary.peak_worker_bytes >> 20) + 1, what,
      summary.interrupted ? " (interrupted)" : "");
}

} // namespace

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, " ");
  }
  return digits;
}

std::string duration_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  auto whole = static_cast<uint64_t>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

double rate_of(uint64_t inputs, double seconds) {
  return seconds > 0 ? static_cast<double>(inputs) / seconds : 0;
}

std::string live_line(const RangeRun& run) {
  const RangePlan& plan = run.plan();
  double seconds = run.seconds(RangeRun::Clock::now());
  uint64_t inputs = run.totals().inputs;
  std::string of = plan.end == UINT64_MAX ? "" : " of " + grouped(plan.end - plan.begin);
  return fmt::format("{}  {}{} inputs, {} a second, {} kinds of finding", plan.target->info().name,
                     grouped(inputs), of, grouped(static_cast<uint64_t>(rate_of(inputs, seconds))),
                     run.totals().seen.size());
}

std::string target_line(const TargetSummary& summary) {
  std::string out =
      fmt::format("{:<24} {:>11} inputs {:>9}/s  {:>9}  {}\n", summary.target->info().name,
                  grouped(summary.inputs),
                  grouped(static_cast<uint64_t>(rate_of(summary.inputs, summary.seconds))),
                  duration_text(summary.seconds), end_word(summary));
  for (const std::string& trouble : summary.trouble)
    out += "  " + trouble + "\n";
  return out;
}

std::string summary_table(const RunSummary& summary) {
  size_t width = name_width(summary);
  std::string out =
      fmt::format("\n{:<{}}  {:>11}  {:>9}  {:>7}  {:>7}  {:>8}  {:<16}  {:>9}\n", "target", width,
                  "inputs", "inputs/s", "probes", "all by", "findings", "digest", "time");
  for (const TargetSummary& target : summary.targets)
    out += row(target, width);
  return out + "\n" + closing_line(summary);
}

} // namespace kiln::gates
