#pragma once
// A judge for tests of the shrinker and the mutator: runs a function on a tape, in place of a
// target on the machine. A toy counts scheduling points itself and asks for decisions at each.

#include <functional>

#include "gates/shrink/shrink.h"
#include "sim/sched_lane.h"
#include "sim/tape.h"

namespace kiln::gates {

/// What a toy program is handed.
struct Toy {
  explicit Toy(sim::Tape& input) : tape(input) {}
  sim::Tape& tape;
  /// A scheduling point with so many alternatives: which one is taken. 0 = the ordinary one.
  size_t choose(size_t alternatives) {
    const uint64_t point = points++;
    if (sched.next_point() != point) return 0;
    const uint8_t chosen = static_cast<uint8_t>(sched.take() % alternatives);
    if (chosen != 0) taken.push_back({point, chosen});
    return chosen;
  }
  uint64_t points = 0;
  sim::SchedReader sched{tape.sched_bytes()};
  std::vector<sim::Decision> taken;
};

class ToyJudge : public ShrinkJudge {
 public:
  /// `shows` returns whether the bug shows.
  explicit ToyJudge(std::function<bool(Toy&)> shows) : shows_(std::move(shows)) {}

  std::optional<Judged> run(std::span<const uint8_t> bytes) override {
    tapes.emplace_back(bytes.begin(), bytes.end());
    Judged judged;
    sim::Tape tape(bytes);
    Toy toy(tape);
    if (records) tape.record_into(&judged.record);
    tape.set_point_counter(&toy.points);
    judged.same = shows_(toy);
    if (records) judged.tape = tape.written(sim::encode_sched(toy.taken));
    return judged;
  }

  bool records = true;
  std::vector<std::vector<uint8_t>> tapes; ///< all that were run

 private:
  std::function<bool(Toy&)> shows_;
};

/// The first tape of up to `size` random bytes a lane that shows the bug.
std::vector<uint8_t> find_tape(ToyJudge& judge, size_t size);

} // namespace kiln::gates
