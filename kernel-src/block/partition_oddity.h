#pragma once
// What a partition table says that makes no sense, but does not spoil the rest of it: counted by
// kind, for the log.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/enum_text.h"
#include "kernel-src/lib/kind_counts.h"

namespace clay {

// X(identifier, "what was met, and what became of it")
#define CLAY_PARTITION_ODDITIES(X)                                                                 \
  X(kStrayGpt, "a GPT that no record in the first sector speaks of: left out")                     \
  X(kHybrid, "a GPT whose first sector has other records too: these are left out")                 \
  X(kProtectiveSize, "the record that protects a GPT does not cover the device")                   \
  X(kPrimaryBad, "a primary GPT that is not sound: the backup counts")                             \
  X(kBackupBad, "a backup GPT that is not sound")                                                  \
  X(kBackupDiffers, "a backup GPT that says something else: the primary counts")                   \
  X(kBackupNotLast, "a backup GPT that does not lie at the device's end")                          \
  X(kAlternatePlace, "a GPT whose other copy cannot be where it says")                             \
  X(kReserved, "reserved bytes of a GPT that are not zero")                                        \
  X(kSmallArray, "less room for GPT entries than 16 KiB")                                          \
  X(kEnds, "a partition that ends before it begins: left out")                                     \
  X(kNotUsable, "a partition outside of what its GPT calls usable: left out")                      \
  X(kOverlap, "a partition that overlaps one before it: left out")                                 \
  X(kOnTable, "a partition that covers its own table: left out")                                   \
  X(kSameId, "a partition with another one's GUID")                                                \
  X(kNoId, "a partition without a GUID")                                                           \
  X(kAttributes, "attributes of a partition that mean nothing")                                    \
  X(kName, "a partition's name that is no UTF-16")                                                 \
  X(kFull, "a partition beyond the limit: left out")                                               \
  X(kEmptyRecord, "a record with a type and no sectors: left out")                                 \
  X(kUntypedRecord, "a record with sectors and no type: left out")                                 \
  X(kSecondExtended, "a second extended partition: left out")                                      \
  X(kChainUnreadable, "a link of logical partitions that cannot be read: the rest is lost")        \
  X(kChainSignature, "a link of logical partitions that is none: the rest is lost")                \
  X(kChainLoop, "a chain of logical partitions that comes back to itself")                         \
  X(kChainLong, "a chain of logical partitions beyond the limit: the rest is lost")                \
  X(kLinkOutside, "a link outside of the extended partition: the rest is lost")                    \
  X(kLinkLength, "a link that is longer than the extended partition")                              \
  X(kLinkExtra, "a further record in a link of logical partitions: left out")                      \
  X(kLogicalOutside, "a logical partition outside of the extended one: left out")

enum class PartitionOddity : uint8_t {
#define CLAY_PARTITION_ODDITY_ENUM(id, text) id,
  CLAY_PARTITION_ODDITIES(CLAY_PARTITION_ODDITY_ENUM)
#undef CLAY_PARTITION_ODDITY_ENUM
};
#define CLAY_PARTITION_ODDITY_COUNT(id, text) +1
inline constexpr size_t kPartitionOddities = 0 CLAY_PARTITION_ODDITIES(CLAY_PARTITION_ODDITY_COUNT);
#undef CLAY_PARTITION_ODDITY_COUNT

inline constexpr const char* kPartitionOddityTexts[] = {CLAY_PARTITION_ODDITIES(CLAY_TEXT_OF)};

/// In words, for the log. Never null.
inline const char* partition_oddity_text(PartitionOddity oddity) {
  return text_of(kPartitionOddityTexts, oddity);
}

using PartitionOddities = KindCounts<PartitionOddity, kPartitionOddities>;

} // namespace clay
