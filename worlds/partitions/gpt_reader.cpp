#include <algorithm>

#include "generators/crc32.h"
#include "worlds/partitions/parts.h"

namespace kiln::worlds::partitions {
namespace {

using Verdict = PartitionReading::Verdict;
using Guid = PartitionReading::Guid;

struct Header {
  uint64_t my_lba, alternate_lba, first_usable, last_usable, entries_lba, entries, entry_bytes,
      entries_sum;
  Guid disk_id;
  bool reserved_is_zero;
};

struct Copy {
  TableFault fault = TableFault::kNone;
  Header header{};
  DiskBytes array;
};

Guid guid_at(const DiskBytes& bytes, size_t at) {
  Guid guid;
  std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(at), guid.size(), guid.begin());
  return guid;
}

bool all_zero(const DiskBytes& bytes, size_t begin, size_t end) {
  return std::all_of(bytes.begin() + static_cast<ptrdiff_t>(begin),
                     bytes.begin() + static_cast<ptrdiff_t>(end), [](uint8_t b) { return b == 0; });
}

Header header_of(const DiskBytes& sector) {
  return {number_at(sector, 24, 8),
          number_at(sector, 32, 8),
          number_at(sector, 40, 8),
          number_at(sector, 48, 8),
          number_at(sector, 72, 8),
          number_at(sector, 80, 4),
          number_at(sector, 84, 4),
          number_at(sector, 88, 4),
          guid_at(sector, 56),
          number_at(sector, 20, 4) == 0 && all_zero(sector, 92, sector.size())};
}

/// Table 5.5: the header by itself.
TableFault judge_header(const DiskBytes& sector) {
  if (std::string(sector.begin(), sector.begin() + 8) != "EFI PART") return TableFault::kSignature;
  if (number_at(sector, 8, 4) != 0x00010000) return TableFault::kRevision;
  const uint64_t size = number_at(sector, 12, 4);
  if (size < 92 || size > sector.size()) return TableFault::kHeaderSize;
  DiskBytes summed(sector.begin(), sector.begin() + static_cast<ptrdiff_t>(size));
  std::fill_n(summed.begin() + 16, 4, uint8_t{0});
  return gen::crc32(summed) == number_at(sector, 16, 4) ? TableFault::kNone
                                                        : TableFault::kHeaderSum;
}

bool is_entry_size(uint64_t bytes) {
  uint64_t size = 128;
  while (size < bytes) {
    size *= 2;
  }
  return size == bytes;
}

/// Where it says things are, against the disk. The copy lies in sector `lba`.
TableFault judge_places(const Header& header, uint64_t lba, const DiskView& disk,
                        const PartitionLimits& limits) {
  if (header.my_lba != lba) return TableFault::kMyLba;
  // Neither the protective record nor the primary header can be usable, nor what is not there.
  if (header.first_usable < 2 || header.first_usable > header.last_usable ||
      header.last_usable > disk.sectors() - 1) {
    return TableFault::kUsable;
  }
  if (!is_entry_size(header.entry_bytes)) return TableFault::kEntrySize;
  if (header.entries == 0) return TableFault::kNoEntries;
  const uint64_t bytes = header.entries * header.entry_bytes; // of 32 bits each
  if (bytes > limits.entry_bytes) return TableFault::kManyEntries;
  const uint64_t sectors = (bytes + disk.sector_bytes() - 1) / disk.sector_bytes();
  // "The primary GPT Partition Entry Array must be located after the primary GPT Header and end
  // before the First Usable LBA. The backup GPT Partition Entry Array must be located after the
  // Last Usable LBA and end before the backup GPT Header." (5.3.1)
  const uint64_t after = lba == 1 ? lba : header.last_usable;
  const uint64_t before = lba == 1 ? header.first_usable : lba;
  const uint64_t last = header.entries_lba + sectors - 1;
  const bool wraps = last < header.entries_lba;
  return header.entries_lba > after && last < before && !wraps ? TableFault::kNone
                                                               : TableFault::kEntriesPlace;
}

Copy read_copy(const DiskView& disk, uint64_t lba, const PartitionLimits& limits) {
  Copy copy;
  if (lba >= disk.sectors()) {
    copy.fault = TableFault::kOutside;
    return copy;
  }
  const std::optional<DiskBytes> sector = disk.sector(lba);
  if (!sector) {
    copy.fault = TableFault::kHeaderUnreadable;
    return copy;
  }
  copy.fault = judge_header(*sector);
  if (copy.fault != TableFault::kNone) return copy;
  copy.header = header_of(*sector);
  copy.fault = judge_places(copy.header, lba, disk, limits);
  if (copy.fault != TableFault::kNone) return copy;
  const uint64_t bytes = copy.header.entries * copy.header.entry_bytes;
  for (uint64_t at = copy.header.entries_lba; copy.array.size() < bytes; ++at) {
    const std::optional<DiskBytes> part = disk.sector(at);
    if (!part) {
      copy.fault = TableFault::kEntriesUnreadable;
      return copy;
    }
    copy.array.insert(copy.array.end(), part->begin(), part->end());
  }
  copy.array.resize(static_cast<size_t>(bytes));
  if (gen::crc32(copy.array) != copy.header.entries_sum) copy.fault = TableFault::kEntriesSum;
  return copy;
}

void look_at_name(const DiskBytes& entry, PartitionReading::Partition& partition,
                  PartitionReading::Counts& counts, bool counting) {
  std::vector<uint16_t> units;
  for (size_t i = 0; i < 36; ++i) {
    units.push_back(static_cast<uint16_t>(number_at(entry, 56 + 2 * i, 2)));
  }
  partition.name.clear();
  const bool sound = to_utf8(units, partition.name);
  if (counting && !sound) ++counts.name;
}

void take_entry(const DiskBytes& entry, const Header& header, size_t number,
                const PartitionLimits& limits, PartitionReading& reading) {
  PartitionReading::Partition partition;
  partition.number = static_cast<uint32_t>(number);
  partition.kind = guid_at(entry, 0);
  partition.id = guid_at(entry, 16);
  partition.first = number_at(entry, 32, 8);
  partition.last = number_at(entry, 40, 8);
  partition.attributes = number_at(entry, 48, 8);
  PartitionReading::Counts& counts = reading.counts;
  if (partition.kind == Guid{}) return;
  if (partition.first > partition.last) {
    ++counts.ends;
    return;
  }
  if (partition.first < header.first_usable || partition.last > header.last_usable) {
    ++counts.not_usable;
    return;
  }
  const bool id_is_known =
      std::any_of(reading.partitions.begin(), reading.partitions.end(),
                  [&](const PartitionReading::Partition& p) { return p.id == partition.id; });
  look_at_name(entry, partition, counts, false);
  if (!take(reading, limits, partition)) return;
  look_at_name(entry, partition, counts, true);
  if (partition.id == Guid{}) {
    ++counts.no_id;
  } else if (id_is_known) {
    ++counts.same_id;
  }
  for (unsigned bit = 3; bit < 48; ++bit) {
    if ((partition.attributes >> bit & 1) != 0) {
      ++counts.attributes;
      break;
    }
  }
  if (!all_zero(entry, 128, entry.size())) ++counts.reserved;
}

void take_copy(const Copy& copy, const DiskView& disk, const PartitionLimits& limits,
               PartitionReading& reading) {
  const Header& header = copy.header;
  reading.verdict = Verdict::kGpt;
  reading.disk_id = header.disk_id;
  if (!header.reserved_is_zero) ++reading.counts.reserved;
  // "A minimum of 16,384 bytes of space must be reserved for the GPT Partition Entry Array."
  const uint64_t reserved =
      header.my_lba == 1 ? header.first_usable - 2 : header.my_lba - header.last_usable - 1;
  if (reserved < 16384 && reserved * disk.sector_bytes() < 16384) ++reading.counts.small_array;
  for (size_t i = 0; i < header.entries; ++i) {
    const auto begin = copy.array.begin() + static_cast<ptrdiff_t>(i * header.entry_bytes);
    const DiskBytes entry(begin, begin + static_cast<ptrdiff_t>(header.entry_bytes));
    take_entry(entry, header, i + 1, limits, reading);
  }
}

bool same_table(const Header& a, const Header& b) {
  return a.disk_id == b.disk_id && a.first_usable == b.first_usable &&
         a.last_usable == b.last_usable && a.entries == b.entries &&
         a.entry_bytes == b.entry_bytes && a.entries_sum == b.entries_sum;
}

void use_primary(const Copy& primary, const DiskView& disk, const PartitionLimits& limits,
                 PartitionReading& reading) {
  const uint64_t other = primary.header.alternate_lba;
  if (other <= primary.header.last_usable || other >= disk.sectors()) {
    ++reading.counts.alternate_place;
  } else {
    if (other != disk.sectors() - 1) ++reading.counts.backup_not_last;
    const Copy backup = read_copy(disk, other, limits);
    reading.backup_fault = backup.fault;
    if (backup.fault != TableFault::kNone) {
      ++reading.counts.backup_bad;
    } else {
      if (backup.header.alternate_lba != 1) ++reading.counts.alternate_place;
      if (!same_table(primary.header, backup.header)) ++reading.counts.backup_differs;
    }
  }
  take_copy(primary, disk, limits, reading);
}

bool is_lost(TableFault fault) {
  return fault == TableFault::kHeaderUnreadable || fault == TableFault::kEntriesUnreadable;
}

} // namespace

