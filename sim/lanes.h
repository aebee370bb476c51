#pragma once
// The lanes of a tape, and where their bytes stand in the flat byte string.
//
//   bytes 0..7            swarm
//   then rows of 16:      10 data, 2 sched, 2 world, 1 fault, 1 race
//
// Which lane a byte belongs to depends on its position alone.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kiln::sim {

enum class Lane : uint8_t { kSwarm, kData, kSched, kWorld, kFault, kRace };
inline constexpr unsigned kLanes = 6;
std::string_view lane_name(Lane lane);

inline constexpr size_t kSwarmBytes = 8;
inline constexpr size_t kRowBytes = 16;

/// Where byte `index` of `lane` stands in the flat tape. The swarm lane has kSwarmBytes and no
/// more.
size_t flat_position(Lane lane, size_t index);
/// The lane of a flat position, and its index there.
struct LanePosition {
  Lane lane;
  size_t index;
};
LanePosition lane_position(size_t flat);
/// Bytes of `lane` in a flat tape of `flat_size` bytes.
size_t lane_size(Lane lane, size_t flat_size);

/// Lanes as separate byte strings <-> one flat tape. Joining drops trailing zeros of every lane
/// (they change nothing) and swarm bytes past kSwarmBytes (nobody can read them); splitting never
/// fails.
struct Lanes {
  std::vector<uint8_t> bytes[kLanes];
  std::vector<uint8_t>& operator[](Lane lane) { return bytes[static_cast<size_t>(lane)]; }
  const std::vector<uint8_t>& operator[](Lane lane) const {
    return bytes[static_cast<size_t>(lane)];
  }
  bool operator==(const Lanes&) const = default;
};
Lanes split_lanes(std::span<const uint8_t> flat);
std::vector<uint8_t> join_lanes(const Lanes& lanes);

} // namespace kiln::sim
