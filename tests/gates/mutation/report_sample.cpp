#include "tests/gates/mutation/report_sample.h"

#include <cstdlib>
#include <fstream>

namespace kiln::gates {
namespace {

uint8_t g_site = 0;

struct Span {
  uint32_t line, column, end_column;
};

sim::Mutant mutant(const char* path, Span at, const char* oper, const char* original,
                   const char* replacement) {
  sim::Mutant mutant{};
  mutant.at = &g_site;
  mutant.variant = 1;
  mutant.compares = true;
  mutant.judged = true;
  mutant.line = mutant.end_line = at.line;
  mutant.column = at.column;
  mutant.end_column = at.end_column;
  mutant.path = path;
  mutant.function = "clay::f";
  mutant.oper = oper;
  mutant.original = original;
  mutant.replacement = replacement;
  return mutant;
}

sim::Mutant of_kind(sim::MutantKind kind, sim::Mutant mutant) {
  mutant.kind = kind;
  return mutant;
}

MutantResult killed(const char* target, uint64_t inputs, sim::Rule rule, const char* headline) {
  MutantResult result;
  result.verdict = Verdict::kKilled;
  result.target = target;
  result.inputs = inputs;
  result.rule = rule;
  result.headline = headline;
  result.place = "kernel-src/boot/a.cpp:2";
  result.tape = "00ff";
  result.tries = {{target, sim::StrategyKind::kPortfolio, inputs, true}};
  return result;
}

MutantResult lived(Verdict verdict, uint64_t visits, uint64_t differs) {
  MutantResult result;
  result.verdict = verdict;
  result.visits = visits;
  result.differs = differs;
  if (visits != 0) result.tries = {{"boot/fdt", sim::StrategyKind::kPortfolio, 20000, false}};
  return result;
}

MutantResult apart(Verdict verdict, const char* reason) {
  MutantResult result;
  result.verdict = verdict;
  result.reason = reason;
  return result;
}

} // namespace

ReportSample report_sample() {
  ReportSample sample;
  sample.mutants = {
      mutant(kSampleFile, {2, 7, 12}, "boundary", "n < 3", "n <= 3"),
      mutant(kSampleFile, {2, 3, 24}, "drop-check", "if (n < 3) return -1;", ""),
      mutant(kSampleFile, {3, 3, 11}, "drop-call", "stop(n);", ""),
      mutant(kAbsentFile, {9, 1, 4}, "drop-check", "a|b", "<script>alert(\"`\")</script>"),
      mutant(kSampleFile, {4, 22, 23}, "constant", "1", "0"),
      mutant(kSampleFile, {5, 10, 11}, "constant", "n", "n + 1"),
      mutant(kSampleFile, {1, 7, 10}, "constant", "int", "int "),
      mutant(kSampleFile, {3, 3, 11}, "weaken-order", "stop(n);", "stop(n, relaxed);"),
      mutant(kSampleFile, {3, 3, 7}, "swap", "stop", "halt"),
      mutant(kSampleFile, {3, 8, 9}, "swap", "n", "m"),
      of_kind(sim::MutantKind::kNamed,
              mutant(kSampleFile, {2, 3, 24}, "named", "if (n < 3) return -1;", "if (n < 2)")),
      of_kind(sim::MutantKind::kHarness,
              mutant("targets/boot/fdt.cpp", {1, 1, 2}, "drop-oracle", "x", "")),
  };
  sample.unmade = {{2, 11, kSampleFile, "constant", "3", "an array's bound"}};
  sample.named = {{10, "b01-short", "B1", "boot/fdt", 100, "A check read too far."}};
  MutationReport& report = sample.report;
  report.budget = 20000;
  report.seconds = 2.5;
  report.mutants_per_minute = 240;
  report.results = {
      killed("boot/fdt", 37, sim::Rule::kAddress, "reads <4> bytes & more"),
      lived(Verdict::kNotNoticed, 10, 4),
      killed("lib/ring", 7, sim::Rule::kHang, "takes too long"),
      lived(Verdict::kNotReached, 0, 0),
      lived(Verdict::kNotDifferent, 12, 0),
      apart(Verdict::kEquivalent, "the caller adds it back"),
      apart(Verdict::kIdentical, ""),
      apart(Verdict::kNotJudged, ""),
      apart(Verdict::kInconclusive, "the worker died twice"),
      apart(Verdict::kPending, ""),
      killed("boot/fdt", 120, sim::Rule::kOracle, "too small"),
      killed("boot/fdt", 1, sim::Rule::kOracle, "a harness's own"),
  };
  for (uint32_t n = 0; n < report.results.size(); ++n)
    report.results[n].number = n;
  report.harness = {{"rule address", "", 2, 1, {0}}, {"strategy pct", "boot/fdt", 2, 0, {}}};
  return sample;
}

SampleTree::SampleTree() {
  std::string name = (std::filesystem::temp_directory_path() / "kiln-reports-XXXXXX").string();
  path_ = mkdtemp(name.data());
  std::filesystem::create_directories((path_ / kSampleFile).parent_path());
  std::ofstream(path_ / kSampleFile) << kSampleSource;
}

SampleTree::~SampleTree() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace kiln::gates
