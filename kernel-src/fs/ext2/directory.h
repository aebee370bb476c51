#pragma once
// Directories read: entries in blocks, each checked before anybody sees it.

#include <stdint.h>

#include "kernel-src/fs/ext2/inode.h"
#include "kernel-src/fs/ext2/volume.h"
#include "kernel-src/lib/string_view.h"

namespace clay::ext2 {

/// An entry as it lies in a block; it fits into it.
struct Entry {
  uint64_t position = 0; ///< in the directory; set by for_entries()
  uint32_t offset = 0;   ///< in the block
  uint32_t length = 0;   ///< up to the next one
  uint32_t inode = 0;    ///< 0: room without a name; else it exists
  uint32_t name_length = 0;
  uint8_t type = 0;     ///< marks included
  bool is_dots = false; ///< "." or ".."

  bool is_name() const { return inode != 0 && !is_dots; }
  /// What it needs of its length.
  uint32_t used() const { return inode == 0 ? 0 : needed(name_length); }
  uint32_t end() const { return offset + length; }
  StringView name(Bytes block) const {
    return StringView(block.subspan(offset + kEntryHeader, name_length));
  }
  static constexpr uint32_t needed(uint32_t name_length) {
    return (kEntryHeader + name_length + 3) & ~uint32_t{3};
  }
};

/// Where an entry is.
struct NamePlace {
  BlockRef block; ///< none: there is no such entry
  Entry entry;
};

/// Goes over the entries of one block.
class EntryCursor {
 public:
  EntryCursor(const Geometry& geometry, Bytes block) : geometry_(geometry), block_(block) {}

  /// It is the first block of this directory: "." and ".." come first.
  void expect_dots(uint32_t directory) { directory_ = directory; }
  /// False behind the last one. kCorrupt, without a word, for one that cannot be.
  Result<bool> next(Entry& entry);

 private:
  bool is_dots_right(const Entry& entry, StringView name) const;

  const Geometry& geometry_;
  Bytes block_;
  uint32_t offset_ = 0;
  uint32_t directory_ = 0; ///< whose dots are expected; 0: nobody's
  uint32_t count_ = 0;
};

/// ".." of a directory.
Result<NamePlace> parent_of(Volume& volume, const Inode& directory);

/// Block `index` of a directory; one that is not there is kCorrupt.
Result<BlockRef> directory_block(Volume& volume, const Inode& directory, uint64_t index);

/// Goes over all entries, "." and ".." and empty ones too, from one block on: act(block, entry)
/// says whether to go on; if not, it may keep the block.
template <typename Act>
Result<> for_entries(Volume& volume, const Inode& directory, uint64_t from_block, Act act) {
  const uint64_t blocks = directory.size >> volume.geometry.block_shift;
  for (uint64_t index = from_block; index < blocks; ++index) {
    BlockRef block = CLAY_TRY(directory_block(volume, directory, index));
    EntryCursor cursor(volume.geometry, block.bytes());
    if (index == 0) {
      cursor.expect_dots(directory.number);
    }
    Entry entry;
    for (;;) {
      const Result<bool> more = cursor.next(entry);
      if (!more.ok()) {
        return volume.corrupt("an entry of directory", directory.number);
      }
      if (!more.value()) {
        break;
      }
      entry.position = (index << volume.geometry.block_shift) + entry.offset;
      if (!act(block, entry)) {
        return {};
      }
    }
  }
  return {};
}

/// The entry of `name`; without a block when there is none.
Result<NamePlace> find_name(Volume& volume, const Inode& directory, StringView name);

/// Whether there is no name in it but "." and "..".
Result<bool> is_empty(Volume& volume, const Inode& directory);

} // namespace clay::ext2
