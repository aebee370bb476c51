#pragma once
// A master boot record as it is meant.

#include <array>
#include <cstdint>
#include <vector>

#include "generators/mbr.h"

namespace kiln::gen::mbr_draft {

struct Record {
  uint8_t boot = 0;
  uint8_t type = 0;
  uint32_t first = 0;
  uint32_t sectors = 0;
};

/// A sector with records: the disk's first one, or a link. Places count from the disk's beginning
/// here; writing them makes them relative.
struct Link {
  uint64_t at = 0;
  bool has_partition = false;
  uint8_t boot = 0;
  uint8_t type = 0;
  uint64_t first = 0;
  uint64_t sectors = 0;
  uint8_t next_type = 5;
  bool next_first = false;   ///< the record of the next link stands before the partition's
  unsigned shift = 0;        ///< records that stand empty before them
  uint64_t next_sectors = 0; ///< of the next one's area
};

struct Draft {
  uint32_t sector_bytes = 512;
  uint64_t sectors = 0;
  uint32_t disk_signature = 0;
  std::array<Record, 4> records{};
  int extended = -1;       ///< which record
  std::vector<Link> chain; ///< the first one is at the extended partition's beginning
};

/// What is written: records are as they come, relative and all.
struct Sector {
  uint64_t at = 0;
  std::array<Record, 4> records{};
  uint16_t signature = 0xAA55;
  uint32_t disk_signature = 0;
};

/// A sound table in which `lie` can be told.
Draft draw(sim::Tape& tape, MbrLie lie);
/// The disk's first sector, then the links.
std::vector<Sector> sectors_of(const Draft& draft);
void tell(sim::Tape& tape, MbrLie lie, Draft& draft, std::vector<Sector>& sectors,
          SparseDisk& disk);
void write(const std::vector<Sector>& sectors, SparseDisk& disk);

} // namespace kiln::gen::mbr_draft
