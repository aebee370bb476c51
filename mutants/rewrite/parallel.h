#pragma once

#include <cstddef>
#include <functional>

namespace kiln::mutants {

/// Runs work(0) to work(count - 1) on `jobs` threads.
void in_parallel(size_t count, unsigned jobs, const std::function<void(size_t)>& work);

} // namespace kiln::mutants
