#pragma once
// What can be wrong with an ext2 image, one kind at a time. A lie is told about an image that is
// sound so far, about something that is there: tell() says whether there was such a thing.
//
// The families follow a checker's passes: superblock, groups and bitmaps, inodes and their blocks,
// directories. The last ones change bytes of metadata blindly.

#include <cstdint>

#include "generators/ext2/image.h"
#include "sim/tape.h"

namespace kiln::gen::ext2 {

// clang-format off
#define KILN_EXT2_LIES(X)                                                      \
  X(kNone, "nothing is wrong")                                                 \
  /* --- Superblock */                                                         \
  X(kMagic, "the magic number")                                                \
  X(kRevision, "the revision")                                                 \
  X(kBlockSize, "the block size")                                              \
  X(kFragments, "the size or number of fragments")                             \
  X(kInodeSize, "the size of inodes")                                          \
  X(kFirstInode, "the first inode for files")                                  \
  X(kFirstBlock, "the first block")                                            \
  X(kBlocksPerGroup, "the blocks of a group")                                  \
  X(kInodesPerGroup, "the inodes of a group")                                  \
  X(kBlocks, "the number of blocks")                                           \
  X(kInodes, "the number of inodes")                                           \
  X(kReservedBlocks, "the number of reserved blocks")                          \
  X(kReservedDescriptors, "room for more descriptors")                         \
  X(kIncompatible, "a feature that must be known to read")                     \
  X(kReadOnlyFeature, "a feature that must be known to write")                 \
  X(kCompatible, "a feature that may be ignored")                              \
  X(kUnclean, "not unmounted cleanly")                                         \
  X(kErrors, "marked as having errors")                                        \
  X(kOrphan, "a list of orphans")                                              \
  X(kJournal, "a journal is named")                                            \
  X(kFreeBlocks, "the count of free blocks")                                   \
  X(kFreeInodes, "the count of free inodes")                                   \
  X(kBackup, "a copy of superblock or descriptors")                            \
  /* --- Groups and bitmaps */                                                 \
  X(kBlockBitmapPlace, "where a block bitmap is")                              \
  X(kInodeBitmapPlace, "where an inode bitmap is")                             \
  X(kTablePlace, "where an inode table is")                                    \
  X(kGroupFreeBlocks, "a group's count of free blocks")                        \
  X(kGroupFreeInodes, "a group's count of free inodes")                        \
  X(kGroupDirectories, "a group's count of directories")                       \
  X(kGroupFlags, "a group's flags")                                            \
  X(kBlockMarkedFree, "a used block's bit")                                    \
  X(kBlockMarkedUsed, "a free block's bit")                                    \
  X(kInodeMarkedFree, "a used inode's bit")                                    \
  X(kInodeMarkedUsed, "a free inode's bit")                                    \
  X(kPadding, "bits behind the last one of a bitmap")                          \
  /* --- Inodes */                                                             \
  X(kRootInode, "the root's mode, links or time of deletion")                  \
  X(kModeOfNothing, "a mode of no kind")                                       \
  X(kOtherKind, "a mode of another kind")                                      \
  X(kDeleted, "a used inode's time of deletion")                               \
  X(kLinks, "a count of links")                                                \
  X(kNoLinks, "a used inode without links")                                    \
  X(kGhost, "an unused inode with contents")                                   \
  X(kSize, "a size")                                                           \
  X(kHugeSize, "a size beyond what pointers reach")                            \
  X(kSectors, "a count of sectors")                                            \
  X(kFlags, "an inode's flags")                                                \
  X(kFields, "a field that must be zero")                                      \
  X(kExtra, "the size of an inode's extra fields")                             \
  X(kAttributes, "a block of attributes")                                      \
  X(kReservedInode, "a reserved inode")                                        \
  X(kSymlink, "a symlink's length or text")                                    \
  X(kSpecial, "contents of a device, FIFO or socket")                          \
  /* --- Blocks */                                                             \
  X(kImpossibleBlock, "a pointer beyond the filesystem")                       \
  X(kMetadataBlock, "a pointer to metadata")                                   \
  X(kSharedBlock, "a pointer to another's block")                              \
  X(kRepeatedBlock, "a block twice in one file")                               \
  X(kCircle, "an indirect block that holds itself, or what is above it")       \
  X(kLostPointer, "a pointer that is gone")                                    \
  X(kStrayPointer, "a pointer where a hole was")                               \
  /* --- Directories */                                                        \
  X(kEntryLength, "an entry's length")                                         \
  X(kNameLength, "an entry's length of name")                                  \
  X(kNameBytes, "a character of a name")                                       \
  X(kNoSuchInode, "an entry for an inode that does not exist")                 \
  X(kUnusedInode, "an entry for an inode that is not in use")                  \
  X(kReservedEntry, "an entry for a reserved inode")                           \
  X(kRootEntry, "an entry for the root")                                       \
  X(kFileType, "an entry's file type")                                         \
  X(kDot, "a '.'")                                                             \
  X(kDotDot, "a '..'")                                                         \
  X(kExtraDot, "a name that is '.' or '..'")                                   \
  X(kDuplicate, "a name twice")                                                \
  X(kSecondName, "a directory with two names")                                 \
  X(kUnnamed, "an entry that is gone")                                         \
  X(kLoop, "directories that hold each other")                                 \
  X(kOtherInode, "an entry for another inode than before")                     \
  /* --- Blindly */                                                            \
  X(kSuperBytes, "bytes of the superblock")                                    \
  X(kDescriptorBytes, "bytes of descriptors")                                  \
  X(kInodeBytes, "bytes of an inode")                                          \
  X(kDirectoryBytes, "bytes of a directory")                                   \
  X(kMetadataBytes, "bytes of any metadata")
// clang-format on

enum class Lie : uint8_t {
#define X(name, text) name,
  KILN_EXT2_LIES(X)
#undef X
};
inline constexpr size_t kLies = 0
#define X(name, text) +1
    KILN_EXT2_LIES(X)
#undef X
    ;

const char* text_of(Lie lie);

/// Whether the lie was told: there was something to tell it about.
bool tell(Image& image, Lie lie, sim::Tape::View data);

} // namespace kiln::gen::ext2
