#pragma once
// A tape taken apart for editing: bytes by lane, the sched lane as decisions; and its draws.

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/sched_lane.h"
#include "sim/tape.h"

namespace kiln::gates {

struct Candidate {
  sim::Lanes lanes; ///< the sched lane is empty: see decisions
  std::vector<sim::Decision> decisions;
};
Candidate take_apart(std::span<const uint8_t> tape);
std::vector<uint8_t> put_together(const Candidate& candidate);

/// Bytes of one lane that make one number. An edge draw is two of them: its kind and its bits.
struct Number {
  sim::Lane lane;
  uint8_t width; ///< bytes, 1..8
  uint32_t draw; ///< index of its draw
  size_t position;
};
/// The numbers of a run in the order in which they were drawn, without those past the end of their
/// lanes. Without a record every byte is one.
std::vector<Number> numbers_of(const Candidate& candidate, const sim::TapeRecord& record);
uint64_t get_number(const Candidate& candidate, const Number& number);
void set_number(Candidate& candidate, const Number& number, uint64_t value);

/// The order in which tapes are smaller.
struct Weight {
  size_t choices = 0;
  size_t length = 0; ///< bytes of all lanes, trailing zeros not counted
  std::vector<uint64_t> values;
  auto operator<=>(const Weight&) const = default;
};
Weight weigh(const Candidate& candidate, const std::vector<Number>& numbers);

/// A range of bytes in each lane.
struct LaneRanges {
  size_t begin[sim::kLanes] = {};
  size_t end[sim::kLanes] = {};
};
/// The candidate without those bytes; ranges of one lane ascend and do not overlap.
Candidate without_ranges(const Candidate& candidate, std::span<const LaneRanges> ranges);

} // namespace kiln::gates
