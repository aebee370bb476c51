// Where a tape's bytes come from (a flat string, or a seed), and how they are written down again.

#include "sim/tape.h"

#include <algorithm>

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
  constexpr size_t kDivisors[4] = {64, 8, 1, 1};
  const size_t bound = most / kDivisors[prng.below(4)];
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
}

uint64_t Tape::block_from_seed(const LaneState& state) const {
  const uint64_t block = stream_block(state.seed, state.position / kBlock);
  return low_bytes(block, state.length - state.position);
}

uint64_t Tape::block_from_flat(Lane lane, const LaneState& state) const {
  const size_t count = std::min(kBlock, state.length - state.position);
  uint64_t block = 0;
  for (size_t k = 0; k < count; ++k) {
    block |= uint64_t{flat_[flat_position(lane, state.position + k)]} << (8 * k);
  }
  return block;
}

// Only called with an empty window. Windows are kBlock long up to the lane's end, so a seeded lane
// is always at the beginning of a block here.
void Tape::refill(Lane lane) {
  LaneState& state = lanes_[static_cast<size_t>(lane)];
  if (state.position >= state.length) {
    state.window = 0;
    state.available = kZeros;
    return;
  }
  state.window = seeded_ ? block_from_seed(state) : block_from_flat(lane, state);
  state.available = kBlock;
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
    state.position += count;
    got += count;
  }
  return value;
}

std::vector<uint8_t> Tape::written(std::span<const uint8_t> sched) const {
  Lanes lanes;
  for (unsigned i = 0; i < kLanes; ++i) {
    const Lane lane = static_cast<Lane>(i);
    LaneState state = lanes_[i];
    const size_t size = std::min(state.position, state.length);
    std::vector<uint8_t>& bytes = lanes[lane];
    bytes.resize((size + kBlock - 1) / kBlock * kBlock);
    for (state.position = 0; state.position < size; state.position += kBlock) {
      const uint64_t block = seeded_ ? block_from_seed(state) : block_from_flat(lane, state);
      for (size_t k = 0; k < kBlock; ++k) {
        bytes[state.position + k] = static_cast<uint8_t>(block >> (8 * k));
      }
    }
    bytes.resize(size);
  }
  lanes[Lane::kSched].assign(sched.begin(), sched.end());
  return join_lanes(lanes);
}

} // namespace kiln::sim
