#pragma once
// What can be wrong with an ext2 image, by name. One row a kind: name, gravity, text. The order is
// that of a look at the image: superblock, groups, inodes, directories, tree, counts.

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::worlds::ext2 {

enum class Gravity : uint8_t {
  /// A summary that does not fit what is there, or a mark that says so: nothing is lost or in
  /// danger once somebody has counted again.
  kCount,
  /// Something is held that nothing uses: a block, an inode, a link too many.
  kLeak,
  /// The image contradicts itself; something may be lost or come to be overwritten.
  kStructure,
  /// One block has two owners.
  kDoubleUse,
};

// clang-format off
#define KILN_EXT2_PROBLEMS(X)                                                                      \
  /* --- Superblock */                                                                             \
  X(kUnreadable,        kStructure, "a block of metadata cannot be read")                          \
  X(kNoSuperblock,      kStructure, "no superblock: too short, or the magic number is not there")  \
  X(kRevision,          kStructure, "a revision that does not exist")                              \
  X(kUnknownFeature,    kStructure, "a feature that is not ext2's")                                \
  X(kRevisionFeatures,  kStructure, "revision 0 with features")                                    \
  X(kBlockSize,         kStructure, "a block size that does not exist")                            \
  X(kFragmentSize,      kStructure, "fragments are not of the size of blocks")                     \
  X(kInodeSize,         kStructure, "an inode size that does not exist")                           \
  X(kFirstInode,        kStructure, "the first inode for files lies outside the table or below 11")\
  X(kFirstBlock,        kStructure, "the first block is not where the block size puts it")         \
  X(kBlocksPerGroup,    kStructure, "blocks of a group: none, too many, or not a multiple of 8")   \
  X(kInodesPerGroup,    kStructure, "inodes of a group: none, or more than a bitmap has bits")     \
  X(kImageBlocks,       kStructure, "no blocks, or more than the device has")                      \
  X(kImageInodes,       kStructure, "the number of inodes is not that of all groups together")     \
  X(kReservedBlocks,    kStructure, "more than half of the blocks are reserved")                   \
  X(kReservedTable,     kStructure, "room for more descriptors: too much, or without the feature") \
  X(kState,             kCount,     "not unmounted cleanly")                                       \
  X(kErrorState,        kCount,     "marked as having errors")                                     \
  X(kOrphanList,        kStructure, "the list of orphans names what is not one")                   \
  X(kOrphans,           kLeak,      "orphans wait to be freed")                                    \
  X(kTimeInFuture,      kCount,     "mounted or written in the future")                              \
  X(kBackup,            kStructure, "a backup of superblock or descriptors says something else")   \
  /* --- Groups */                                                                                 \
  X(kBlockBitmapPlace,  kStructure, "a block bitmap lies outside its group")                       \
  X(kInodeBitmapPlace,  kStructure, "an inode bitmap lies outside its group")                      \
  X(kInodeTablePlace,   kStructure, "an inode table lies outside its group")                       \
  X(kGroupOverlap,      kDoubleUse, "a bitmap or inode table lies on other metadata")              \
  /* --- Inodes */                                                                                 \
  X(kRootMissing,       kStructure, "the root inode is not in use")                                \
  X(kRootKind,          kStructure, "the root inode is no directory")                              \
  X(kReservedInode,     kStructure, "a reserved inode has contents that it must not have")         \
  X(kInodeMode,         kStructure, "a mode of no kind of file")                                   \
  X(kDeletedInUse,      kStructure, "an inode is in use and has a time of deletion")               \
  X(kUnusedNotDeleted,  kCount,     "an unused inode still has a mode and no time of deletion")    \
  X(kStrayOrphan,       kCount,     "an inode's time of deletion is a number: of an orphan on no list") \
  X(kInodeFlags,        kStructure, "a flag that this kind of inode or filesystem has not")        \
  X(kInodeFields,       kStructure, "a field that must be zero is not")                            \
  X(kInodeExtra,        kStructure, "the size of an inode's extra fields does not exist")          \
  X(kAttributeBlock,    kStructure, "a block of attributes: impossible, or without the feature")   \
  X(kSpecialContents,   kStructure, "a device, FIFO or socket has size or blocks")                 \
  X(kSymlinkContents,   kStructure, "a symlink's length does not fit its contents")                \
  X(kIllegalBlock,      kStructure, "a block number outside the filesystem")                       \
  X(kBlockInMetadata,   kDoubleUse, "a file's block is metadata of the filesystem")                \
  X(kBlockTwice,        kDoubleUse, "a block belongs to two files, or twice to one")               \
  X(kSizeTooSmall,      kStructure, "blocks behind the end of a file")                             \
  X(kSizeTooLarge,      kStructure, "a size that no file of this block size can have")             \
  X(kLargeFileFeature,  kStructure, "a file of 2 GiB or more, without the feature")                \
  X(kInodeBlocks,       kCount,     "an inode's count of sectors is wrong")                        \
  X(kDirectorySize,     kStructure, "a directory's size is not that of its blocks")                \
  X(kDirectoryEmpty,    kStructure, "a directory without a block")                                 \
  X(kDirectoryHole,     kStructure, "a directory has a hole")                                      \
  /* --- Directories */                                                                            \
  X(kEntryLength,       kStructure, "an entry's length: too short, not aligned, beyond its block") \
  X(kEntryName,         kStructure, "a name longer than its entry, empty, or with a '/' or NUL")   \
  X(kEntryInode,        kStructure, "an entry names an inode number that does not exist")          \
  X(kEntryReserved,     kStructure, "an entry names a reserved inode")                             \
  X(kEntryUnused,       kStructure, "an entry names an inode that is not in use")                  \
  X(kEntryKind,         kStructure, "an entry's file type is not that of its inode")               \
  X(kEntryNoKind,       kStructure, "an entry has a file type, without the feature")               \
  X(kDot,               kStructure, "'.' is missing, not first, or not the directory itself")      \
  X(kDotDot,            kStructure, "'..' is missing or not second")                               \
  X(kExtraDot,          kStructure, "'.' or '..' a second time, or as the name of something else") \
  X(kIndex,             kStructure, "the index of a directory that has one is damaged")            \
  X(kDuplicateName,     kStructure, "a name twice in one directory")                               \
  X(kLinkToRoot,        kStructure, "an entry names the root")                                     \
  X(kSecondParent,      kStructure, "a directory has two names")                                   \
  /* --- Tree and counts */                                                                        \
  X(kParent,            kStructure, "'..' does not name the directory that holds the name")        \
  X(kUnreachable,       kStructure, "a directory is not reached from the root")                    \
  X(kUnattached,        kLeak,      "an inode is in use and has no name")                          \
  X(kLinksTooFew,       kStructure, "an inode has more names than links")                          \
  X(kLinksTooMany,      kLeak,      "an inode has fewer names than links")                         \
  X(kBlockMarkedFree,   kStructure, "a block is in use and its bit says free")                     \
  X(kBlockLeaked,       kLeak,      "a block is not in use and its bit says used")                 \
  X(kInodeMarkedFree,   kStructure, "an inode is in use and its bit says free")                    \
  X(kInodeLeaked,       kLeak,      "an inode is not in use and its bit says used")                \
  X(kBitmapPadding,     kCount,     "bits behind the last block or inode of a bitmap are not set") \
  X(kGroupFreeBlocks,   kCount,     "a group's count of free blocks is wrong")                     \
  X(kGroupFreeInodes,   kCount,     "a group's count of free inodes is wrong")                     \
  X(kGroupDirectories,  kCount,     "a group's count of directories is wrong")                     \
  X(kFreeBlocks,        kCount,     "the count of free blocks is wrong")                           \
  X(kFreeInodes,        kCount,     "the count of free inodes is wrong")
// clang-format on

enum class Problem : uint8_t {
#define X(name, gravity, text) name,
  KILN_EXT2_PROBLEMS(X)
#undef X
};
inline constexpr size_t kProblems = 0
#define X(name, gravity, text) +1
    KILN_EXT2_PROBLEMS(X)
#undef X
    ;

Gravity gravity_of(Problem problem);
const char* name_of(Problem problem); ///< "SecondParent"
const char* text_of(Problem problem); ///< a sentence
const char* name_of(Gravity gravity);

/// A set of kinds.
struct ProblemSet {
  uint64_t words[2] = {};

  void add(Problem problem) {
    auto index = static_cast<size_t>(problem);
    words[index / 64] |= uint64_t{1} << (index % 64);
  }
  bool has(Problem problem) const {
    auto index = static_cast<size_t>(problem);
    return (words[index / 64] >> (index % 64) & 1) != 0;
  }
  bool empty() const { return (words[0] | words[1]) == 0; }
  /// Whether every kind of this set is one of `other`.
  bool within(const ProblemSet& other) const {
    return (words[0] & ~other.words[0]) == 0 && (words[1] & ~other.words[1]) == 0;
  }
  ProblemSet operator|(const ProblemSet& other) const {
    return {{words[0] | other.words[0], words[1] | other.words[1]}};
  }
  ProblemSet without(const ProblemSet& other) const {
    return {{words[0] & ~other.words[0], words[1] & ~other.words[1]}};
  }
};
static_assert(kProblems <= 128);

/// All kinds of this gravity.
const ProblemSet& problems_of(Gravity gravity);

/// One problem and where it is. What does not apply is 0.
struct Found {
  Problem problem;
  uint32_t group = 0;
  uint32_t inode = 0; ///< that has the problem; for entries: the directory
  uint64_t block = 0; ///< of the image; for kBlockTwice the one with two owners
  uint32_t at = 0;    ///< offset in that block, or in the superblock
  uint64_t got = 0;
  uint64_t want = 0;
};

/// "DotDot: '..' is missing or not second (inode 12, block 40 + 12, got 3)".
std::string describe(const Found& found);

} // namespace kiln::worlds::ext2
