#pragma once
// Measuring in a process of its own: the supervisor never runs the machine, and one measurement
// does not warm up another.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace kiln::gates::bench {

/// One line of the result.
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
};

/// Runs `measure` in a child and gives its figures; none when the child dies.
std::vector<Figure> in_child(const std::function<std::vector<Figure>()>& measure);

/// Median time of one of `count` calls, over several batches, in nanoseconds.
double median_ns(uint64_t count, const std::function<void()>& call);

} // namespace kiln::gates::bench
