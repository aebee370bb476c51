#pragma once
// The sched lane: scheduling decisions, coded sparsely.
//
// Every scheduling point of a run has a number. At each the machine has a list of alternatives, the
// ordinary one first (keep running; at a blocking point: first in, first out). The lane holds only
// the points where something else was chosen, as pairs
//
//   gap          points since the last pair: one byte below 0x80, else two:
//                ((first & 0x7f) << 8) | second, plus 0x80
//   alternative  one byte: index into the list, modulo its length; 0 = the ordinary choice
//
// A gap of 0 after another pair means the very next point. At the end of the lane nothing but
// ordinary choices follow. A random byte string thus preempts about every 64 points, deleting a
// pair keeps the rest meaningful, and a shrunk schedule is a handful of pairs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::sim {

struct Decision {
  uint64_t point;      ///< number of the scheduling point, from 0
  uint8_t alternative; ///< not 0
};

inline constexpr uint64_t kLongestGap = 0x807F;

/// Reads decisions one by one.
class SchedReader {
 public:
  explicit SchedReader(std::span<const uint8_t> bytes) : bytes_(bytes) { advance(); }
  /// Point of the next decision; UINT64_MAX when there is none.
  uint64_t next_point() const { return point_; }
  /// Takes the next decision's alternative and moves on.
  uint8_t take() {
    uint8_t alternative = alternative_;
    advance();
    return alternative;
  }

 private:
  void advance();
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  uint64_t point_ = UINT64_MAX;
  uint64_t base_ = 0;
  uint8_t alternative_ = 0;
};

std::vector<Decision> decode_sched(std::span<const uint8_t> bytes);
/// Gaps longer than kLongestGap are bridged by pairs with alternative 0. Points must ascend.
std::vector<uint8_t> encode_sched(std::span<const Decision> decisions);

} // namespace kiln::sim
