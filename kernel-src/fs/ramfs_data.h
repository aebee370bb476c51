#pragma once
// The contents of a file of a ramfs: blocks by their place, holes between them. Not synchronised.

#include <stdint.h>

#include "kernel-src/fs/ramfs.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/lib/tree.h"

namespace clay {

class RamData {
 public:
  explicit RamData(RamSpace& space) : space_(space) {}
  ~RamData();
  RamData(const RamData&) = delete;
  RamData& operator=(const RamData&) = delete;

  uint64_t bytes() const { return bytes_; }
  uint64_t allocated() const { return blocks_in_use_ * RamFs::kBlockBytes; }

  // As Node's.
  size_t read(uint64_t offset, MutableBytes into) const;
  Result<> write(uint64_t offset, Bytes from);
  Result<> truncate(uint64_t bytes);

 private:
  static constexpr uint64_t kBlockBytes = RamFs::kBlockBytes;

  struct Block {
    explicit Block(uint64_t place) : number(place) {}
    const uint64_t number; ///< in the file
    TreeLink link;
    ListLink fresh_link; ///< while it is in no tree
    uint8_t bytes[kBlockBytes] = {};
  };
  using FreshBlocks = List<Block, &Block::fresh_link>;

  /// What of [offset, offset + size) lies in one block: the first part of it.
  struct Part {
    uint64_t block;
    size_t begin; ///< in the block
    size_t size;
  };
  static Part first_part(uint64_t offset, size_t size);

  Result<> make_missing(uint64_t first, uint64_t last, FreshBlocks& fresh);
  void drop_from(uint64_t first_block);

  RamSpace& space_;
  Tree<Block, &Block::link, &Block::number> blocks_;
  uint64_t blocks_in_use_ = 0;
  uint64_t bytes_ = 0; ///< what lies behind that in the last block is zeros
};

} // namespace clay
