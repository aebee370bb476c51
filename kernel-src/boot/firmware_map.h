#pragma once
// Memory maps as firmware hands them over, read into one MemoryMap. An entry that makes no sense
// costs only itself and is counted, for the log; what is doubtful is not usable.

#include "kernel-src/boot/memory_map.h"
#include "kernel-src/lib/kind_counts.h"
#include "kernel-src/lib/span.h"

namespace clay {

// X(identifier, "what was left out, or taken with care, and why")
#define CLAY_MAP_ODDITIES(X)                                                                       \
  X(kEmpty, "an entry of no bytes")                                                                \
  X(kBeyond, "an entry whose end does not fit 64 bits")                                            \
  X(kDisabled, "an entry that says of itself that it does not count")                              \
  X(kUnknownType, "an entry of a type that is not known: reserved")                                \
  X(kNoRoom, "an entry beyond the limit of ranges")                                                \
  X(kOpenEnd, "bytes behind the last whole entry")

enum class MapOddity : uint8_t {
#define CLAY_MAP_ODDITY_ENUM(id, text) id,
  CLAY_MAP_ODDITIES(CLAY_MAP_ODDITY_ENUM)
#undef CLAY_MAP_ODDITY_ENUM
};
#define CLAY_MAP_ODDITY_COUNT(id, text) +1
inline constexpr size_t kMapOddities = 0 CLAY_MAP_ODDITIES(CLAY_MAP_ODDITY_COUNT);
#undef CLAY_MAP_ODDITY_COUNT

/// In words, for the log. Never null.
const char* map_oddity_text(MapOddity oddity);

struct MapReport : KindCounts<MapOddity, kMapOddities> {
  uint32_t entries = 0; ///< whole ones seen
};

/// Entries of the BIOS call INT 15h, AX=E820h (ACPI Specification 6.5, section 15.1), `stride`
/// bytes from one to the next. kInvalid: a stride that holds no whole entry (kE820Entry); nothing
/// is read.
inline constexpr size_t kE820Entry = 20;
Result<void> read_e820(Bytes entries, size_t stride, MemoryMap& map, MapReport& report);

/// Entries of a Multiboot2 memory map tag (Multiboot2 Specification 2.0, section 3.6.8): as above,
/// but without attributes; what follows the type is reserved. kInvalid as above.
Result<void> read_multiboot_map(Bytes entries, size_t stride, MemoryMap& map, MapReport& report);

/// EFI_MEMORY_DESCRIPTORs (UEFI Specification 2.10, section 7.2.3), `stride` (DescriptorSize) bytes
/// from one to the next. kInvalid: a stride below kUefiDescriptor; nothing is read.
inline constexpr size_t kUefiDescriptor = 40;
Result<void> read_uefi_map(Bytes descriptors, size_t stride, MemoryMap& map, MapReport& report);

} // namespace clay