/// "If the primary GPT is invalid, the backup GPT is used instead and it is located on the last
/// logical block on the disk." (5.3.2)
void read_gpt(const DiskView& disk, const PartitionLimits& limits, PartitionReading& reading) {
  const Copy primary = read_copy(disk, 1, limits);
  reading.fault = primary.fault;
  if (primary.fault == TableFault::kNone) {
    return use_primary(primary, disk, limits, reading);
  }
  Copy backup;
  backup.fault = TableFault::kOutside;
  if (disk.sectors() > 2) backup = read_copy(disk, disk.sectors() - 1, limits);
  reading.backup_fault = backup.fault;
  if (backup.fault == TableFault::kNone) {
    ++reading.counts.primary_bad;
    if (backup.header.alternate_lba != 1) ++reading.counts.alternate_place;
    take_copy(backup, disk, limits, reading);
  } else {
    reading.verdict =
        is_lost(primary.fault) || is_lost(backup.fault) ? Verdict::kUnreadable : Verdict::kCorrupt;
  }
}

bool to_utf8(const std::vector<uint16_t>& units, std::string& text) {
  bool sound = true;
  size_t at = 0;
  while (at < units.size() && units[at] != 0) {
    uint32_t code = units[at++];
    if (code >= 0xD800 && code <= 0xDBFF && at < units.size() && units[at] >= 0xDC00 &&
        units[at] <= 0xDFFF) {
      code = 0x10000 + (code - 0xD800) * 0x400 + (units[at++] - 0xDC00u);
    } else if (code >= 0xD800 && code <= 0xDFFF) {
      code = 0xFFFD;
      sound = false;
    }
    const auto put = [&](uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 + code / 64);
      put(0x80 + code % 64);
    } else if (code < 0x10000) {
      put(0xE0 + code / 4096);
      put(0x80 + code / 64 % 64);
      put(0x80 + code % 64);
    } else {
      put(0xF0 + code / 262144);
      put(0x80 + code / 4096 % 64);
      put(0x80 + code / 64 % 64);
      put(0x80 + code % 64);
    }
  }
  return sound;
}

} // namespace kiln::worlds::partitions
