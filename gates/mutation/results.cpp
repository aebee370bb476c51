#include "gates/mutation/results.h"

#include "gates/worker/death.h"

namespace kiln::gates {

bool survived(Verdict verdict) {
  return verdict == Verdict::kNotReached || verdict == Verdict::kNotDifferent ||
         verdict == Verdict::kNotNoticed;
}

bool by_clock(const MutantResult& result) {
  return result.verdict == Verdict::kKilled && result.rule == sim::Rule::kHang &&
         (result.headline == kTimeOut || result.headline == kTimeOutFromOutside);
}

bool counts(Verdict verdict) { return verdict == Verdict::kKilled || survived(verdict); }

} // namespace kiln::gates
