#pragma once
// Why a device's partition table, or one copy of it, is not believed.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/enum_text.h"

namespace clay {

// Those of the first sector. X(identifier, "what is wrong")
#define CLAY_MBR_REFUSALS(X)                                                                       \
  X(kNoMedium, "the device has no sectors")                                                        \
  X(kSectorUnreadable, "the first sector cannot be read")                                          \
  X(kProtectiveStart, "the record that protects a GPT does not begin behind the first sector")     \
  X(kBootIndicator, "a record of the first sector is neither active nor inactive")                 \
  X(kRecordOutside, "a record reaches behind the device's end")                                    \
  X(kRecordOverlap, "two records overlap")

// Those of a copy of a GPT.
#define CLAY_GPT_REFUSALS(X)                                                                       \
  X(kOutside, "the device has no sector for it")                                                   \
  X(kHeaderUnreadable, "its header cannot be read")                                                \
  X(kSignature, "its header does not begin with the signature")                                    \
  X(kRevision, "its revision is not 1.0")                                                          \
  X(kHeaderSize, "its header is shorter than the format's, or longer than a sector")               \
  X(kHeaderSum, "its header's checksum is wrong")                                                  \
  X(kMyLba, "its header belongs into another sector")                                              \
  X(kUsable, "what it calls usable is not on the device, or covers tables")                        \
  X(kEntrySize, "the size of its entries is not 128 times a power of two")                         \
  X(kNoEntries, "it has no entries")                                                               \
  X(kManyEntries, "its entries are more than the kernel reads")                                    \
  X(kEntriesPlace, "its entries do not lie between the header and what is usable")                 \
  X(kEntriesUnreadable, "its entries cannot be read")                                              \
  X(kEntriesSum, "the checksum of its entries is wrong")

// What is looked for first counts; that is their order, but that all records are looked at one
// after the other.
#define CLAY_PARTITION_REFUSALS(X)                                                                 \
  X(kNone, "nothing is wrong") CLAY_MBR_REFUSALS(X) CLAY_GPT_REFUSALS(X)

enum class PartitionRefusal : uint8_t {
#define CLAY_PARTITION_REFUSAL_ENUM(id, text) id,
  CLAY_PARTITION_REFUSALS(CLAY_PARTITION_REFUSAL_ENUM)
#undef CLAY_PARTITION_REFUSAL_ENUM
};

#define CLAY_PARTITION_REFUSAL_COUNT(id, text) +1
inline constexpr size_t kPartitionRefusals =
    0 CLAY_PARTITION_REFUSALS(CLAY_PARTITION_REFUSAL_COUNT);
#undef CLAY_PARTITION_REFUSAL_COUNT

inline constexpr const char* kPartitionRefusalTexts[] = {CLAY_PARTITION_REFUSALS(CLAY_TEXT_OF)};

/// In words, for the log. Never null.
inline const char* partition_refusal_text(PartitionRefusal refusal) {
  return text_of(kPartitionRefusalTexts, refusal);
}

} // namespace clay
