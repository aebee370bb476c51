#include <algorithm>

#include "gates/bench/figures.h"
#include "gates/worker/executor.h"
#include "gates/worker/fault_handlers.h"

namespace kiln::gates::bench {

namespace {

constexpr auto kTime = std::chrono::seconds(2);
constexpr uint64_t kBetweenLooks = 16;

double inputs_a_second(Executor& executor, const sim::Target& target, uint64_t between_looks) {
  using Clock = std::chrono::steady_clock;
  auto begin = Clock::now();
  uint64_t inputs = 0;
  while (Clock::now() - begin < kTime) {
    for (uint64_t i = 0; i < between_looks; ++i) {
      executor.run(Phase::kInput, {&target, Origin::kSeed, 1, inputs++, {}, {}}, {});
    }
  }
  return static_cast<double>(inputs) / std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace

std::vector<Figure> target_figures(const sim::Target& target) {
  std::string error;
  WorkerSlot* slot = map_slot();
  if (slot == nullptr || !sim::boot(&error)) return {};
  install_fault_handlers(slot->note);
  sim::watch_first_writes();
  Executor here(Isolate::kProcess, *slot);
  Executor apart(Isolate::kFork, *slot);
  double in_process = inputs_a_second(here, target, kBetweenLooks);
  double forked = inputs_a_second(apart, target, 1);
  std::string name = target.info().name;
  return {{name + ", many inputs a process", in_process, "a second"},
          {name + ", a process an input", forked, "a second"},
          {name + ", ratio", in_process / std::max(forked, 1e-9), "times"}};
}

} // namespace kiln::gates::bench
