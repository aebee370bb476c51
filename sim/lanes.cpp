// Arithmetic of lanes and flat positions.

#include "sim/lanes.h"

#include <algorithm>

namespace kiln::sim {
namespace {

/// Where a lane's bytes lie within each row.
struct Columns {
  size_t begin;
  size_t width;
};
constexpr Columns kColumns[kLanes] = {{0, 0}, {0, 10}, {10, 2}, {12, 2}, {14, 1}, {15, 1}};
static_assert(kColumns[kLanes - 1].begin + kColumns[kLanes - 1].width == kRowBytes);

constexpr Columns columns(Lane lane) { return kColumns[static_cast<size_t>(lane)]; }

size_t size_without_trailing_zeros(std::span<const uint8_t> bytes) {
  size_t size = bytes.size();
  while (size > 0 && bytes[size - 1] == 0) {
    --size;
  }
  return size;
}

} // namespace

std::string_view lane_name(Lane lane) {
  constexpr std::string_view kNames[kLanes] = {"swarm", "data", "sched", "world", "fault", "race"};
  return kNames[static_cast<size_t>(lane)];
}

size_t flat_position(Lane lane, size_t index) {
  if (lane == Lane::kSwarm) return index;
  const Columns c = columns(lane);
  return kSwarmBytes + index / c.width * kRowBytes + c.begin + index % c.width;
}

LanePosition lane_position(size_t flat) {
  if (flat < kSwarmBytes) return {Lane::kSwarm, flat};
  const size_t row = (flat - kSwarmBytes) / kRowBytes;
  const size_t column = (flat - kSwarmBytes) % kRowBytes;
  unsigned lane = kLanes - 1;
  while (column < kColumns[lane].begin) {
    --lane;
  }
  const Columns c = kColumns[lane];
  return {static_cast<Lane>(lane), row * c.width + column - c.begin};
}

size_t lane_size(Lane lane, size_t flat_size) {
  if (lane == Lane::kSwarm) return std::min(flat_size, kSwarmBytes);
  if (flat_size <= kSwarmBytes) return 0;
  const Columns c = columns(lane);
  const size_t rows = (flat_size - kSwarmBytes) / kRowBytes;
  const size_t rest = (flat_size - kSwarmBytes) % kRowBytes;
  return rows * c.width + (rest > c.begin ? std::min(rest - c.begin, c.width) : 0);
}

Lanes split_lanes(std::span<const uint8_t> flat) {
  Lanes lanes;
  for (unsigned i = 0; i < kLanes; ++i) {
    const Lane lane = static_cast<Lane>(i);
    std::vector<uint8_t>& bytes = lanes[lane];
    bytes.resize(lane_size(lane, flat.size()));
    for (size_t k = 0; k < bytes.size(); ++k) {
      bytes[k] = flat[flat_position(lane, k)];
    }
  }
  return lanes;
}

std::vector<uint8_t> join_lanes(const Lanes& lanes) {
  size_t sizes[kLanes];
  size_t flat_size = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    std::span<const uint8_t> bytes = lanes.bytes[i];
    if (static_cast<Lane>(i) == Lane::kSwarm)
      bytes = bytes.first(std::min(bytes.size(), kSwarmBytes));
    sizes[i] = size_without_trailing_zeros(bytes);
    if (sizes[i] > 0) {
      flat_size = std::max(flat_size, flat_position(static_cast<Lane>(i), sizes[i] - 1) + 1);
    }
  }
  std::vector<uint8_t> flat(flat_size);
  for (unsigned i = 0; i < kLanes; ++i) {
    for (size_t k = 0; k < sizes[i]; ++k) {
      flat[flat_position(static_cast<Lane>(i), k)] = lanes.bytes[i][k];
    }
  }
  return flat;
}

} // namespace kiln::sim
