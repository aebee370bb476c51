#pragma once
// Master boot records: four records of partitions in a device's first sector. partition_table.h has
// the rules, mbr_chain.h reads the logical partitions.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/block/partition_table.h"
#include "kernel-src/block/sector_reader.h"

namespace clay {

struct MbrRecord {
  uint8_t boot = 0;
  uint8_t type = 0;
  uint32_t first = 0;
  uint32_t sectors = 0;

  bool is_used() const { return type != 0 && sectors != 0; }
  bool is_protective() const { return type == 0xEE; }
  bool is_extended() const { return type == 0x05 || type == 0x0F || type == 0x85; }
  uint64_t end() const { return uint64_t{first} + sectors; }
};

/// What the first 512 bytes of a sector hold.
struct MbrSector {
  static constexpr size_t kRecords = 4;
  MbrRecord records[kRecords];
  uint32_t disk_signature = 0;

  /// Whether `bytes`, a sector, has the signature; then it is read.
  bool parse(Bytes bytes);
};

class MbrReader {
 public:
  MbrReader(SectorReader& sectors, PartitionTable& table) : sectors_(sectors), table_(table) {}

  /// Fills the table in. Waits.
  Result<> read(const MbrSector& sector);

 private:
  PartitionRefusal check(const MbrSector& sector) const;

  SectorReader& sectors_;
  PartitionTable& table_;
};

} // namespace clay
