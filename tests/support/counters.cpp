#include "tests/support/counters.h"

#include <algorithm>

namespace kiln::test {

std::span<uint64_t> counters() {
  static uint64_t numbers[32];
  return numbers;
}

void clear_counters() { std::ranges::fill(counters(), 0); }

} // namespace kiln::test
