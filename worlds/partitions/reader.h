#pragma once
// A second reader of partition tables, for oracles: the UEFI specification 2.10, sections 5.2
// (master boot record) and 5.3 (GPT), and what is known of chains of logical partitions. In the
// plainest way: it collects everything first and then judges it, with the numbers as they stand in
// the tables. What the specification leaves open is settled by the rules that the kernel documents
// for itself; limits are the kernel's and come as arguments.

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "generators/sparse_disk.h"

namespace kiln::worlds {

struct PartitionLimits {
  size_t partitions;
  size_t links;
  uint64_t entry_bytes; ///< all of a GPT's entries together
};

/// Why a table, or one copy of it, is not to be believed. In the order in which they are looked
/// for: the first one counts.
enum class TableFault : uint8_t {
  kNone,
  kNoMedium,
  kSectorUnreadable,
  kProtectiveStart,
  kBootIndicator,
  kRecordOutside,
  kRecordOverlap,
  kOutside,
  kHeaderUnreadable,
  kSignature,
  kRevision,
  kHeaderSize,
  kHeaderSum,
  kMyLba,
  kUsable,
  kEntrySize,
  kNoEntries,
  kManyEntries,
  kEntriesPlace,
  kEntriesUnreadable,
  kEntriesSum,
};

struct PartitionReading {
  enum class Verdict : uint8_t { kNone, kMbr, kGpt, kNoMedium, kCorrupt, kUnreadable };
  using Guid = std::array<uint8_t, 16>;
  struct Partition {
    uint32_t number = 0;
    uint64_t first = 0;
    uint64_t last = 0;
    uint8_t type = 0;
    bool active = false;
    Guid kind{};
    Guid id{};
    uint64_t attributes = 0;
    std::string name; ///< UTF-8
  };
  /// What made no sense, by kind.
  struct Counts {
    uint32_t stray_gpt = 0;
    uint32_t hybrid = 0;
    uint32_t protective_size = 0;
    uint32_t primary_bad = 0;
    uint32_t backup_bad = 0;
    uint32_t backup_differs = 0;
    uint32_t backup_not_last = 0;
    uint32_t alternate_place = 0;
    uint32_t reserved = 0;
    uint32_t small_array = 0;
    uint32_t ends = 0;
    uint32_t not_usable = 0;
    uint32_t overlap = 0;
    uint32_t on_table = 0;
    uint32_t same_id = 0;
    uint32_t no_id = 0;
    uint32_t attributes = 0;
    uint32_t name = 0;
    uint32_t full = 0;
    uint32_t empty_record = 0;
    uint32_t untyped_record = 0;
    uint32_t second_extended = 0;
    uint32_t chain_unreadable = 0;
    uint32_t chain_signature = 0;
    uint32_t chain_loop = 0;
    uint32_t chain_long = 0;
    uint32_t link_outside = 0;
    uint32_t link_length = 0;
    uint32_t link_extra = 0;
    uint32_t logical_outside = 0;
  };

  Verdict verdict = Verdict::kNone;
  TableFault fault = TableFault::kNone;        ///< of the table, or of a GPT's primary copy
  TableFault backup_fault = TableFault::kNone; ///< kNone too when there was nothing to look at
  uint32_t disk_signature = 0;
  Guid disk_id{};
  std::vector<Partition> partitions;
  Counts counts;
};

/// `unreadable`: sectors that give an error.
PartitionReading read_partitions(const gen::SparseDisk& disk, const std::set<uint64_t>& unreadable,
                                 const PartitionLimits& limits);

} // namespace kiln::worlds
