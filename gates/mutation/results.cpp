#include "gates/mutation/results.h"

namespace kiln::gates {

bool survived(Verdict verdict) {
  return verdict == Verdict::kNotReached || verdict == Verdict::kNotDifferent ||
         verdict == Verdict::kNotNoticed;
}

bool counts(Verdict verdict) { return verdict == Verdict::kKilled || survived(verdict); }

} // namespace kiln::gates
