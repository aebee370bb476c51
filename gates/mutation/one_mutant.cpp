#include "gates/mutation/one_mutant.h"

#include <fmt/format.h>
#include <fstream>

#include "gates/desk/confirm.h"
#include "gates/mutation/tally.h"
#include "gates/run/progress.h"
#include "gates/support/subject.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

namespace {

std::string source_line(const sim::Mutant& mutant) {
  std::ifstream file(in_subject_tree(mutant.path));
  std::string line;
  for (uint32_t i = 0; i < mutant.line; ++i) {
    if (!std::getline(file, line)) return "(the source is not there)";
  }
  return line;
}

std::string outcome_in_words(const MutantResult& result) {
  if (result.verdict != Verdict::kKilled) {
    std::string why = result.reason.empty() ? "" : ": " + result.reason;
    return fmt::format("  {} ({}){}\n", verdict_words(result.verdict),
                       seen_words(result, mutant_of(result.number)), why);
  }
  return fmt::format("  killed by {} with input {}: {} at {}\n    {}\n", result.target,
                     grouped(result.inputs), sim::rule_name(result.rule), result.place,
                     result.headline);
}

} // namespace

std::string mutant_in_words(const MutantResult& result) {
  const sim::Mutant& mutant = mutant_of(result.number);
  std::string text = fmt::format("mutant {}: {} in {}, {}:{}:{}\n", result.number, mutant.oper,
                                 mutant.function, mutant.path, mutant.line, mutant.column);
  text += fmt::format("    {}\n  {} => {}\n", source_line(mutant), mutant.original,
                      mutant.replacement[0] == '\0' ? "(nothing)" : mutant.replacement);
  text += outcome_in_words(result);
  for (const MutantTry& attempt : result.tries) {
    text += fmt::format("    {:<24} {:>9} inputs{}\n", attempt.target, grouped(attempt.inputs),
                        attempt.found ? ", found" : "");
  }
  return text;
}

std::optional<std::vector<uint8_t>> killing_tape(Pool& pool, const MutationRun& run,
                                                 const MutantResult& result, std::string* error) {
  if (!result.tape.empty()) return parse_hex(result.tape, error);
  if (result.joined) {
    *error = "Several inputs show it together, and no tape alone: the headline names them.";
    return std::nullopt;
  }
  BootPlan boot = Trial(run.trial_plan({result.number})).boot_plan();
  boot.armed = {result.number};
  pool.set_boot_plan(boot);
  Lab lab(pool);
  Found found;
  found.target = sim::Target::find(result.target);
  found.seed = run.plan().seed;
  found.iteration = result.inputs - 1;
  found.strategy = run.plan().strategy;
  found.finding.rule = result.rule;
  auto same = [&](const sim::Finding& finding) { return finding.rule == result.rule; };
  TraceLog trace;
  bool ran = found.target != nullptr && record(lab, found, same, &trace, error);
  pool.set_boot_plan({});
  if (!ran) return std::nullopt;
  if (!found.tape_exact) {
    *error = fmt::format("The mutant ends its process before it can write its schedule down: look "
                         "at it with --only {}:{} in place of a tape.",
                         found.seed, found.iteration);
    return std::nullopt;
  }
  return found.tape;
}

} // namespace kiln::gates
