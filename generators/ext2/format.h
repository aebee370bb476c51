#pragma once
// The ext2 format: where what is. After "The Second Extended File System" (the format's
// description, ext2-doc 2019) and the layout comments there; numbers are little-endian.

#include <cstddef>
#include <cstdint>

#include "generators/endian.h"

namespace kiln::gen::ext2 {

inline uint16_t le16(const uint8_t* at) { return load_le<uint16_t>(at); }
inline uint32_t le32(const uint8_t* at) { return load_le<uint32_t>(at); }
inline uint64_t le64(const uint8_t* at) { return load_le<uint64_t>(at); }

// --- Superblock: 1024 bytes at 1024, whatever the block size.

inline constexpr uint32_t kSuperAt = 1024;
inline constexpr uint32_t kSuperBytes = 1024;
inline constexpr uint16_t kMagic = 0xEF53;

namespace super {
enum : uint32_t {
  kInodes = 0,
  kBlocks = 4,
  kReserved = 8,
  kFreeBlocks = 12,
  kFreeInodes = 16,
  kFirstBlock = 20,
  kLogBlockSize = 24,
  kLogFragmentSize = 28,
  kBlocksPerGroup = 32,
  kFragmentsPerGroup = 36,
  kInodesPerGroup = 40,
  kMountTime = 44,
  kWriteTime = 48,
  kMounts = 52,     // 16 bits
  kMostMounts = 54, // 16 bits
  kMagicAt = 56,    // 16 bits
  kState = 58,      // 16 bits
  kErrors = 60,     // 16 bits
  kMinorRevision = 62,
  kLastCheck = 64,
  kCheckInterval = 68,
  kCreator = 72,
  kRevision = 76,
  kReservedUser = 80,
  kReservedGroup = 82,
  // Revision 1
  kFirstInode = 84,
  kInodeSize = 88, // 16 bits
  kGroup = 90,     // 16 bits: of this copy
  kCompatible = 92,
  kIncompatible = 96,
  kReadOnly = 100,
  kUuid = 104,
  kLabel = 120,
  kLastMounted = 136,
  kPreallocate = 204,          // 8 bits
  kPreallocateDirectory = 205, // 8 bits
  kReservedDescriptors = 206,  // 16 bits
  kJournalUuid = 208,
  kJournalInode = 224,
  kJournalDevice = 228,
  kLastOrphan = 232,
  kHashSeed = 236,
  kHashVersion = 252, // 8 bits
  kMadeTime = 264,
};
} // namespace super

inline constexpr uint16_t kStateValid = 1;
inline constexpr uint16_t kStateErrors = 2;
inline constexpr uint32_t kFirstFileInode0 = 11; ///< in revision 0
inline constexpr uint32_t kInodeBytes0 = 128;

// Features. Of those that can be ignored:
inline constexpr uint32_t kPreallocateFeature = 0x1;
inline constexpr uint32_t kJournalFeature = 0x4;
inline constexpr uint32_t kAttributesFeature = 0x8;
inline constexpr uint32_t kResizeFeature = 0x10;
inline constexpr uint32_t kIndexFeature = 0x20;
inline constexpr uint32_t kKnownCompatible = 0x1 | 0x2 | 0x8 | 0x10 | 0x20;
// Of those that must be known to read:
inline constexpr uint32_t kFileTypeFeature = 0x2;
inline constexpr uint32_t kKnownIncompatible = kFileTypeFeature;
// Of those that must be known to write:
inline constexpr uint32_t kSparseFeature = 0x1;
inline constexpr uint32_t kLargeFileFeature = 0x2;
inline constexpr uint32_t kKnownReadOnly = kSparseFeature | kLargeFileFeature;

// --- Group descriptors: 32 bytes each, in the block behind the superblock's.

inline constexpr uint32_t kDescriptorBytes = 32;
namespace group {
enum : uint32_t {
  kBlockBitmap = 0,
  kInodeBitmap = 4,
  kInodeTable = 8,
  kFreeBlocks = 12,  // 16 bits
  kFreeInodes = 14,  // 16 bits
  kDirectories = 16, // 16 bits
  kFlags = 18,       // 16 bits, not ext2's
  kUnused = 28,      // 16 bits, not ext2's
  kChecksum = 30,    // 16 bits, not ext2's
};
} // namespace group

/// Whether a group has a copy of the superblock and descriptors.
inline bool has_super(uint32_t index, bool sparse) {
  if (!sparse || index <= 1) return true;
  for (uint32_t base : {3U, 5U, 7U}) {
    uint64_t power = base;
    while (power < index)
      power *= base;
    if (power == index) return true;
  }
  return false;
}

// --- Inodes

namespace inode {
enum : uint32_t {
  kMode = 0, // 16 bits
  kUser = 2, // 16 bits
  kSize = 4,
  kAccessed = 8,
  kChanged = 12,
  kModified = 16,
  kDeleted = 20,
  kGroup = 24, // 16 bits
  kLinks = 26, // 16 bits
  kSectors = 28,
  kFlags = 32,
  kPointers = 40, // 15 of them
  kGeneration = 100,
  kAttributes = 104,
  kSizeHigh = 108, ///< of directories: another block of attributes, never used
  kFragmentAddress = 112,
  kFragment = 116,     // 8 bits
  kFragmentSize = 117, // 8 bits
  kSectorsHigh = 116,  // 16 bits, Linux
  kExtraBytes = 128,   // 16 bits, in inodes larger than 128
};
} // namespace inode

inline constexpr uint32_t kDirectPointers = 12;
inline constexpr uint32_t kPointers = 15;
inline constexpr uint32_t kPointerBytes = 60; ///< a symlink shorter than this lies in them

inline constexpr uint32_t kModeKind = 0xF000;
inline constexpr uint32_t kModeFifo = 0x1000;
inline constexpr uint32_t kModeCharDevice = 0x2000;
inline constexpr uint32_t kModeDirectory = 0x4000;
inline constexpr uint32_t kModeBlockDevice = 0x6000;
inline constexpr uint32_t kModeFile = 0x8000;
inline constexpr uint32_t kModeSymlink = 0xA000;
inline constexpr uint32_t kModeSocket = 0xC000;

inline constexpr uint32_t kAppendFlag = 0x20;
inline constexpr uint32_t kImmutableFlag = 0x10;
inline constexpr uint32_t kIndexFlag = 0x1000;

// Inodes with a purpose
inline constexpr uint32_t kBadBlocksInode = 1;
inline constexpr uint32_t kRoot = 2;
inline constexpr uint32_t kAccessIndexInode = 3;
inline constexpr uint32_t kAccessDataInode = 4;
inline constexpr uint32_t kBootLoaderInode = 5;
inline constexpr uint32_t kUndeleteInode = 6;
inline constexpr uint32_t kResizeInode = 7;
inline constexpr uint32_t kJournalInodeNumber = 8;

// --- Directory entries: inode 32, length 16, name length 8, type 8, name

inline constexpr uint32_t kEntryHeader = 8;
inline uint32_t entry_bytes(uint32_t name_bytes) { return (kEntryHeader + name_bytes + 3) & ~3U; }

enum class EntryType : uint8_t {
  kUnknown,
  kFile,
  kDirectory,
  kCharDevice,
  kBlockDevice,
  kFifo,
  kSocket,
  kSymlink,
};
inline constexpr uint8_t kEntryTypes = 8;

/// What an entry for an inode of this mode says; kUnknown for a mode of no kind.
inline EntryType type_of_mode(uint32_t mode) {
  constexpr EntryType kTypes[16] = {
      EntryType::kUnknown,   EntryType::kFifo,    EntryType::kCharDevice,  EntryType::kUnknown,
      EntryType::kDirectory, EntryType::kUnknown, EntryType::kBlockDevice, EntryType::kUnknown,
      EntryType::kFile,      EntryType::kUnknown, EntryType::kSymlink,     EntryType::kUnknown,
      EntryType::kSocket,    EntryType::kUnknown, EntryType::kUnknown,     EntryType::kUnknown,
  };
  return kTypes[mode >> 12 & 15];
}

// --- The index of a directory, in its first block

namespace index {
enum : uint32_t {
  kReserved = 24,
  kHash = 28,      // 8 bits
  kInfoBytes = 29, // 8 bits
  kLevels = 30,    // 8 bits
  kEntries = 32,   ///< 8 bytes each; the first one is:
  kLimit = 32,     // 16 bits
  kCount = 34,     // 16 bits
};
} // namespace index

// --- Blocks of attributes

inline constexpr uint32_t kAttributesMagic = 0xEA020000;
namespace attributes {
enum : uint32_t { kMagicAt = 0, kReferences = 4, kBlocks = 8, kHash = 12, kEntries = 32 };
} // namespace attributes

} // namespace kiln::gen::ext2
