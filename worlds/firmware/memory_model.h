#pragma once
// What a memory map says, worked out the slow way, in 128 bits: every entry is kept, and a byte's
// rank is the highest of all entries that cover it. For oracles; written from the ACPI
// Specification 6.5, section 15.1, the UEFI Specification 2.10, section 7.2.3, and the Multiboot2
// Specification 2.0, section 3.6.8.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "generators/memory_map.h"

namespace kiln::worlds {

using Wide = unsigned __int128;

/// How careful one has to be; the higher word counts. 0: no entry speaks of it.
enum class MemoryRank : uint8_t {
  kNone,
  kUsable,
  kBootServices,
  kTables,
  kPersistent,
  kNvs,
  kReserved,
  kBad,
  kKernel,
};

/// [first, end).
struct MemorySegment {
  Wide first;
  Wide end;
  MemoryRank rank;
};

/// How many entries were left out, or taken with care.
struct MemoryOddities {
  uint32_t entries = 0;
  uint32_t empty = 0;
  uint32_t beyond = 0;
  uint32_t disabled = 0;
  uint32_t unknown = 0;
  uint32_t open_end = 0;
};

class MemoryModel {
 public:
  static constexpr Wide kEnd = Wide{1} << 64;

  void add(Wide first, Wide end, MemoryRank rank) { all_.push_back({first, end, rank}); }
  /// Sorted, apart, neighbours of one rank joined; without what no entry speaks of.
  std::vector<MemorySegment> segments() const;

 private:
  std::vector<MemorySegment> all_;
};

/// Adds what `map` says, by the rules of its format.
MemoryOddities read_firmware_map(const gen::FirmwareMap& map, MemoryModel& model);

} // namespace kiln::worlds
