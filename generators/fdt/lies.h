#pragma once
// What can be wrong with a device tree, one kind at a time. Three families, by where the lie is
// told: in what the tree says (the blob is still well formed), in the blocks, in header and length.

#include <cstdint>
#include <vector>

#include "generators/fdt/draft.h"

namespace kiln::gen::fdt {

// X(identifier, "in words")
#define KILN_FDT_TREE_LIES(X)                                                                      \
  X(kCellCount, "a cell count that makes no sense, or another one")                                \
  X(kValueSize, "a value some bytes too long or too short")                                        \
  X(kOpenText, "a text without its NUL")                                                           \
  X(kRange, "a range that is empty or reaches too far")                                            \
  X(kConsole, "a console path that leads elsewhere")                                               \
  X(kReservation, "a reservation that is empty or reaches too far")                                \
  X(kInitrd, "an initial RAM disk that ends before it begins")                                     \
  X(kNoMemory, "no memory at all")                                                                 \
  X(kTwinProperty, "a second property of the same name")                                           \
  X(kBus, "a bus that maps its addresses elsewhere or nowhere")                                    \
  X(kPhandle, "a phandle that leads elsewhere or nowhere")                                         \
  X(kInterrupt, "an interrupt that is another or none")                                            \
  X(kInterruptCells, "a count of interrupt cells that makes no sense, or another one")             \
  X(kInterruptMap, "an interrupt map that is wrong somewhere")                                     \
  X(kMapCircle, "an interrupt map that leads back to itself")                                      \
  X(kBusNumbers, "PCIe buses that are not there")                                                  \
  X(kWindow, "a PCIe window that reaches too far or is of no kind")                                \
  X(kWord, "a text that says something else")                                                      \
  X(kDisabled, "a node that is not available")                                                     \
  X(kRootController, "a root node that interrupts arrive at")                                      \
  X(kNoCells, "buses whose addresses and sizes have no cells")                                     \
  X(kWideNumber, "a register whose address or size has more than 64 bits")                         \
  X(kFarRange, "a bus mapped to the last addresses that its cells can say")                        \
  X(kBareTimer, "a timer without an address where a map asks for one")
#define KILN_FDT_BLOCK_LIES(X)                                                                     \
  X(kExtraEndNode, "an FDT_END_NODE too many")                                                     \
  X(kMissingEndNode, "an FDT_END_NODE too few")                                                    \
  X(kTokenWord, "a word that is another token or none")                                            \
  X(kPropertyLength, "a property's length at an edge")                                             \
  X(kNameOffset, "a name's offset at an edge of the strings block")                                \
  X(kOpenNodeName, "a node's name without its NUL")                                                \
  X(kOpenString, "a last string without its NUL")                                                  \
  X(kDeep, "nodes nested deeper than anyone needs")                                                \
  X(kEarlyEnd, "an FDT_END in the middle")                                                         \
  X(kNoEnd, "no FDT_END")                                                                          \
  X(kBehindEnd, "tokens behind FDT_END")                                                           \
  X(kLateProperty, "a property behind a child node")                                               \
  X(kOutsideProperty, "a property outside every node")                                             \
  X(kSecondRoot, "a second root node")                                                             \
  X(kRootName, "a root node with a name")                                                          \
  X(kNoStrings, "a strings block in which no name ends")                                           \
  X(kOpenReservations, "a reservation block without its last entry")
#define KILN_FDT_BLOB_LIES(X)                                                                      \
  X(kField, "a field of the header at an edge")                                                    \
  X(kPlace, "a block that begins in the header, or out of line")                                   \
  X(kStructShort, "a structure block without its last token")                                      \
  X(kCut, "a blob shorter than its totalsize")                                                     \
  X(kCutRepaired, "a blob cut, and its totalsize with it")                                         \
  X(kBytes, "bytes that changed on the way")

enum class Lie : uint8_t {
#define KILN_FDT_LIE_ENUM(id, text) id,
  KILN_FDT_TREE_LIES(KILN_FDT_LIE_ENUM) KILN_FDT_BLOCK_LIES(KILN_FDT_LIE_ENUM)
      KILN_FDT_BLOB_LIES(KILN_FDT_LIE_ENUM)
#undef KILN_FDT_LIE_ENUM
};
#define KILN_FDT_LIE_COUNT(id, text) +1
inline constexpr uint32_t kTreeLies = 0 KILN_FDT_TREE_LIES(KILN_FDT_LIE_COUNT);
inline constexpr uint32_t kBlockLies = 0 KILN_FDT_BLOCK_LIES(KILN_FDT_LIE_COUNT);
inline constexpr uint32_t kBlobLies = 0 KILN_FDT_BLOB_LIES(KILN_FDT_LIE_COUNT);
#undef KILN_FDT_LIE_COUNT
inline constexpr uint32_t kLies = kTreeLies + kBlockLies + kBlobLies;

inline bool is_tree_lie(Lie lie) { return static_cast<uint32_t>(lie) < kTreeLies; }
inline bool is_blob_lie(Lie lie) { return static_cast<uint32_t>(lie) >= kTreeLies + kBlockLies; }
const char* lie_text(Lie lie);

/// Tells the lie, if the subject has a place for it; where and how are drawn from `fault`.
void lie_in_tree(Tree& tree, Lie lie, sim::Tape::View fault);
void lie_in_blocks(Draft& draft, Lie lie, sim::Tape::View fault);
void lie_in_blob(std::vector<uint8_t>& blob, Lie lie, sim::Tape::View fault);

} // namespace kiln::gen::fdt
