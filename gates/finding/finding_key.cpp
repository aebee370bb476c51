#include "gates/finding/finding_key.h"

#include <algorithm>

#include "sim/prng.h"

namespace kiln::gates {

uint64_t finding_key(const sim::Finding& finding) {
  uint64_t key = sim::mix64(static_cast<uint64_t>(finding.rule) + 1);
  unsigned frames = std::min(finding.stack.count, kKeyFrames);
  for (unsigned i = 0; i < frames; ++i)
    key = sim::mix64(key ^ finding.stack.pc[i]);
  // Without a place there is only the sentence to tell findings apart.
  if (frames == 0) key = sim::mix64(key ^ sim::hash_name(finding.headline));
  return key == 0 ? 1 : key;
}

} // namespace kiln::gates
