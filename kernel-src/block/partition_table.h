#pragma once
// The partitions of a block device: a master boot record with logical partitions, or a GUID
// partition table.
//
//   Box<PartitionTable> table = CLAY_TRY(make_box<PartitionTable>(kHalAllocMayWait));
//   CLAY_TRY(table->read(device));                   // waits
//   for (const Partition& partition : table->partitions()) ...
//
// Rules. Where a reason or oddity is not the UEFI specification's (2.10, chapter 5), it is here.
// - A table that cannot be read is no empty table: read() fails. Where only a part is lost (the
//   rest of a chain, one copy of a GPT) what is there counts, and an oddity says so.
// - A record of type 0xEE that begins at sector 1 means a GPT, whatever else the sector has. One
//   that begins elsewhere means that neither can be believed. Without one a GPT is left out: a
//   tool that does not know of it has written another table since.
// - A master boot record is refused whole when a record lies outside the device or two overlap, as
//   the specification has it, or a boot indicator is neither 0x00 nor 0x80.
// - The primary GPT counts when it is sound, else the backup in the device's last sector. Sound
//   means the specification's tests and that no table lies in what is usable, or outside the
//   device. Both are looked at, so that a backup that would fail is reported before it is needed.
// - Partitions that are handed out lie on the device, outside of the tables that describe them, and
//   do not overlap: of two that do, the one that stands first counts.
// - Logical partitions: each link of the chain has at most one partition, counted from the link,
//   and at most one further link, counted from the extended partition. In whatever order.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/block/partition_oddity.h"
#include "kernel-src/block/partition_refusal.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/bounded_text.h"
#include "kernel-src/lib/guid.h"
#include "kernel-src/lib/result.h"

namespace clay {

/// Of a GPT, in bytes of UTF-8.
inline constexpr size_t kPartitionNameMax = 108;

struct Partition {
  /// As other systems count: records of the first sector are 1 to 4, logical partitions begin with
  /// 5; entries of a GPT with 1. What is left out keeps its number.
  uint32_t number = 0;
  uint64_t first = 0;   ///< sector
  uint64_t sectors = 0; ///< at least 1
  // --- Of a master boot record
  uint8_t type = 0;
  bool active = false;
  // --- Of a GPT
  Guid kind;
  Guid id; ///< its own
  uint64_t attributes = 0;
  BoundedText<kPartitionNameMax> name; ///< UTF-8; may hold control characters

  uint64_t last() const { return first + (sectors - 1); }
};

enum class PartitionScheme : uint8_t {
  kNone, ///< the first sector is no table: a new device, or one with a filesystem on all of it
  kMbr,
  kGpt,
};

class PartitionTable {
 public:
  static constexpr size_t kMostPartitions = 128;
  static constexpr size_t kMostLinks = 64;                ///< of a chain of logical partitions
  static constexpr uint64_t kMostEntryBytes = 256 * 1024; ///< all entries of a GPT

  /// Once. kCorrupt: there is a table and it contradicts itself; kIo: what is needed of it cannot
  /// be read; refusal() says more. kNoDevice: no medium, or the device is gone; kTimedOut;
  /// kNoMemory. Nothing is handed out then. Waits.
  Result<> read(BlockDevice& device);

  PartitionScheme scheme() const { return scheme_; }
  Span<const Partition> partitions() const { return partitions_.all(); }
  uint32_t oddities(PartitionOddity oddity) const { return oddities_.count(oddity); }

  uint32_t disk_signature() const { return disk_signature_; } ///< of a master boot record
  const Guid& disk_id() const { return disk_id_; }            ///< of a GPT

  /// Why the table is refused; of a GPT why its primary copy is, also when the backup counts.
  PartitionRefusal refusal() const { return refusal_; }
  /// Why the backup of a GPT is refused; kNone too when it was not looked at.
  PartitionRefusal backup_refusal() const { return backup_refusal_; }

 private:
  friend class MbrReader;
  friend class MbrChain;
  friend class GptReader;

  Result<> refuse(PartitionRefusal reason, Error error);
  void note(PartitionOddity oddity) { oddities_.note(oddity); }
  void note_unless(bool fine, PartitionOddity oddity) { oddities_.note_unless(fine, oddity); }
  /// A record that is half empty, in the first sector or a link.
  void note_unused(bool has_type, bool has_sectors);
  /// Takes it, unless it overlaps one that was taken or there is no room; the oddity says so.
  /// Whether it is taken.
  bool add(const Partition& partition);

  PartitionScheme scheme_ = PartitionScheme::kNone;
  PartitionRefusal refusal_ = PartitionRefusal::kNone;
  PartitionRefusal backup_refusal_ = PartitionRefusal::kNone;
  uint32_t disk_signature_ = 0;
  Guid disk_id_;
  PartitionOddities oddities_;
  BoundedList<Partition, kMostPartitions> partitions_;
};

} // namespace clay
