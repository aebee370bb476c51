#pragma once
// Where a disk's random choices come from: a lane of the tape, or a number that was drawn before.

#include <cstdint>

#include "sim/prng.h"
#include "sim/tape.h"

namespace kiln::worlds {

class Dice {
 public:
  virtual uint64_t below(uint64_t n) = 0; ///< 0 is the ordinary choice

 protected:
  ~Dice() = default;
};

class TapeDice final : public Dice {
 public:
  explicit TapeDice(sim::Tape::View view) : view_(view) {}
  uint64_t below(uint64_t n) override { return view_.below(n); }

 private:
  sim::Tape::View view_;
};

class SeedDice final : public Dice {
 public:
  explicit SeedDice(uint64_t seed) : prng_(seed) {}
  uint64_t below(uint64_t n) override { return n == 0 ? 0 : prng_.below(n); }

 private:
  sim::Prng prng_;
};

} // namespace kiln::worlds
