#include "kernel-src/block/gpt.h"
#include "kernel-src/block/gpt_format.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/checksum.h"
#include "kernel-src/lib/le_fields.h"

namespace clay {
namespace {

using gpt_format::is_clear;
using Refusal = PartitionRefusal;

constexpr size_t kHeaderMin = 92;
constexpr uint32_t kRevision1 = 0x0001'0000;
constexpr uint32_t kEntryMin = 128;

// Places in the header.
constexpr size_t kRevision = 8;
constexpr size_t kHeaderSize = 12;
constexpr size_t kHeaderSum = 16;
constexpr size_t kReserved = 20;

/// With zeros in the place of the checksum itself.
uint32_t header_sum(Bytes header) {
  constexpr uint8_t kZeros[4] = {};
  uint32_t sum = crc32(header.first(kHeaderSum));
  sum = crc32(Bytes(kZeros), sum);
  return crc32(header.from(kHeaderSum + sizeof kZeros), sum);
}

Refusal check_format(Bytes sector) {
  const LeFields fields(sector);
  if (!gpt_format::has_signature(sector)) {
    return Refusal::kSignature;
  }
  if (fields.u32(kRevision) != kRevision1) {
    return Refusal::kRevision;
  }
  const uint32_t size = fields.u32(kHeaderSize);
  if (size < kHeaderMin || size > sector.size()) {
    return Refusal::kHeaderSize;
  }
  return header_sum(sector.first(size)) == fields.u32(kHeaderSum) ? Refusal::kNone
                                                                  : Refusal::kHeaderSum;
}

Refusal check_entries(const GptHeader& header, size_t sector_bytes) {
  if (header.entry_bytes < kEntryMin || !is_power_of_two(header.entry_bytes)) {
    return Refusal::kEntrySize;
  }
  if (header.entries == 0) {
    return Refusal::kNoEntries;
  }
  if (header.array_bytes() > PartitionTable::kMostEntryBytes) {
    return Refusal::kManyEntries;
  }
  const uint64_t sectors = divide_up<uint64_t>(header.array_bytes(), sector_bytes);
  // Where entries may lie: [begin, end).
  const uint64_t begin = header.is_primary() ? header.my_lba + 1 : header.last_usable + 1;
  const uint64_t end = header.is_primary() ? header.first_usable : header.my_lba;
  return header.entries_lba >= begin && range_within(header.entries_lba, sectors, end)
             ? Refusal::kNone
             : Refusal::kEntriesPlace;
}

} // namespace

PartitionRefusal GptHeader::parse(Bytes sector, uint64_t lba, uint64_t sectors) {
  if (const Refusal reason = check_format(sector); reason != Refusal::kNone) {
    return reason;
  }
  const LeFields fields(sector);
  my_lba = fields.u64(24);
  alternate_lba = fields.u64(32);
  first_usable = fields.u64(40);
  last_usable = fields.u64(48);
  disk_id = Guid::load(sector.from(56));
  entries_lba = fields.u64(72);
  entries = fields.u32(80);
  entry_bytes = fields.u32(84);
  entries_sum = fields.u32(88);
  reserved_clear = fields.u32(kReserved) == 0 && is_clear(sector.from(kHeaderMin));
  if (my_lba != lba) {
    return Refusal::kMyLba;
  }
  if (first_usable <= 1 || first_usable > last_usable || last_usable >= sectors) {
    return Refusal::kUsable;
  }
  return check_entries(*this, sector.size());
}

bool GptHeader::agrees_with(const GptHeader& other) const {
  return disk_id == other.disk_id && first_usable == other.first_usable &&
         last_usable == other.last_usable && entries == other.entries &&
         entry_bytes == other.entry_bytes && entries_sum == other.entries_sum;
}

} // namespace clay
