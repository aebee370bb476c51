#pragma once
// Logical partitions: a chain of sectors in the extended partition, each with the same form as the
// device's first one. A link has a partition, counted from itself, and leads to the next link,
// counted from the extended partition.
//
// The chain may lead anywhere and back: it is followed inside the extended partition only, never
// twice to the same sector, and for a bounded number of links.

#include <stdint.h>

#include "kernel-src/block/mbr.h"

namespace clay {

class MbrChain {
 public:
  MbrChain(SectorReader& sectors, PartitionTable& table) : sectors_(sectors), table_(table) {}

  /// Adds its partitions to the table; once. `extended` lies on the device. Waits.
  Result<> read(const MbrRecord& extended);

 private:
  struct Logical {
    uint32_t number = 0;
    MbrRecord record;
    uint64_t link = 0; ///< where it is described
    uint64_t first() const { return link + record.first; }
  };

  /// Whether this is a link that may be followed.
  bool may_follow(uint64_t link);
  /// Reads the link into `sector`; whether it is one.
  Result<bool> load(uint64_t link, MbrSector& sector);
  /// Takes the partition; where the chain goes on, 0 when it ends.
  uint64_t take(uint64_t link, const MbrSector& sector);
  uint64_t follow(const MbrRecord& record);
  void add(const Logical& logical);

  SectorReader& sectors_;
  PartitionTable& table_;
  MbrRecord extended_;
  BoundedList<uint64_t, PartitionTable::kMostLinks> links_;
  BoundedList<Logical, PartitionTable::kMostLinks> logical_;
};

} // namespace clay
