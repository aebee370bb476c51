#pragma once
// Kernel modules out of choices: shared objects of ELF for x86-64 or AArch64, laid out as linkers
// do (one to a few segments, tables, symbols, relocations, a descriptor), sound most of the time;
// then one lie, seldom damage of any bytes. The empty tape gives a sound module of one segment.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

struct ModuleWish {
  uint16_t machine; ///< e_machine: 62 or 183
  std::string_view name;
  std::span<const std::string> exports; ///< what the kernel has
};

/// What was done to a sound file.
enum class ModuleLie : uint8_t {
  kNone,
  kHeader,
  kProgramTable,
  kSegmentFile,
  kSegmentMemory,
  kSegmentAlign,
  kSegmentRights,
  kSegmentOrder,
  kOtherHeader,
  kDynamicHeader,
  kDynamicEntry,
  kTablePlace,
  kTableSize,
  kEntrySize,
  kHash,
  kStrings,
  kSymbolName,
  kSymbolKind,
  kSymbolPlace,
  kRelocationType,
  kRelocationSymbol,
  kRelocationPlace,
  kRelocationAddend,
  kDescriptor,
  kLength,
  kDamage,
  kManySegments, ///< sound, but for their number: more than 16
  kLongName,     ///< sound, but for a symbol's name: more than 255 characters
  kKinds,
};
inline constexpr size_t kModuleLies = static_cast<size_t>(ModuleLie::kKinds);

struct ModuleProduct {
  std::vector<uint8_t> bytes;
  ModuleLie lie = ModuleLie::kNone;
};

ModuleProduct make_module(sim::Tape& tape, const ModuleWish& wish);

} // namespace kiln::gen
