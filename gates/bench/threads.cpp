#include <condition_variable>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "gates/bench/figures.h"

namespace kiln::gates::bench {

namespace {

constexpr unsigned kTasks = 4;
constexpr unsigned kTurns = 50;

void hand_the_turn_round() {
  std::mutex mutex;
  std::condition_variable turn;
  unsigned at = 0;
  std::vector<std::thread> tasks;
  tasks.reserve(kTasks);
  for (unsigned me = 0; me < kTasks; ++me) {
    tasks.emplace_back([&, me] {
      std::unique_lock lock(mutex);
      while (at < kTurns) {
        turn.wait(lock, [&] { return at >= kTurns || at % kTasks == me; });
        if (at < kTurns) ++at;
        turn.notify_all();
      }
    });
  }
  for (std::thread& task : tasks)
    task.join();
}

void fork_and(void (*body)()) {
  pid_t pid = fork();
  if (pid == 0) {
    if (body != nullptr) body();
    _exit(0);
  }
  if (pid > 0) waitpid(pid, nullptr, 0);
}

} // namespace

std::vector<Figure> thread_figures() {
  double empty = median_ns(20, [] { fork_and(nullptr); });
  double threads = median_ns(20, [] { fork_and(hand_the_turn_round); });
  return {{"a process that ends at once (imitation)", 1e9 / empty, "a second"},
          {"a process and 4 threads, 50 turns (imitation)", 1e9 / threads, "a second"}};
}

} // namespace kiln::gates::bench
