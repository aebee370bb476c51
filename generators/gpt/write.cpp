// From parts to sectors.

#include "generators/crc32.h"
#include "generators/endian.h"
#include "generators/gpt/draft.h"

namespace kiln::gen::gpt_draft {
namespace {

constexpr size_t kMostSummed = size_t{512} << 10;

void write_records(const Parts& parts, SparseDisk& disk) {
  std::vector<uint8_t>& sector = disk.at(0);
  std::fill(sector.begin(), sector.end(), uint8_t{0});
  for (size_t i = 0; i < parts.records.size(); ++i) {
    const Record& record = parts.records[i];
    uint8_t* const at = &sector[446 + 16 * i];
    at[0] = record.boot;
    at[4] = record.type;
    store_le(at + 8, record.first);
    store_le(at + 12, record.sectors);
  }
  store_le(&sector[510], parts.signature);
}

/// Of what a reader finds: zeros follow the array.
uint32_t sum_of_entries(const Copy& copy) {
  const uint64_t bytes = uint64_t{copy.summed_entries.value_or(copy.entries)} * copy.entry_bytes;
  if (bytes <= copy.array.size()) {
    return crc32(std::span(copy.array).first(static_cast<size_t>(bytes)));
  }
  std::vector<uint8_t> longer = copy.array;
  longer.resize(static_cast<size_t>(std::min<uint64_t>(bytes, kMostSummed)));
  return crc32(longer);
}

void flip(std::span<uint8_t> bytes, std::optional<size_t> bit) {
  if (bit && *bit / 8 < bytes.size()) {
    bytes[*bit / 8] ^= static_cast<uint8_t>(1u << *bit % 8);
  }
}

void write_array(const Copy& copy, SparseDisk& disk) {
  std::vector<uint8_t> array = copy.array;
  flip(array, copy.array_flip);
  disk.write(copy.entries_lba, array);
}

void write_header(const Copy& copy, SparseDisk& disk) {
  std::vector<uint8_t>& sector = disk.at(copy.lba);
  std::fill(sector.begin(), sector.end(), uint8_t{0});
  store_le(&sector[0], copy.signature);
  store_le(&sector[8], copy.revision);
  store_le(&sector[12], copy.header_bytes);
  store_le(&sector[20], copy.reserved);
  store_le(&sector[24], copy.my_lba);
  store_le(&sector[32], copy.alternate_lba);
  store_le(&sector[40], copy.first_usable);
  store_le(&sector[48], copy.last_usable);
  std::copy(copy.disk_id.begin(), copy.disk_id.end(), &sector[56]);
  store_le(&sector[72], copy.entries_lba);
  store_le(&sector[80], copy.entries);
  store_le(&sector[84], copy.entry_bytes);
  store_le(&sector[88], sum_of_entries(copy) ^ copy.entries_sum_flip);
  if (copy.tail_byte) {
    sector[*copy.tail_byte] = 0x5A;
  }
  const size_t summed = std::min<size_t>(copy.header_bytes, sector.size());
  store_le(&sector[16], crc32(std::span(sector).first(summed)) ^ copy.header_sum_flip);
  flip(sector, copy.header_flip);
}

} // namespace

std::vector<uint8_t> array_of(const Draft& draft) {
  std::vector<uint8_t> array(size_t{draft.entries} * draft.entry_bytes);
  for (const Entry& entry : draft.in_use) {
    uint8_t* const at = &array[size_t{entry.index} * draft.entry_bytes];
    std::copy(entry.kind.begin(), entry.kind.end(), at);
    std::copy(entry.id.begin(), entry.id.end(), at + 16);
    store_le(at + 32, entry.first);
    store_le(at + 40, entry.last);
    store_le(at + 48, entry.attributes);
    for (size_t i = 0; i < entry.name.size(); ++i) {
      store_le(at + 56 + 2 * i, entry.name[i]);
    }
    if (draft.entry_bytes > 128) {
      at[draft.entry_bytes - 1] = entry.tail;
    }
  }
  return array;
}

Parts parts_of(const Draft& draft) {
  Parts parts;
  const uint64_t rest = draft.sectors - 1;
  parts.records[0] = {0, 0xEE, 1, static_cast<uint32_t>(std::min<uint64_t>(rest, 0xFFFF'FFFF))};
  Copy& primary = parts.primary;
  primary.lba = primary.my_lba = 1;
  primary.header_bytes = draft.header_bytes;
  primary.alternate_lba = draft.backup_lba;
  primary.first_usable = draft.first_usable;
  primary.last_usable = draft.last_usable;
  primary.disk_id = draft.disk_id;
  primary.entries_lba = draft.entries_lba;
  primary.entries = draft.entries;
  primary.entry_bytes = draft.entry_bytes;
  primary.array = array_of(draft);
  parts.backup = primary;
  parts.backup.lba = parts.backup.my_lba = draft.backup_lba;
  parts.backup.alternate_lba = 1;
  parts.backup.entries_lba = draft.backup_entries_lba;
  return parts;
}

void write(const Parts& parts, SparseDisk& disk) {
  // Arrays in the wrong place must not hide headers.
  write_array(parts.primary, disk);
  write_array(parts.backup, disk);
  write_header(parts.primary, disk);
  write_header(parts.backup, disk);
  write_records(parts, disk);
}

} // namespace kiln::gen::gpt_draft
