#pragma once
// Time as the supervisor lives it: a pause of its own (Ctrl-Z, a suspended host, a debugger) is no
// time in which an input could have ended, so no step counts for more than a quarter of a second.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace kiln::gates {

class TickClock {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLongestStep{250};

  /// Call often; gives the time lived so far.
  std::chrono::nanoseconds tick(Clock::time_point now = Clock::now()) {
    auto step = started_ ? now - last_ : Clock::duration{};
    lived_ += std::min<std::chrono::nanoseconds>(step, kLongestStep);
    last_ = now;
    started_ = true;
    return lived_;
  }

 private:
  bool started_ = false;
  Clock::time_point last_{};
  std::chrono::nanoseconds lived_{};
};

} // namespace kiln::gates
