#pragma once
// The second reader's parts. Each fills a reading in.

#include "worlds/partitions/disk_bytes.h"
#include "worlds/partitions/reader.h"

namespace kiln::worlds::partitions {

struct Record {
  uint64_t boot;
  uint64_t type;
  uint64_t first;
  uint64_t sectors;

  bool in_use() const { return type != 0 && sectors != 0; }
  bool leads_on() const { return type == 0x05 || type == 0x0F || type == 0x85; }
};

/// The four records of a sector.
std::vector<Record> records_of(const DiskBytes& sector);
bool has_record_signature(const DiskBytes& sector);

void read_gpt(const DiskView& disk, const PartitionLimits& limits, PartitionReading& reading);
void read_mbr(const DiskView& disk, const std::vector<Record>& records,
              const PartitionLimits& limits, PartitionReading& reading);
void read_chain(const DiskView& disk, const Record& extended, const PartitionLimits& limits,
                PartitionReading& reading);

/// Takes a partition if it fits between those that are there.
bool take(PartitionReading& reading, const PartitionLimits& limits,
          const PartitionReading::Partition& partition);

/// UTF-16 to UTF-8, up to a NUL; whether all of it was UTF-16.
bool to_utf8(const std::vector<uint16_t>& units, std::string& text);

} // namespace kiln::worlds::partitions
