#pragma once
// Why a blob is refused as a device tree. Each reason comes from the specification, except kDepth,
// which is Clay's own rule.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/enum_text.h"

namespace clay::fdt {

// X(identifier, "what is wrong")
#define CLAY_FDT_REFUSALS(X)                                                                       \
  X(kNone, "nothing is wrong")                                                                     \
  X(kShort, "it is shorter than a header")                                                         \
  X(kMagic, "it does not begin with the magic number")                                             \
  X(kTotalSize, "totalsize is below the header's size or above what was handed over")              \
  X(kVersion, "its version is not one that a reader of version 17 understands")                    \
  X(kReservationPlace, "the memory reservation block is misaligned or outside the blob")           \
  X(kReservationEnd, "the memory reservation block has no last entry")                             \
  X(kStructPlace, "the structure block is misaligned or outside the blob")                         \
  X(kStringsPlace, "the strings block is outside the blob")                                        \
  X(kToken, "there is no token where one must be")                                                 \
  X(kCut, "the structure block stops before its FDT_END")                                          \
  X(kNodeName, "a node's name has no end")                                                         \
  X(kPropertyLength, "a property's value reaches past the structure block")                        \
  X(kPropertyName, "a property's name lies outside the strings block or has no end")               \
  X(kPropertyPlace, "a property stands outside every node or behind a child node")                 \
  X(kRootName, "the root node has a name")                                                         \
  X(kSecondRoot, "there is a second root node")                                                    \
  X(kNoRoot, "there is no root node")                                                              \
  X(kDepth, "nodes are nested too deep")                                                           \
  X(kEndNode, "FDT_END_NODE with no node open")                                                    \
  X(kNodeOpen, "FDT_END with a node still open")                                                   \
  X(kTrailing, "FDT_END is not the last token of the structure block")

enum class Refusal : uint8_t {
#define CLAY_FDT_REFUSAL_ENUM(id, text) id,
  CLAY_FDT_REFUSALS(CLAY_FDT_REFUSAL_ENUM)
#undef CLAY_FDT_REFUSAL_ENUM
};

#define CLAY_FDT_REFUSAL_COUNT(id, text) +1
inline constexpr size_t kRefusals = 0 CLAY_FDT_REFUSALS(CLAY_FDT_REFUSAL_COUNT);
#undef CLAY_FDT_REFUSAL_COUNT

inline constexpr const char* kRefusalTexts[] = {CLAY_FDT_REFUSALS(CLAY_TEXT_OF)};

/// In words, for the log. Never null.
inline const char* refusal_text(Refusal refusal) { return text_of(kRefusalTexts, refusal); }

/// A refusal and where: bytes from the start of the blob.
struct Refused {
  Refusal reason = Refusal::kNone;
  size_t at = 0;
};

} // namespace clay::fdt
