// What inodes in memory know and the disk does not goes there, stage by stage.

#include "kernel-src/fs/ext2/filesystem.h"
#include "kernel-src/fs/ext2/space.h"
#include "kernel-src/fs/ext2/trim.h"

namespace clay::ext2 {

/// Whether the disk knows everything.
bool Ext2::is_settled() {
  return inodes_.pending_count() == 0 && moved_.block == 0 && !volume_->counts_changed() &&
         volume_->cache().dirty() == 0;
}

Result<> Ext2::commit() {
  if (is_settled()) {
    return {};
  }
  if (!volume_->writable()) {
    return Error::kReadOnly; // and what is pending will never get there
  }
  CLAY_TRY(write_growth());
  bool frees = moved_.block != 0;
  for (const Inode& inode : inodes_.pending()) {
    frees = frees || inode.dead || inode.trim || inode.links < inode.disk_links;
  }
  if (frees) {
    CLAY_TRY(volume_->cache().sync(kStageRemovals));
    freeing_ = true;
    CLAY_TRY(write_frees());
  }
  if (volume_->counts_changed()) {
    CLAY_TRY(volume_->write_counts(frees ? kStageFrees : kStageNames));
  }
  CLAY_TRY(volume_->cache().sync());
  freeing_ = false;
  forget_settled();
  return {};
}

/// Link counts that grow, then sizes and pointers.
Result<> Ext2::write_growth() {
  for (Inode& inode : inodes_.pending()) {
    if (inode.links > inode.disk_links) {
      CLAY_TRY(inodes_.store_links(inode, kStageNew));
    }
  }
  for (Inode& inode : inodes_.pending()) {
    if (inode.changed && !inode.dead) {
      CLAY_TRY(inodes_.store(inode, kStageNames));
    }
  }
  return {};
}

/// No name leads to what is freed here any more, and no size covers it.
Result<> Ext2::write_frees() {
  if (moved_.block != 0) {
    CLAY_TRY(take_mark_off());
    moved_ = {};
  }
  Inode* next = nullptr;
  for (Inode* inode = inodes_.pending().front(); inode != nullptr; inode = next) {
    next = inodes_.pending().next(*inode);
    CLAY_TRY(inode->dead ? free_dead(*inode) : shrink(*inode));
  }
  return {};
}

Result<> Ext2::take_mark_off() {
  const BlockRef block = CLAY_TRY(volume_->cache().read(moved_.block));
  const BlockEdit edit = CLAY_TRY(block.edit(kStageFrees));
  uint8_t& type = edit.bytes()[moved_.offset + entry::kType];
  type = static_cast<uint8_t>(type & ~kMarkNew);
  return {};
}

Result<> Ext2::shrink(Inode& inode) {
  if (inode.trim) {
    const Result<> trimmed = inode.has_blocks() ? trim(*volume_, inode) : Result<>();
    CLAY_TRY(inodes_.store(inode, kStageFrees)); // also what was freed before an error
    CLAY_TRY(trimmed);
    inode.trim = false;
  }
  return inode.links < inode.disk_links ? inodes_.store_links(inode, kStageFrees) : Result<>();
}

Result<> Ext2::free_dead(Inode& inode) {
  if (inode.has_blocks()) {
    CLAY_TRY(trim_all(*volume_, inode));
  }
  CLAY_TRY(release_attributes(*volume_, inode));
  if (!inode.erased) {
    CLAY_TRY(inodes_.erase(inode.number, kStageFrees));
    inode.erased = true;
  }
  CLAY_TRY(free_inode(*volume_, inode.number, inode.is_directory()));
  inodes_.settle(inode);
  return {};
}

/// All of it is on the disk.
void Ext2::forget_settled() {
  removed_.clear();
  Inode* next = nullptr;
  for (Inode* inode = inodes_.pending().front(); inode != nullptr; inode = next) {
    next = inodes_.pending().next(*inode);
    inode->named = false;
    inodes_.settle(*inode);
  }
}

} // namespace clay::ext2
