#include <fmt/format.h>

#include "gates/mutation/tally.h"
#include "gates/run/progress.h"

namespace kiln::gates {

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
  case Verdict::kKilled:
    return "killed";
  case Verdict::kNotReached:
    return "not-reached";
  case Verdict::kNotDifferent:
    return "never-different";
  case Verdict::kNotNoticed:
    return "not-noticed";
  case Verdict::kEquivalent:
    return "equivalent";
  case Verdict::kIdentical:
    return "identical";
  case Verdict::kNotJudged:
    return "not-judged";
  case Verdict::kInconclusive:
    return "inconclusive";
  case Verdict::kPending:
    return "not-run";
  }
  return "";
}

std::string_view verdict_words(Verdict verdict) {
  switch (verdict) {
  case Verdict::kNotReached:
    return "not reached";
  case Verdict::kNotDifferent:
    return "never different";
  case Verdict::kNotNoticed:
    return "not noticed";
  case Verdict::kNotJudged:
    return "not judged";
  case Verdict::kPending:
    return "not run";
  default:
    return verdict_name(verdict);
  }
}

std::string seen_words(const MutantResult& result, const sim::Mutant& mutant) {
  std::string words = fmt::format("{} visits", grouped(result.visits));
  if (mutant.compares && result.visits != 0)
    words += fmt::format(", {} different", grouped(result.differs));
  return words;
}

std::string_view verdict_meaning(Verdict verdict) {
  switch (verdict) {
  case Verdict::kNotReached:
    return "No input of any target comes by: a blind spot. A target or a generator must lead "
           "there.";
  case Verdict::kNotDifferent:
    return "Reached, but the value was the original's every time: a weak generator. It must make "
           "the inputs that tell the two apart.";
  case Verdict::kNotNoticed:
    return "Reached, and nothing judged what came of it: a weak oracle, or an equivalent mutant. "
           "An oracle must look at what this line is for.";
  default:
    return "";
  }
}

std::string harness_words(const HarnessResult& part) {
  if (part.untried != 0) return fmt::format("{} more not tried", part.untried);
  if (part.kills == 0) return "no kill to lose";
  if (part.lost != 0) return "";
  // Whoever draws it serves more kills than a sample shows.
  return part.part.starts_with("choice ") ? "none of these is lost" : "redundant: no kill is lost";
}

std::string_view named_end_words(NamedEnd end) {
  switch (end) {
  case NamedEnd::kFound:
    return "found";
  case NamedEnd::kTooLate:
    return "too late";
  case NamedEnd::kMissed:
    return "missed";
  case NamedEnd::kNotRun:
    return "not run";
  }
  return "";
}

} // namespace kiln::gates
