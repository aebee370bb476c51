#pragma once
// A GUID partition table as it is meant, before its checksums are made.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "generators/gpt.h"

namespace kiln::gen::gpt_draft {

using Guid = std::array<uint8_t, 16>;

struct Entry {
  uint32_t index = 0;
  Guid kind{};
  Guid id{};
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t attributes = 0;
  std::array<uint16_t, 36> name{};
  std::string name_text; ///< the same in UTF-8
  uint8_t tail = 0;      ///< the last byte of what is behind the format's
};

/// A header and the entries that it leads to.
struct Copy {
  uint64_t lba = 0; ///< where it is written
  uint64_t signature = 0x5452'4150'2049'4645;
  uint32_t revision = 0x0001'0000;
  uint32_t header_bytes = 92;
  uint32_t reserved = 0;
  uint64_t my_lba = 0;
  uint64_t alternate_lba = 0;
  uint64_t first_usable = 0;
  uint64_t last_usable = 0;
  Guid disk_id{};
  uint64_t entries_lba = 0;
  uint32_t entries = 0;
  uint32_t entry_bytes = 128;
  std::vector<uint8_t> array; ///< written whole, whatever `entries` says
  // --- What is done to the bytes when the checksums are right
  uint32_t header_sum_flip = 0;
  uint32_t entries_sum_flip = 0;
  std::optional<uint32_t> summed_entries; ///< the checksum is of so many entries
  std::optional<size_t> header_flip;      ///< a bit of the sector
  std::optional<size_t> array_flip;       ///< a bit of the array
  std::optional<size_t> tail_byte;        ///< a byte of the sector, before the checksum
};

struct Record {
  uint8_t boot = 0;
  uint8_t type = 0;
  uint32_t first = 0;
  uint32_t sectors = 0;
};

struct Draft {
  uint32_t sector_bytes = 512;
  uint64_t sectors = 0; ///< of the disk
  uint32_t header_bytes = 92;
  uint32_t entries = 128;
  uint32_t entry_bytes = 128;
  uint64_t first_usable = 0;
  uint64_t last_usable = 0;
  uint64_t entries_lba = 2;
  uint64_t backup_entries_lba = 0;
  uint64_t backup_lba = 0;
  Guid disk_id{};
  std::vector<Entry> in_use;

  uint64_t array_sectors() const {
    return (uint64_t{entries} * entry_bytes + sector_bytes - 1) / sector_bytes;
  }
};

/// Everything that gets written.
struct Parts {
  std::array<Record, 4> records{};
  uint16_t signature = 0xAA55;
  Copy primary;
  Copy backup;
};

/// A sound table in which `lie` can be told.
Draft draw(sim::Tape& tape, GptLie lie);
Parts parts_of(const Draft& draft);
std::vector<uint8_t> array_of(const Draft& draft);
/// Tells it.
void tell(sim::Tape& tape, GptLie lie, Draft& draft, Parts& parts);
void write(const Parts& parts, SparseDisk& disk);

} // namespace kiln::gen::gpt_draft
