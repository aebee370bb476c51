#pragma once
// What is in an ext2 image: its tree, read in the plainest way, for sound images (and for others as
// far as it gets: it never leaves the image and always ends). Independent of any kernel's code.
//
//   ext2::Reader reader(view);
//   for (const ext2::TreeEntry& entry : ext2::read_tree(reader).entries) ...
//   reader.read(inode, offset, into);

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "worlds/ext2/image.h"

namespace kiln::worlds::ext2 {

inline constexpr uint32_t kRootInode = 2;

enum class FileKind : uint8_t {
  kNone, ///< a mode of no kind
  kFile,
  kDirectory,
  kSymlink,
  kCharDevice,
  kBlockDevice,
  kFifo,
  kSocket,
};

struct InodeFacts {
  uint32_t number = 0;
  FileKind kind = FileKind::kNone;
  uint16_t permissions = 0; ///< the low 12 bits of the mode
  uint32_t links = 0;
  uint64_t bytes = 0;   ///< i_size
  uint32_t sectors = 0; ///< i_blocks: of 512 bytes
  uint32_t deleted = 0; ///< i_dtime
  uint32_t flags = 0;
  uint32_t attributes = 0; ///< i_file_acl
  uint32_t pointers[15] = {};
};

struct DirectoryEntry {
  uint32_t inode = 0;
  uint8_t type = 0; ///< 0 without the feature
  std::string_view name;
};

class Reader {
 public:
  /// Reads the superblock and takes it at its word, so far as it can be one.
  explicit Reader(const ImageView& image);
  bool usable() const { return block_bytes_ != 0; }

  uint32_t block_bytes() const { return block_bytes_; }
  uint32_t blocks() const { return blocks_; }
  uint32_t inodes() const { return inodes_; }

  /// Nothing when there is no inode of that number or it cannot be read.
  std::optional<InodeFacts> inode(uint32_t number);
  /// The block of the image that holds a file's block `index`; 0: a hole. Nothing when a block on
  /// the way is impossible or unreadable.
  std::optional<uint32_t> block_of(const InodeFacts& inode, uint64_t index);
  /// Contents of a file or directory: bytes read, fewer only at the end; nothing: see block_of.
  std::optional<size_t> read(const InodeFacts& inode, uint64_t offset, std::span<uint8_t> into);
  /// All of a file of at most `most` bytes.
  std::optional<std::vector<uint8_t>> contents(const InodeFacts& inode, size_t most = 1 << 20);
  std::optional<std::string> symlink(const InodeFacts& inode);
  /// Entries in use, in order, "." and ".." too. Names live in `storage`. False: damaged.
  bool list(const InodeFacts& directory, std::vector<uint8_t>& storage,
            std::vector<DirectoryEntry>& entries);
  /// The inode that a path from the root leads to; symlinks are not followed.
  std::optional<InodeFacts> find(std::string_view path);

 private:
  const uint8_t* block(uint32_t number, unsigned slot);

  ImageView image_;
  uint32_t block_bytes_ = 0;
  uint32_t first_block_ = 0;
  uint32_t blocks_ = 0;
  uint32_t inodes_ = 0;
  uint32_t inodes_per_group_ = 0;
  uint32_t inode_bytes_ = 0;
  bool has_types_ = false;
  std::vector<uint8_t> scratch_; ///< a block for each slot
};

struct TreeEntry {
  std::string path; ///< "/a/b"; the root is "/"
  InodeFacts inode;
};

struct ReadTree {
  std::vector<TreeEntry> entries; ///< a directory before what is in it, in the order of its entries
  bool whole = true;              ///< nothing on the way was damaged
};
/// The whole tree from the root on; each directory is entered once.
ReadTree read_tree(Reader& reader, size_t most_entries = 4096);

} // namespace kiln::worlds::ext2
