#include "worlds/partitions/reader.h"

#include "worlds/partitions/parts.h"

namespace kiln::worlds {

using Verdict = PartitionReading::Verdict;

namespace partitions {

std::vector<Record> records_of(const DiskBytes& sector) {
  std::vector<Record> records;
  for (size_t at : {446, 462, 478, 494}) {
    records.push_back({number_at(sector, at, 1), number_at(sector, at + 4, 1),
                       number_at(sector, at + 8, 4), number_at(sector, at + 12, 4)});
  }
  return records;
}

bool has_record_signature(const DiskBytes& sector) {
  return sector[510] == 0x55 && sector[511] == 0xAA;
}

bool take(PartitionReading& reading, const PartitionLimits& limits,
          const PartitionReading::Partition& partition) {
  for (const PartitionReading::Partition& other : reading.partitions) {
    const bool apart = partition.last < other.first || partition.first > other.last;
    if (!apart) {
      ++reading.counts.overlap;
      return false;
    }
  }
  if (reading.partitions.size() == limits.partitions) {
    ++reading.counts.full;
    return false;
  }
  reading.partitions.push_back(partition);
  return true;
}

namespace {

constexpr uint64_t kProtective = 0xEE;

/// The record that protects a GPT, or one that should and does not begin behind the first sector.
struct Protection {
  const Record* record = nullptr;
  const Record* misplaced = nullptr;
  size_t typed = 0; ///< records with a type, of any kind
};

Protection protection_in(const std::vector<Record>& records) {
  Protection protection;
  for (const Record& record : records) {
    if (record.type != 0) ++protection.typed;
    if (record.type != kProtective) continue;
    if (record.first != 1) protection.misplaced = &record;
    if (record.first == 1 && protection.record == nullptr) protection.record = &record;
  }
  return protection;
}

bool looks_like_gpt(const DiskView& disk) {
  if (disk.sectors() < 2) return false;
  const std::optional<DiskBytes> sector = disk.sector(1);
  return sector && std::string(sector->begin(), sector->begin() + 8) == "EFI PART";
}

} // namespace
} // namespace partitions

PartitionReading read_partitions(const gen::SparseDisk& disk, const std::set<uint64_t>& unreadable,
                                 const PartitionLimits& limits) {
  using namespace partitions;
  PartitionReading reading;
  const DiskView view(disk, unreadable);
  if (disk.sectors == 0) {
    reading.verdict = Verdict::kNoMedium;
    reading.fault = TableFault::kNoMedium;
    return reading;
  }
  const std::optional<DiskBytes> first = view.sector(0);
  if (!first) {
    reading.verdict = Verdict::kUnreadable;
    reading.fault = TableFault::kSectorUnreadable;
    return reading;
  }
  const bool is_record = has_record_signature(*first);
  const std::vector<Record> records = is_record ? records_of(*first) : std::vector<Record>();
  const Protection protection = protection_in(records);
  if (protection.record != nullptr) {
    if (protection.typed > 1) ++reading.counts.hybrid;
    const uint64_t size = protection.record->sectors;
    if (size != disk.sectors - 1 && size != 0xFFFFFFFF) ++reading.counts.protective_size;
    read_gpt(view, limits, reading);
    return reading;
  }
  if (protection.misplaced != nullptr) {
    reading.verdict = Verdict::kCorrupt;
    reading.fault = TableFault::kProtectiveStart;
    return reading;
  }
  if (looks_like_gpt(view)) ++reading.counts.stray_gpt;
  if (is_record) {
    read_mbr(view, records, limits, reading);
    if (reading.verdict == Verdict::kMbr) {
      reading.disk_signature = static_cast<uint32_t>(number_at(*first, 440, 4));
    }
  }
  return reading;
}

} // namespace kiln::worlds
