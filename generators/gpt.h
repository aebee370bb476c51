#pragma once
// Disks with a GUID partition table out of choices: sectors of many sizes, capacities up to 2^64
// sectors, headers and entries longer than the format's, tables with room around them; sound half
// of the time, else with one lie. Checksums are right unless they are the lie. The empty tape gives
// a small disk of 512-byte sectors with 128 entries, none in use.

#include <cstdint>
#include <string>
#include <vector>

#include "generators/sparse_disk.h"
#include "sim/tape.h"

namespace kiln::gen {

// X(identifier, "what is wrong")
#define KILN_GPT_LIES(X)                                                                           \
  X(kNone, "sound")                                                                                \
  X(kSignature, "a bit of a signature")                                                            \
  X(kRevision, "another revision")                                                                 \
  X(kHeaderShort, "a header shorter than the format's")                                            \
  X(kHeaderLong, "a header longer than a sector")                                                  \
  X(kHeaderSum, "a header's checksum")                                                             \
  X(kHeaderByte, "a bit of a header, the checksum as it was")                                      \
  X(kReservedField, "a reserved field")                                                            \
  X(kReservedTail, "reserved bytes behind a header")                                               \
  X(kMyLba, "where a header says it is")                                                           \
  X(kAlternate, "where the other copy is")                                                         \
  X(kGrown, "a disk that has grown behind its backup")                                             \
  X(kShrunk, "a disk that has lost its end")                                                       \
  X(kFirstUsable, "the first usable sector")                                                       \
  X(kLastUsable, "the last usable sector")                                                         \
  X(kEntriesLba, "where the entries are")                                                          \
  X(kNoEntries, "no entries at all")                                                               \
  X(kManyEntries, "more entries than anybody reads")                                               \
  X(kOneEntryMore, "one entry more or less than the checksum is of")                               \
  X(kEntrySize, "the size of an entry")                                                            \
  X(kEntriesSum, "the entries' checksum")                                                          \
  X(kEntriesByte, "a bit of the entries, the checksum as it was")                                  \
  X(kEnds, "a partition that ends before it begins")                                               \
  X(kBelowUsable, "a partition that begins too early")                                             \
  X(kAboveUsable, "a partition that ends too late")                                                \
  X(kEverything, "a partition of 2^64 sectors")                                                    \
  X(kOverlap, "two partitions that overlap")                                                       \
  X(kSameId, "two partitions with one GUID")                                                       \
  X(kNoId, "a partition without a GUID")                                                           \
  X(kAttributes, "attributes that mean nothing")                                                   \
  X(kEntryTail, "bytes behind what the format has of an entry")                                    \
  X(kName, "a name with half a surrogate pair")                                                    \
  X(kBothBad, "a lie in each copy")                                                                \
  X(kBackupDiffers, "a backup of another time")                                                    \
  X(kProtectiveStart, "a protective record that begins elsewhere")                                 \
  X(kProtectiveSize, "a protective record of another size")                                        \
  X(kProtectiveBoot, "a protective record that is active")                                         \
  X(kNoProtection, "no protective record")                                                         \
  X(kHybrid, "other records beside the protective one")                                            \
  X(kOtherTable, "a master boot record of another time")                                           \
  X(kSmallRoom, "less room for entries than 16 KiB")                                               \
  X(kManyPartitions, "more partitions than anybody keeps")

enum class GptLie : uint8_t {
#define KILN_GPT_LIE_ENUM(id, text) id,
  KILN_GPT_LIES(KILN_GPT_LIE_ENUM)
#undef KILN_GPT_LIE_ENUM
};
#define KILN_GPT_LIE_COUNT(id, text) +1
inline constexpr size_t kGptLies = 0 KILN_GPT_LIES(KILN_GPT_LIE_COUNT);
#undef KILN_GPT_LIE_COUNT

/// A partition as it is meant.
struct MeantPartition {
  uint32_t number = 0;
  uint64_t first = 0;
  uint64_t sectors = 0;
  uint8_t type = 0;      ///< of a master boot record
  std::string name = {}; ///< of a GPT, in UTF-8
};

struct GptProduct {
  SparseDisk disk;
  GptLie lie = GptLie::kNone;
  std::vector<MeantPartition> meant; ///< in order of their numbers; without a lie they are there
};

GptProduct make_gpt(sim::Tape& tape);

/// A sector size that disks have: 512 is the ordinary one, all are multiples of 4 up to 65536.
uint32_t make_sector_bytes(sim::Tape::View& data);

} // namespace kiln::gen
