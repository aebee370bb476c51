#pragma once
// The format on the disk: numbers and places. Source: "The Second Extended File System, Internal
// Layout" by Dave Poirier, and for the fields that came later the documentation of the format in
// the ext4 wiki ("Ext4 Disk Layout"). Everything is little-endian.

#include <stddef.h>
#include <stdint.h>

namespace clay::ext2 {

// --- The superblock

inline constexpr size_t kSuperblockOffset = 1024; ///< on the disk
inline constexpr size_t kSuperblockBytes = 1024;

namespace super {
inline constexpr size_t kInodes = 0;
inline constexpr size_t kBlocks = 4;
inline constexpr size_t kFreeBlocks = 12;
inline constexpr size_t kFreeInodes = 16;
inline constexpr size_t kFirstDataBlock = 20;
inline constexpr size_t kLogBlockSize = 24;
inline constexpr size_t kLogFragmentSize = 28;
inline constexpr size_t kBlocksPerGroup = 32;
inline constexpr size_t kFragmentsPerGroup = 36;
inline constexpr size_t kInodesPerGroup = 40;
inline constexpr size_t kWriteTime = 48;
inline constexpr size_t kMagic = 56;
inline constexpr size_t kState = 58;
inline constexpr size_t kRevision = 76;
inline constexpr size_t kFirstInode = 84; ///< from here on: revision 1
inline constexpr size_t kInodeSize = 88;
inline constexpr size_t kCompatible = 92;
inline constexpr size_t kIncompatible = 96;
inline constexpr size_t kReadOnlyCompatible = 100;
inline constexpr size_t kReservedDescriptorBlocks = 206;
} // namespace super

inline constexpr uint16_t kMagic = 0xEF53;
inline constexpr uint16_t kStateValid = 1; ///< unmounted properly
inline constexpr uint16_t kStateError = 2;
inline constexpr uint32_t kRevisionDynamic = 1;

inline constexpr uint32_t kCompatibleResizeInode = 0x10;
inline constexpr uint32_t kIncompatibleFileType = 0x2;
inline constexpr uint32_t kReadOnlySparseSuper = 0x1;
inline constexpr uint32_t kReadOnlyLargeFile = 0x2;
inline constexpr uint32_t kReadOnlyBtreeDirectories = 0x4; ///< never used by anybody
/// What is understood; compatible features may be anything.
inline constexpr uint32_t kIncompatibleKnown = kIncompatibleFileType;
inline constexpr uint32_t kReadOnlyKnown =
    kReadOnlySparseSuper | kReadOnlyLargeFile | kReadOnlyBtreeDirectories;

// --- Group descriptors

inline constexpr uint32_t kDescriptorBytes = 32;

namespace descriptor {
inline constexpr size_t kBlockBitmap = 0;
inline constexpr size_t kInodeBitmap = 4;
inline constexpr size_t kInodeTable = 8;
inline constexpr size_t kFreeBlocks = 12;
inline constexpr size_t kFreeInodes = 14;
inline constexpr size_t kDirectories = 16;
} // namespace descriptor

// --- Inodes

inline constexpr uint32_t kBadBlocksInode = 1;
inline constexpr uint32_t kRootInode = 2;
inline constexpr uint32_t kResizeInode = 7;
inline constexpr uint32_t kFirstInodeOld = 11; ///< the first that is nobody's, revision 0
inline constexpr uint32_t kInodeBytesOld = 128;

inline constexpr unsigned kDirectPointers = 12;
inline constexpr unsigned kPointers = 15; ///< and one to each depth of indirect blocks
inline constexpr unsigned kMostDepth = 3;

namespace inode {
inline constexpr size_t kMode = 0;
inline constexpr size_t kSize = 4;
inline constexpr size_t kAccessTime = 8;
inline constexpr size_t kChangeTime = 12;
inline constexpr size_t kModifyTime = 16;
inline constexpr size_t kDeletionTime = 20;
inline constexpr size_t kLinks = 26;
inline constexpr size_t kSectors = 28; ///< in units of 512 bytes, whatever the block's size
inline constexpr size_t kFlags = 32;
inline constexpr size_t kPointers = 40;
inline constexpr size_t kAttributes = 104;
inline constexpr size_t kSizeHigh = 108; ///< of regular files
} // namespace inode

inline constexpr uint16_t kModeKind = 0xF000;
inline constexpr uint16_t kModePermissions = 0x0FFF;
inline constexpr uint16_t kModeFifo = 0x1000;
inline constexpr uint16_t kModeCharacter = 0x2000;
inline constexpr uint16_t kModeDirectory = 0x4000;
inline constexpr uint16_t kModeBlock = 0x6000;
inline constexpr uint16_t kModeFile = 0x8000;
inline constexpr uint16_t kModeSymlink = 0xA000;
inline constexpr uint16_t kModeSocket = 0xC000;

inline constexpr uint32_t kFlagIndexed = 0x1000; ///< a directory with an index (dir_index)
inline constexpr uint32_t kFlagExtents = 0x80000;

inline constexpr uint32_t kMostLinks = 32000;
inline constexpr size_t kFastSymlinkRoom = kPointers * 4; ///< the target and a NUL

// --- Blocks of extended attributes

namespace attributes {
inline constexpr size_t kMagicAt = 0;
inline constexpr size_t kReferences = 4; ///< inodes that share it
} // namespace attributes
inline constexpr uint32_t kAttributesMagic = 0xEA020000;

// --- Directory entries

namespace entry {
inline constexpr size_t kInode = 0;
inline constexpr size_t kLength = 4;
inline constexpr size_t kNameLength = 6;
inline constexpr size_t kType = 7; ///< with the feature; else the high byte of the name's length
inline constexpr size_t kName = 8;
} // namespace entry
inline constexpr uint32_t kEntryHeader = 8;
inline constexpr uint32_t kMostName = 255;

inline constexpr uint8_t kTypeUnknown = 0;
inline constexpr uint8_t kTypeFile = 1;
inline constexpr uint8_t kTypeDirectory = 2;
inline constexpr uint8_t kTypeCharacter = 3;
inline constexpr uint8_t kTypeBlock = 4;
inline constexpr uint8_t kTypeFifo = 5;
inline constexpr uint8_t kTypeSocket = 6;
inline constexpr uint8_t kTypeSymlink = 7;
/// Clay's own, for the time of a move: see README.md.
inline constexpr uint8_t kMarkOld = 0x40;
inline constexpr uint8_t kMarkNew = 0x80;
inline constexpr uint8_t kMarks = kMarkOld | kMarkNew;

// --- Stages of the cache (README.md)

inline constexpr unsigned kStageNew = 0;
inline constexpr unsigned kStageNames = 1;
inline constexpr unsigned kStageRemovals = 2;
inline constexpr unsigned kStageFrees = 3;

} // namespace clay::ext2
