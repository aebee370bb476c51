#include "kernel-src/block/partition_table.h"

#include "kernel-src/block/gpt.h"
#include "kernel-src/block/mbr.h"
#include "kernel-src/block/sector_reader.h"

namespace clay {
namespace {

bool overlap(const Partition& a, const Partition& b) {
  return a.first <= b.last() && b.first <= a.last();
}

/// What the first sector's records say of a GPT.
struct Protection {
  const MbrRecord* record = nullptr; ///< that begins where it must
  bool misplaced = false;            ///< one begins elsewhere
  bool others = false;               ///< there is something else beside it
};

Protection find_protection(const MbrSector& sector) {
  Protection found;
  for (const MbrRecord& record : sector.records) {
    if (record.is_protective() && record.first == 1 && found.record == nullptr) {
      found.record = &record;
    } else if (record.is_protective() && record.first != 1) {
      found.misplaced = true;
      found.others = true;
    } else if (record.type != 0) {
      found.others = true;
    }
  }
  return found;
}

/// Whether the record says that everything behind the first sector is taken.
bool covers(const MbrRecord& record, uint64_t sectors) {
  return record.sectors == UINT32_MAX || record.sectors == sectors - 1;
}

} // namespace

Result<> PartitionTable::refuse(PartitionRefusal reason, Error error) {
  refusal_ = reason;
  return error;
}

void PartitionTable::note_unused(bool has_type, bool has_sectors) {
  if (has_type && !has_sectors) {
    note(PartitionOddity::kEmptyRecord);
  } else if (!has_type && has_sectors) {
    note(PartitionOddity::kUntypedRecord);
  }
}

bool PartitionTable::add(const Partition& partition) {
  for (const Partition& earlier : partitions_.all()) {
    if (overlap(earlier, partition)) {
      note(PartitionOddity::kOverlap);
      return false;
    }
  }
  const bool room = partitions_.add(partition);
  note_unless(room, PartitionOddity::kFull);
  return room;
}

Result<> PartitionTable::read(BlockDevice& device) {
  SectorReader sectors(device);
  if (sectors.sectors() == 0) {
    return refuse(PartitionRefusal::kNoMedium, Error::kNoDevice);
  }
  CLAY_TRY(sectors.create());
  if (!CLAY_TRY(sectors.load(0))) {
    return refuse(PartitionRefusal::kSectorUnreadable, Error::kIo);
  }
  MbrSector sector;
  const bool is_record = sector.parse(sectors.bytes());
  const Protection protection = find_protection(sector);
  if (protection.record != nullptr) {
    note_unless(!protection.others, PartitionOddity::kHybrid);
    note_unless(covers(*protection.record, sectors.sectors()), PartitionOddity::kProtectiveSize);
    return GptReader(sectors, *this).read();
  }
  if (protection.misplaced) {
    return refuse(PartitionRefusal::kProtectiveStart, Error::kCorrupt);
  }
  note_unless(!CLAY_TRY(GptReader::is_there(sectors)), PartitionOddity::kStrayGpt);
  return is_record ? MbrReader(sectors, *this).read(sector) : Result<>();
}

} // namespace clay
