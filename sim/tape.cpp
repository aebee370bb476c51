// Where a tape's bytes come from (a flat string, or a seed), and how they are written down again.

#include "sim/tape.h"

#include <algorithm>
#include <cstring>

#include "sim/prng.h"

namespace kiln::sim {
namespace {

/// Bytes in a window.
constexpr size_t kBlock = 8;
/// Windows past a lane's end are all zeros: one lasts practically for ever.
constexpr size_t kZeros = size_t{1} << 30;

uint64_t input_seed(const SeededInput& input) {
  const uint64_t target = mix64(hash_name(input.target));
  return stream_block(stream_block(target, input.seed), input.iteration);
}

/// Short lengths often: 1/4 below most/64, 1/4 below most/8, 1/2 up to most.
size_t draw_length(Prng& prng, size_t most) {
  const uint64_t kind = prng.below(4);
  const size_t bound = kind == 0 ? most / 64 : kind == 1 ? most / 8 : most;
  return static_cast<size_t>(prng.below(bound + 1));
}

/// The swarm lane is there or not: a cut in the middle would mean nothing.
size_t draw_swarm_length(Prng& prng, size_t most) { return prng.below(4) == 0 ? 0 : most; }

constexpr uint64_t low_bytes(uint64_t value, size_t count) {
  return count >= kBlock ? value : value & ((uint64_t{1} << (8 * count)) - 1);
}

} // namespace

Tape::Tape(std::span<const uint8_t> flat) : flat_(flat) {
  for (unsigned i = 0; i < kLanes; ++i) {
    lanes_[i].length = lane_size(static_cast<Lane>(i), flat.size());
  }
  sched_.resize(lanes_[static_cast<size_t>(Lane::kSched)].length);
  for (size_t k = 0; k < sched_.size(); ++k) {
    sched_[k] = flat[flat_position(Lane::kSched, k)];
  }
}

Tape::Tape(const SeededInput& input) : seeded_(true) {
  Prng prng(input_seed(input));
  strategy_seed_ = prng.next();
  for (unsigned i = 0; i < kLanes; ++i) {
    const Lane lane = static_cast<Lane>(i);
    const size_t most = lane_size(lane, input.longest);
    lanes_[i].seed = prng.next();
    lanes_[i].length =
        lane == Lane::kSwarm ? draw_swarm_length(prng, most) : draw_length(prng, most);
  }
  lanes_[static_cast<size_t>(Lane::kSched)].length = 0;
  if (input.numbered) number(input.iteration);
}

void Tape::number(uint64_t iteration) {
  numbered_ = true;
  for (LaneState& lane : lanes_) {
    lane.length = 0;
  }
  LaneState& data = lanes_[static_cast<size_t>(Lane::kData)];
  data.length = kBlock;
  data.seed = iteration;
}

uint64_t Tape::block(Lane lane, size_t index) const {
  const LaneState& state = lanes_[static_cast<size_t>(lane)];
  const size_t count = std::min(kBlock, state.length - index);
  if (numbered_) return low_bytes(state.seed, count);
  if (seeded_) return low_bytes(stream_block(state.seed, index / kBlock), count);
  uint64_t block = 0;
  for (size_t k = 0; k < count; ++k) {
    block |= uint64_t{flat_[flat_position(lane, index + k)]} << (8 * k);
  }
  return block;
}

// Only called with an empty window. Windows are kBlock long up to the lane's end, so a seeded lane
// is always at the beginning of a block here.
void Tape::refill(Lane lane) {
  LaneState& state = lanes_[static_cast<size_t>(lane)];
  const bool past_end = state.window_end >= state.length;
  state.window = past_end ? 0 : block(lane, state.window_end);
  state.available = past_end ? kZeros : kBlock;
  state.window_end += state.available;
}

uint64_t Tape::draw_across(Lane lane, unsigned width) {
  LaneState& state = lanes_[static_cast<size_t>(lane)];
  uint64_t value = 0;
  for (size_t got = 0; got < width;) {
    if (state.available == 0) refill(lane);
    const size_t count = std::min<size_t>(state.available, width - got);
    value |= low_bytes(state.window, count) << (8 * got);
    state.window = count >= kBlock ? 0 : state.window >> (8 * count);
    state.available -= count;
    got += count;
  }
  return value;
}

std::vector<uint8_t> Tape::bytes_read(Lane lane) const {
  const LaneState& state = lanes_[static_cast<size_t>(lane)];
  const size_t size = std::min(state.position(), state.length);
  std::vector<uint8_t> bytes((size + kBlock - 1) / kBlock * kBlock);
  for (size_t at = 0; at < size; at += kBlock) {
    const uint64_t value = block(lane, at);
    std::memcpy(&bytes[at], &value, kBlock);
  }
  bytes.resize(size);
  return bytes;
}

std::vector<uint8_t> Tape::written(std::span<const uint8_t> sched) const {
  Lanes lanes;
  for (unsigned i = 0; i < kLanes; ++i) {
    lanes.bytes[i] = bytes_read(static_cast<Lane>(i));
  }
  lanes[Lane::kSched].assign(sched.begin(), sched.end());
  return join_lanes(lanes);
}

} // namespace kiln::sim
