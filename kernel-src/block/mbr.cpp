#include "kernel-src/block/mbr.h"

#include "kernel-src/block/mbr_chain.h"
#include "kernel-src/lib/le_fields.h"
#include "kernel-src/task/heap.h"

namespace clay {
namespace {

constexpr size_t kDiskSignature = 440;
constexpr size_t kFirstRecord = 446;
constexpr size_t kRecordBytes = 16;
constexpr size_t kSignature = 510;

constexpr uint8_t kActive = 0x80;

MbrRecord parse_record(const LeFields& fields, size_t at) {
  return {fields.u8(at), fields.u8(at + 4), fields.u32(at + 8), fields.u32(at + 12)};
}

bool overlap(const MbrRecord& a, const MbrRecord& b) {
  return a.is_used() && b.is_used() && a.first < b.end() && b.first < a.end();
}

} // namespace

bool MbrSector::parse(Bytes bytes) {
  const LeFields fields(bytes);
  if (fields.u16(kSignature) != 0xAA55) {
    return false;
  }
  disk_signature = fields.u32(kDiskSignature);
  for (size_t i = 0; i < kRecords; ++i) {
    records[i] = parse_record(fields, kFirstRecord + i * kRecordBytes);
  }
  return true;
}

PartitionRefusal MbrReader::check(const MbrSector& sector) const {
  for (const MbrRecord& record : sector.records) {
    if (record.boot != 0 && record.boot != kActive) {
      return PartitionRefusal::kBootIndicator;
    }
    if (record.is_used() && record.end() > sectors_.sectors()) {
      return PartitionRefusal::kRecordOutside;
    }
  }
  for (size_t i = 0; i < MbrSector::kRecords; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (overlap(sector.records[i], sector.records[j])) {
        return PartitionRefusal::kRecordOverlap;
      }
    }
  }
  return PartitionRefusal::kNone;
}

Result<> MbrReader::read(const MbrSector& sector) {
  if (const PartitionRefusal reason = check(sector); reason != PartitionRefusal::kNone) {
    return table_.refuse(reason, Error::kCorrupt);
  }
  table_.scheme_ = PartitionScheme::kMbr;
  table_.disk_signature_ = sector.disk_signature;
  const MbrRecord* extended = nullptr;
  for (uint32_t i = 0; i < MbrSector::kRecords; ++i) {
    const MbrRecord& record = sector.records[i];
    table_.note_unused(record.type != 0, record.sectors != 0);
    if (!record.is_used()) {
      continue;
    }
    if (record.first == 0) {
      table_.note(PartitionOddity::kOnTable);
    } else if (!record.is_extended()) {
      Partition partition;
      partition.number = i + 1;
      partition.first = record.first;
      partition.sectors = record.sectors;
      partition.type = record.type;
      partition.active = record.boot == kActive;
      static_cast<void>(table_.add(partition));
    } else if (extended == nullptr) {
      extended = &record;
    } else {
      table_.note(PartitionOddity::kSecondExtended);
    }
  }
  if (extended == nullptr) {
    return {};
  }
  const Box<MbrChain> chain = CLAY_TRY(make_box<MbrChain>(kHalAllocMayWait, sectors_, table_));
  return chain->read(*extended);
}

} // namespace clay
