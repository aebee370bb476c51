#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "gates/bench/figures.h"
#include "sim/fiber.h"

namespace kiln::gates::bench {

namespace {

constexpr size_t kStackBytes = size_t{64} << 10;
sim::Fiber here;
sim::Fiber there;

void other_fiber(boost::context::detail::transfer_t from) {
  sim::fiber_started(from);
  while (true)
    sim::switch_fiber(there, here);
}

double fiber_ns() {
  sim::init_fibers();
  void* stack = std::aligned_alloc(4096, kStackBytes);
  sim::make_fiber(there, stack, kStackBytes, other_fiber);
  // There and back: two switches.
  return median_ns(200'000, [] { sim::switch_fiber(here, there); }) / 2;
}

double thread_ns() {
  std::mutex mutex;
  std::condition_variable turn;
  int whose = 0;
  bool done = false;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    while (!done) {
      turn.wait(lock, [&] { return whose == 1 || done; });
      whose = 0;
      turn.notify_one();
    }
  });
  double ns = median_ns(2'000, [&] {
    std::unique_lock lock(mutex);
    whose = 1;
    turn.notify_one();
    turn.wait(lock, [&] { return whose == 0; });
  });
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  turn.notify_one();
  other.join();
  return ns / 2;
}

} // namespace

std::vector<Figure> switch_figures() {
  double fiber = fiber_ns();
  double thread = thread_ns();
  return {{"fiber switch", fiber, "ns"},
          {"turn handed between two threads", thread, "ns"},
          {"ratio", thread / fiber, "times"}};
}

} // namespace kiln::gates::bench
