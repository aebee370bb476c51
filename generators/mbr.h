#pragma once
// Disks with a master boot record out of choices: up to four records, one of them an extended
// partition with a chain of logical ones, in any order; sound half of the time, else with one lie.
// The empty tape gives a small disk of 512-byte sectors with an empty table.

#include <cstdint>
#include <vector>

#include "generators/gpt.h"
#include "generators/sparse_disk.h"
#include "sim/tape.h"

namespace kiln::gen {

// X(identifier, "what is wrong")
#define KILN_MBR_LIES(X)                                                                           \
  X(kNone, "sound")                                                                                \
  X(kSignature, "no signature")                                                                    \
  X(kBlank, "a sector of zeros")                                                                   \
  X(kFilesystem, "a filesystem's boot sector")                                                     \
  X(kNoise, "noise with a signature")                                                              \
  X(kBootIndicator, "a boot indicator that is none")                                               \
  X(kUntyped, "sectors without a type")                                                            \
  X(kEmpty, "a type without sectors")                                                              \
  X(kOutside, "a record that ends behind the disk")                                                \
  X(kWraps, "a record whose end does not fit 32 bits")                                             \
  X(kOnTable, "a record that begins with the table itself")                                        \
  X(kOverlap, "two records that overlap")                                                          \
  X(kSecondExtended, "two extended partitions")                                                    \
  X(kProtective, "a protective record that begins elsewhere")                                      \
  X(kStrayGpt, "the header of a GPT")                                                              \
  X(kLinkSignature, "a link without a signature")                                                  \
  X(kLinkToItself, "a link to itself")                                                             \
  X(kLinkBack, "a link to an earlier one")                                                         \
  X(kLinkOutside, "a link outside of the extended partition")                                      \
  X(kLinkToEnd, "a link to the extended partition's last sector")                                  \
  X(kLinkLength, "a link that is longer than the extended partition")                              \
  X(kLinkEmpty, "a link of no sectors")                                                            \
  X(kLinkExtra, "further records in a link")                                                       \
  X(kLogicalOutside, "a logical partition that ends behind the extended one")                      \
  X(kLogicalWraps, "a logical partition whose place does not fit 32 bits")                         \
  X(kLogicalOnLink, "a logical partition that begins with its own link")                           \
  X(kLogicalOverNext, "a logical partition that covers the next link")                             \
  X(kLogicalOverlap, "two logical partitions that overlap")                                        \
  X(kLongChain, "a longer chain than anybody follows")

enum class MbrLie : uint8_t {
#define KILN_MBR_LIE_ENUM(id, text) id,
  KILN_MBR_LIES(KILN_MBR_LIE_ENUM)
#undef KILN_MBR_LIE_ENUM
};
#define KILN_MBR_LIE_COUNT(id, text) +1
inline constexpr size_t kMbrLies = 0 KILN_MBR_LIES(KILN_MBR_LIE_COUNT);
#undef KILN_MBR_LIE_COUNT

struct MbrProduct {
  SparseDisk disk;
  MbrLie lie = MbrLie::kNone;
  std::vector<MeantPartition> meant; ///< in order of their numbers; without a lie they are there
};

MbrProduct make_mbr(sim::Tape& tape);

} // namespace kiln::gen
