#include "worlds/firmware/memory_model.h"

#include <algorithm>

namespace kiln::worlds {
namespace {

struct Meaning {
  uint32_t type;
  MemoryRank rank;
};

constexpr Meaning kE820[] = {{1, MemoryRank::kUsable},     {2, MemoryRank::kReserved},
                             {3, MemoryRank::kTables},     {4, MemoryRank::kNvs},
                             {5, MemoryRank::kBad},        {6, MemoryRank::kReserved},
                             {7, MemoryRank::kPersistent}, {12, MemoryRank::kPersistent}};

constexpr Meaning kUefi[] = {
    {0, MemoryRank::kReserved},     {1, MemoryRank::kBootServices}, {2, MemoryRank::kBootServices},
    {3, MemoryRank::kBootServices}, {4, MemoryRank::kBootServices}, {5, MemoryRank::kReserved},
    {6, MemoryRank::kReserved},     {7, MemoryRank::kUsable},       {8, MemoryRank::kBad},
    {9, MemoryRank::kTables},       {10, MemoryRank::kNvs},         {11, MemoryRank::kReserved},
    {12, MemoryRank::kReserved},    {13, MemoryRank::kReserved},    {14, MemoryRank::kPersistent},
    {15, MemoryRank::kReserved}};

template <size_t n>
MemoryRank look_up(const Meaning (&table)[n], uint32_t type, MemoryOddities& oddities) {
  for (const Meaning& meaning : table) {
    if (meaning.type == type) {
      return meaning.rank;
    }
  }
  ++oddities.unknown;
  return MemoryRank::kReserved;
}

/// RAM that a kernel may use needs write-back caching, and must be meant for everyone.
bool is_ordinary(uint64_t attributes) {
  constexpr uint64_t kWriteBack = uint64_t{1} << 3;
  constexpr uint64_t kSpecialPurpose = uint64_t{1} << 18;
  constexpr uint64_t kRuntime = uint64_t{1} << 63;
  return (attributes & (kWriteBack | kSpecialPurpose | kRuntime)) == kWriteBack;
}

bool is_for_the_kernel(MemoryRank rank) {
  return rank == MemoryRank::kUsable || rank == MemoryRank::kBootServices;
}

MemoryRank rank_of(const gen::FirmwareMap& map, const gen::MapEntry& entry,
                   MemoryOddities& oddities) {
  if (map.format != gen::MapFormat::kUefi) {
    return look_up(kE820, entry.type, oddities);
  }
  const MemoryRank rank = look_up(kUefi, entry.type, oddities);
  return is_for_the_kernel(rank) && !is_ordinary(entry.attributes) ? MemoryRank::kReserved : rank;
}

bool is_disabled(const gen::FirmwareMap& map, const gen::MapEntry& entry) {
  return map.format == gen::MapFormat::kE820 && map.stride >= 24 && (entry.attributes & 1) == 0;
}

/// An entry begins or ends: one number, so that sorting is cheap; in the order of addresses.
class Edge {
 public:
  Edge(Wide address, MemoryRank rank, bool begins)
      : packed_(address << 8 | static_cast<unsigned>(rank) << 1 | (begins ? 1 : 0)) {}
  Wide address() const { return packed_ >> 8; }
  size_t rank() const { return static_cast<size_t>(packed_ & 0xFF) >> 1; }
  bool begins() const { return (packed_ & 1) != 0; }
  bool operator<(const Edge& other) const { return packed_ < other.packed_; }

 private:
  Wide packed_;
};

/// How many entries of each rank cover the place that a walk has come to.
class Cover {
 public:
  void pass(const Edge& edge) { open_[edge.rank()] += edge.begins() ? 1 : -1; }
  MemoryRank highest() const {
    for (size_t rank = kRanks; rank-- > 1;) {
      if (open_[rank] != 0) {
        return static_cast<MemoryRank>(rank);
      }
    }
    return MemoryRank::kNone;
  }

 private:
  static constexpr size_t kRanks = static_cast<size_t>(MemoryRank::kKernel) + 1;
  int open_[kRanks] = {};
};

} // namespace

std::vector<MemorySegment> MemoryModel::segments() const {
  std::vector<Edge> edges;
  edges.reserve(2 * all_.size());
  for (const MemorySegment& entry : all_) {
    edges.emplace_back(entry.first, entry.rank, true);
    edges.emplace_back(entry.end, entry.rank, false);
  }
  std::sort(edges.begin(), edges.end());
  std::vector<MemorySegment> segments;
  segments.reserve(edges.size());
  Cover cover;
  for (size_t i = 0; i < edges.size(); ++i) {
    cover.pass(edges[i]);
    const bool more = i + 1 < edges.size();
    if (!more || edges[i + 1].address() == edges[i].address()) {
      continue;
    }
    const MemorySegment next{edges[i].address(), edges[i + 1].address(), cover.highest()};
    if (next.rank == MemoryRank::kNone) {
      continue;
    }
    if (!segments.empty() && segments.back().rank == next.rank &&
        segments.back().end == next.first) {
      segments.back().end = next.end;
    } else {
      segments.push_back(next);
    }
  }
  return segments;
}

MemoryOddities read_firmware_map(const gen::FirmwareMap& map, MemoryModel& model) {
  MemoryOddities oddities;
  const unsigned shift = map.format == gen::MapFormat::kUefi ? 12 : 0;
  for (const gen::MapEntry& entry : map.entries) {
    ++oddities.entries;
    if (is_disabled(map, entry)) {
      ++oddities.disabled;
      continue;
    }
    const MemoryRank rank = rank_of(map, entry, oddities);
    const Wide first = entry.base;
    const Wide end = first + (Wide{entry.length} << shift);
    if (end == first) {
      ++oddities.empty;
      continue;
    }
    if (end > MemoryModel::kEnd) {
      ++oddities.beyond;
      if (is_for_the_kernel(rank)) {
        continue;
      }
    }
    model.add(first, std::min(end, MemoryModel::kEnd), rank);
  }
  oddities.open_end = map.open_end != 0 ? 1 : 0;
  return oddities;
}

} // namespace kiln::worlds
