// Decisions to bytes and back.

#include "sim/sched_lane.h"

#include <cassert>

namespace kiln::sim {
namespace {

constexpr uint64_t kShortGaps = 0x80; // gaps below take one byte

void put(std::vector<uint8_t>& out, uint64_t gap, uint8_t alternative) {
  if (gap < kShortGaps) {
    out.push_back(static_cast<uint8_t>(gap));
  } else {
    const uint64_t rest = gap - kShortGaps;
    out.push_back(static_cast<uint8_t>(0x80 | (rest >> 8)));
    out.push_back(static_cast<uint8_t>(rest));
  }
  out.push_back(alternative);
}

} // namespace

// Pairs with alternative 0 only bridge a distance. A pair that is cut off at the end is none.
void SchedReader::advance() {
  point_ = UINT64_MAX;
  while (at_ < bytes_.size()) {
    uint64_t gap = bytes_[at_++];
    if (gap >= kShortGaps) {
      if (at_ >= bytes_.size()) return;
      gap = ((gap & 0x7F) << 8 | bytes_[at_++]) + kShortGaps;
    }
    if (at_ >= bytes_.size()) return;
    alternative_ = bytes_[at_++];
    const uint64_t point = base_ + gap;
    base_ = point + 1;
    if (alternative_ != 0) {
      point_ = point;
      return;
    }
  }
}

std::vector<Decision> decode_sched(std::span<const uint8_t> bytes) {
  std::vector<Decision> decisions;
  SchedReader reader(bytes);
  while (reader.next_point() != UINT64_MAX) {
    const uint64_t point = reader.next_point();
    decisions.push_back({point, reader.take()});
  }
  return decisions;
}

std::vector<uint8_t> encode_sched(std::span<const Decision> decisions) {
  std::vector<uint8_t> out;
  uint64_t base = 0;
  for (const Decision& decision : decisions) {
    assert(decision.point >= base);
    while (decision.point - base > kLongestGap) {
      put(out, kLongestGap, 0);
      base += kLongestGap + 1;
    }
    put(out, decision.point - base, decision.alternative);
    base = decision.point + 1;
  }
  return out;
}

} // namespace kiln::sim
