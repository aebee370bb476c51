#pragma once
// Memory maps out of choices, in the forms in which firmware hands them over. Most are what
// machines say; the others are out of order, overlap, contradict themselves, or reach beyond what
// there is. The empty tape gives a small PC's map.
//
// The map comes from the data lane, what is wrong with it from the fault lane.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

enum class MapFormat : uint8_t {
  kE820,      ///< INT 15h, AX=E820h; attributes where the stride has room for them
  kUefi,      ///< EFI_MEMORY_DESCRIPTOR
  kMultiboot, ///< a Multiboot2 memory map tag
};

/// One entry, as it stands in the blob.
struct MapEntry {
  uint64_t base = 0;
  uint64_t length = 0; ///< bytes; of a UEFI descriptor pages
  uint32_t type = 1;   ///< numbered as the format does
  uint64_t attributes = 0;
};

struct FirmwareMap {
  MapFormat format = MapFormat::kE820;
  size_t stride = 20;
  std::vector<MapEntry> entries;
  size_t open_end = 0; ///< bytes behind the last whole entry
  std::vector<uint8_t> blob;
};

FirmwareMap make_memory_map(sim::Tape& tape);

/// The blob of the entries, with `open_end` bytes behind them.
std::vector<uint8_t> encode(const FirmwareMap& map);

} // namespace kiln::gen
