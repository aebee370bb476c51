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

} // namespace

MemoryRank MemoryModel::at(Wide address) const {
  MemoryRank rank = MemoryRank::kNone;
  for (const MemorySegment& entry : all_) {
    if (entry.first <= address && address < entry.end) {
      rank = std::max(rank, entry.rank);
    }
  }
  return rank;
}

std::vector<MemorySegment> MemoryModel::segments() const {
  std::vector<Wide> edges;
  for (const MemorySegment& entry : all_) {
    edges.push_back(entry.first);
    edges.push_back(entry.end);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<MemorySegment> segments;
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    const MemoryRank rank = at(edges[i]);
    if (rank == MemoryRank::kNone) {
      continue;
    }
    if (!segments.empty() && segments.back().rank == rank && segments.back().end == edges[i]) {
      segments.back().end = edges[i + 1];
    } else {
      segments.push_back({edges[i], edges[i + 1], rank});
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
