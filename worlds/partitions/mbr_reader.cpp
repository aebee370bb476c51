#include <algorithm>

#include "worlds/partitions/parts.h"

namespace kiln::worlds::partitions {
namespace {

using Verdict = PartitionReading::Verdict;

/// "Each MBR partition record must be checked to make sure that the partition that it defines
/// physically resides on the disk. Each partition record must be checked to make sure it does not
/// overlap with other partition records." (5.2.1)
TableFault judge(const DiskView& disk, const std::vector<Record>& records) {
  // One record after the other: what is wrong with an earlier one counts.
  for (const Record& record : records) {
    if (record.boot != 0x00 && record.boot != 0x80) return TableFault::kBootIndicator;
    if (record.in_use() && record.first + record.sectors > disk.sectors()) {
      return TableFault::kRecordOutside;
    }
  }
  std::vector<Record> sorted;
  for (const Record& record : records) {
    if (record.in_use()) sorted.push_back(record);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Record& a, const Record& b) { return a.first < b.first; });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first < sorted[i - 1].first + sorted[i - 1].sectors) {
      return TableFault::kRecordOverlap;
    }
  }
  return TableFault::kNone;
}

void count_half_empty(const std::vector<Record>& records, PartitionReading::Counts& counts) {
  for (const Record& record : records) {
    if (record.type != 0 && record.sectors == 0) ++counts.empty_record;
    if (record.type == 0 && record.sectors != 0) ++counts.untyped_record;
  }
}

PartitionReading::Partition partition_of(const Record& record, uint64_t base, size_t number) {
  PartitionReading::Partition partition;
  partition.number = static_cast<uint32_t>(number);
  partition.first = base + record.first;
  partition.last = base + record.first + record.sectors - 1;
  partition.type = static_cast<uint8_t>(record.type);
  partition.active = record.boot == 0x80;
  return partition;
}

/// A link of the chain: where it lies and what it says.
struct Link {
  uint64_t at;
  std::optional<Record> partition;
  std::optional<Record> next;
};

Link link_of(uint64_t at, const std::vector<Record>& records, PartitionReading::Counts& counts) {
  Link link{at, std::nullopt, std::nullopt};
  for (const Record& record : records) {
    if (!record.in_use()) continue;
    std::optional<Record>& place = record.leads_on() ? link.next : link.partition;
    if (place) {
      ++counts.link_extra;
    } else {
      place = record;
    }
  }
  return link;
}

/// All links that can be reached.
std::vector<Link> follow(const DiskView& disk, const Record& extended,
                         const PartitionLimits& limits, PartitionReading::Counts& counts) {
  std::vector<Link> chain;
  std::set<uint64_t> seen;
  uint64_t at = extended.first;
  while (true) {
    if (seen.contains(at)) {
      ++counts.chain_loop;
      return chain;
    }
    if (seen.size() == limits.links) {
      ++counts.chain_long;
      return chain;
    }
    seen.insert(at);
    const std::optional<DiskBytes> sector = disk.sector(at);
    if (!sector) {
      ++counts.chain_unreadable;
      chain.push_back({at, std::nullopt, std::nullopt});
      return chain;
    }
    if (!has_record_signature(*sector)) {
      ++counts.chain_signature;
      chain.push_back({at, std::nullopt, std::nullopt});
      return chain;
    }
    const std::vector<Record> records = records_of(*sector);
    count_half_empty(records, counts);
    chain.push_back(link_of(at, records, counts));
    const std::optional<Record>& next = chain.back().next;
    if (!next) {
      return chain;
    }
    if (next->first >= extended.sectors) {
      ++counts.link_outside;
      return chain;
    }
    if (next->first + next->sectors > extended.sectors) ++counts.link_length;
    at = extended.first + next->first;
  }
}

} // namespace

void read_chain(const DiskView& disk, const Record& extended, const PartitionLimits& limits,
                PartitionReading& reading) {
  const std::vector<Link> chain = follow(disk, extended, limits, reading.counts);
  size_t number = 5;
  for (const Link& link : chain) {
    if (!link.partition) continue;
    const PartitionReading::Partition partition = partition_of(*link.partition, link.at, number++);
    if (partition.last >= extended.first + extended.sectors) {
      ++reading.counts.logical_outside;
      continue;
    }
    const bool covers = std::any_of(chain.begin(), chain.end(), [&](const Link& other) {
      return partition.first <= other.at && other.at <= partition.last;
    });
    if (covers) {
      ++reading.counts.on_table;
      continue;
    }
    take(reading, limits, partition);
  }
}

void read_mbr(const DiskView& disk, const std::vector<Record>& records,
              const PartitionLimits& limits, PartitionReading& reading) {
  reading.fault = judge(disk, records);
  if (reading.fault != TableFault::kNone) {
    reading.verdict = Verdict::kCorrupt;
    return;
  }
  reading.verdict = Verdict::kMbr;
  count_half_empty(records, reading.counts);
  std::vector<Record> extended;
  for (size_t i = 0; i < records.size(); ++i) {
    if (!records[i].in_use()) continue;
    if (records[i].first == 0) {
      ++reading.counts.on_table;
    } else if (records[i].leads_on()) {
      extended.push_back(records[i]);
    } else {
      take(reading, limits, partition_of(records[i], 0, i + 1));
    }
  }
  if (extended.empty()) return;
  reading.counts.second_extended += static_cast<uint32_t>(extended.size() - 1);
  read_chain(disk, extended[0], limits, reading);
}

} // namespace kiln::worlds::partitions
