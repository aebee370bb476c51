#include "worlds/disk/landing.h"

#include <algorithm>
#include <cstring>

namespace kiln::worlds {
namespace {

enum class Pattern : uint8_t {
  kAll,
  kNone,
  kPrefix,         ///< as if the disk wrote in order
  kAllButOne,      ///< one write is missing
  kOnlyOne,        ///< one write is there
  kWholeWrites,    ///< each write by itself
  kSectors,        ///< each sector by itself, any version of it
  kSectorsFromEnd, ///< the same from some write on; what is older is there
  kHeadOfOne,      ///< in order, up to the first sectors of one write
  kTailOfOne,      ///< in order, up to the last sectors of one write
  kCount,
};

/// Writes by their number; they have no gaps that matter.
struct Range {
  uint64_t first;
  uint64_t last;
  uint64_t count() const { return last - first + 1; }
};

class Landing {
 public:
  Landing(Medium& medium, const PendingWrites& pending, Dice& dice)
      : medium_(medium), pending_(pending), dice_(dice),
        range_{pending.versions().front().write, pending.versions().back().write} {}

  void land(Pattern pattern) {
    switch (pattern) {
    case Pattern::kAll:
      return by_write([](uint64_t) { return true; });
    case Pattern::kPrefix: {
      const uint64_t end = range_.last - dice_.below(range_.count());
      return by_write([end](uint64_t write) { return write < end; });
    }
    case Pattern::kAllButOne: {
      const uint64_t missing = range_.last - dice_.below(range_.count());
      return by_write([missing](uint64_t write) { return write != missing; });
    }
    case Pattern::kOnlyOne: {
      const uint64_t there = range_.last - dice_.below(range_.count());
      return by_write([there](uint64_t write) { return write == there; });
    }
    case Pattern::kWholeWrites:
      return whole_writes();
    case Pattern::kSectors:
      return by_sector(range_.first);
    case Pattern::kSectorsFromEnd:
      return by_sector(range_.last - dice_.below(range_.count()));
    case Pattern::kHeadOfOne:
    case Pattern::kTailOfOne:
      return part_of_one(pattern == Pattern::kHeadOfOne);
    case Pattern::kNone:
    case Pattern::kCount:
      return;
    }
  }

 private:
  void put(const PendingWrites::Version& version) { medium_.land(version.sector, version.bytes); }

  template <typename F> void by_write(F&& there) {
    for (const PendingWrites::Version& version : pending_.versions()) {
      if (there(version.write)) put(version);
    }
  }

  void whole_writes() {
    uint64_t write = 0;
    bool there = false;
    bool first = true;
    for (const PendingWrites::Version& version : pending_.versions()) {
      if (first || version.write != write) there = dice_.below(2) == 0;
      first = false;
      write = version.write;
      if (there) put(version);
    }
  }

  void by_sector(uint64_t from) {
    for (const PendingWrites::Version& version : pending_.versions()) {
      if (pending_.newest(version.sector) == &version) one_of(version, from);
    }
  }

  void part_of_one(bool head) {
    const uint64_t parted = range_.last - dice_.below(range_.count());
    const auto versions = pending_.versions();
    const auto count = static_cast<uint64_t>(
        std::count_if(versions.begin(), versions.end(),
                      [parted](const auto& version) { return version.write == parted; }));
    const uint64_t there = count == 0 ? 0 : count - 1 - dice_.below(count);
    uint64_t at = 0;
    for (const PendingWrites::Version& version : versions) {
      if (version.write > parted) return;
      if (version.write < parted) {
        put(version);
        continue;
      }
      if (head ? at < there : at >= count - there) put(version);
      ++at;
    }
  }

  void one_of(const PendingWrites::Version& newest, uint64_t from) {
    uint64_t options = 1;
    const PendingWrites::Version* version = &newest;
    while (version != nullptr && version->write >= from) {
      ++options;
      version = pending_.older(*version);
    }
    uint64_t chosen = options == 1 ? 0 : dice_.below(options);
    version = &newest;
    while (version != nullptr && chosen-- != 0) {
      version = pending_.older(*version);
    }
    if (version != nullptr) put(*version);
  }

  Medium& medium_;
  const PendingWrites& pending_;
  Dice& dice_;
  Range range_;
};

void spoil_neighbours(Medium& medium, uint64_t sector, uint32_t together,
                      std::vector<uint64_t>& hurt) {
  const uint64_t first = sector - sector % together;
  for (uint64_t at = first; at < medium.sectors() && at - first < together; ++at) {
    if (at == sector) continue;
    medium.spoil(at);
    hurt.push_back(at);
  }
}

} // namespace

void tear(Medium& medium, const PendingWrites::Version& version, TornSectors torn) {
  if (torn == TornSectors::kUnreadable) {
    medium.spoil(version.sector);
    return;
  }
  // The head of the new one is there, and the tail is whatever was.
  const uint32_t size = medium.sector_bytes();
  std::vector<uint8_t> mixed(size);
  medium.read(version.sector, mixed);
  std::memcpy(mixed.data(), version.bytes, size / 2);
  medium.write(version.sector, mixed);
}

std::vector<uint64_t> land_by_chance(Medium& medium, const PendingWrites& pending, TornSectors torn,
                                     uint32_t together, Dice& dice) {
  std::vector<uint64_t> hurt;
  if (pending.empty()) return hurt;
  Landing(medium, pending, dice)
      .land(static_cast<Pattern>(dice.below(static_cast<uint64_t>(Pattern::kCount))));
  if (torn == TornSectors::kAtomic) return hurt;
  const auto versions = pending.versions();
  for (uint64_t count = dice.below(3); count != 0; --count) {
    const auto& version = versions[versions.size() - 1 - dice.below(versions.size())];
    tear(medium, version, torn);
    hurt.push_back(version.sector);
    if (torn == TornSectors::kUnreadable && together > 1) {
      spoil_neighbours(medium, version.sector, together, hurt);
    }
  }
  return hurt;
}

} // namespace kiln::worlds
