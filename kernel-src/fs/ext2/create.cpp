// New nodes.

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/fs/ext2/filesystem.h"
#include "kernel-src/fs/ext2/node.h"
#include "kernel-src/fs/ext2/space.h"
#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/endian.h"

namespace clay::ext2 {

namespace {

/// Inode and block of a node that is being made; given back if they are not kept.
class Parts {
 public:
  Parts(Volume& volume, InodeTable& inodes, bool directory)
      : volume_(volume), inodes_(inodes), directory_(directory) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    if (written_ && !inodes_.erase(number_, kStageNew).ok()) {
      volume_.leave_untidy(); // and it stays taken
      return;
    }
    if (number_ != 0) {
      put_back_inode(volume_, number_, directory_);
    }
    if (block_) {
      put_back_block(volume_, block_);
    }
  }

  Result<uint32_t> take_inode(uint32_t group) {
    number_ = CLAY_TRY(ext2::take_inode(volume_, group, directory_));
    return number_;
  }
  Result<BlockNumber> take_block() {
    const Geometry& geometry = volume_.geometry;
    const uint32_t goal = geometry.first_of_group(geometry.group_of_inode(number_));
    block_ = CLAY_TRY(ext2::take_block(volume_, goal));
    return block_;
  }
  /// The inode is on the disk, or on its way there.
  void inode_written() { written_ = true; }
  void keep() {
    number_ = 0;
    written_ = false;
    block_ = {};
  }

 private:
  Volume& volume_;
  InodeTable& inodes_;
  const bool directory_;
  bool written_ = false;
  uint32_t number_ = 0;
  BlockNumber block_;
};

Result<> check_target(const Geometry& geometry, StringView target) {
  if (target.empty() || target.find('\0') != StringView::kNotFound) {
    return Error::kInvalid;
  }
  return target.size() < geometry.block_bytes ? Result<>() : Error::kNameTooLong;
}

uint16_t mode_of(NodeKind kind) {
  switch (kind) {
  case NodeKind::kDirectory:
    return kModeDirectory;
  case NodeKind::kSymlink:
    return kModeSymlink;
  default:
    return kModeFile;
  }
}

bool needs_block(const Ext2::Wanted& wanted) {
  return wanted.kind == NodeKind::kDirectory || wanted.target.size() >= kFastSymlinkRoom;
}

} // namespace

/// Directories are spread over the groups, other nodes are near their directory.
uint32_t Ext2::group_for(const Inode& directory, NodeKind kind) const {
  const uint32_t near = volume_->geometry.group_of_inode(directory.number);
  if (kind != NodeKind::kDirectory) {
    return near;
  }
  uint32_t best = near;
  for (uint32_t i = 0; i < volume_->geometry.groups; ++i) {
    const Group& group = volume_->groups[i];
    if (group.free_inodes != 0 && group.free_blocks > volume_->groups[best].free_blocks) {
      best = i;
    }
  }
  return best;
}

/// Writes what a new node has in its first block: entries, or a long target.
Result<> Ext2::fill_first_block(BlockNumber block, const Wanted& wanted, uint32_t number,
                                uint32_t parent) {
  const BlockRef ref = CLAY_TRY(volume_->cache().fresh(block.raw(), kStageNew));
  const BlockEdit edit = CLAY_TRY(ref.edit(kStageNew));
  if (wanted.kind == NodeKind::kDirectory) {
    editor_.write_first(edit.bytes(), number, parent);
  } else {
    memcpy(edit.bytes().data(), wanted.target.data(), wanted.target.size());
  }
  return {};
}

Result<InodeRef> Ext2::write_new_inode(const Wanted& wanted, uint32_t number, BlockNumber block) {
  NewInode fields;
  fields.mode =
      static_cast<uint16_t>(mode_of(wanted.kind) | (wanted.permissions & kModePermissions));
  fields.links = wanted.kind == NodeKind::kDirectory ? 2 : 1;
  fields.size = wanted.target.size();
  if (wanted.kind == NodeKind::kDirectory) {
    fields.size = volume_->geometry.block_bytes;
  }
  if (block) {
    fields.pointers[0] = block.raw();
    fields.sectors = volume_->geometry.sectors_per_block();
  } else if (!wanted.target.empty()) {
    uint8_t target[kFastSymlinkRoom] = {};
    memcpy(target, wanted.target.data(), wanted.target.size());
    for (unsigned i = 0; i < kPointers; ++i) {
      fields.pointers[i] = load_le<uint32_t>(target + size_t{i} * 4);
    }
  }
  return inodes_.create(number, fields);
}

Result<Ref<Node>> Ext2::create(Inode& directory, StringView name, const Wanted& wanted) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(directory));
  CLAY_TRY(check_name(name));
  if (wanted.kind == NodeKind::kSymlink) {
    CLAY_TRY(check_target(volume_->geometry, wanted.target));
  }
  CLAY_TRY(begin_change());
  const NameSearch search = CLAY_TRY(editor_.search(directory, name));
  if (search.found.block) {
    return Error::kExists;
  }
  const bool is_directory = wanted.kind == NodeKind::kDirectory;
  if (is_directory && directory.links >= kMostLinks) {
    return Error::kTooMany;
  }
  CLAY_TRY(prepare(directory, name, search.slot, needs_block(wanted) ? 1 : 0, 1));

  // From here on what has been done is undone, if something fails; the name comes last.
  Parts parts(*volume_, inodes_, is_directory);
  const uint32_t number = CLAY_TRY(parts.take_inode(group_for(directory, wanted.kind)));
  BlockNumber block;
  if (needs_block(wanted)) {
    block = CLAY_TRY(parts.take_block());
    CLAY_TRY(fill_first_block(block, wanted, number, directory.number));
  }
  InodeRef inode = CLAY_TRY(write_new_inode(wanted, number, block));
  parts.inode_written();
  Inode& made = *inode;
  Ref<Node> node = CLAY_TRY(node_of(std::move(inode)));
  const Result<EntryAt> put =
      editor_.insert(directory, search.slot, name, number, editor_.type_of(made));
  if (!put.ok()) {
    detach(*node);
    return put.error();
  }
  parts.keep();
  if (is_directory) {
    ++directory.links;
    inodes_.leave(directory);
  }
  return node;
}

} // namespace clay::ext2
