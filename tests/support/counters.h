#pragma once
// Numbers that a test's body counts up over many runs. What is static in the kernel's tests goes
// back to what it was before every run; these do not.

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::test {

std::span<uint64_t> counters();
void clear_counters();

} // namespace kiln::test
