// Names added to nodes and taken from them.

#include "kernel-src/fs/ext2/filesystem.h"

namespace clay::ext2 {

Result<> Ext2::link(Inode& directory, StringView name, Inode& target) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(directory));
  CLAY_TRY(check_name(name));
  if (target.is_directory()) {
    return Error::kNotPermitted;
  }
  if (target.links == 0) {
    return Error::kNotFound;
  }
  CLAY_TRY(begin_change());
  const NameSearch search = CLAY_TRY(editor_.search(directory, name));
  if (search.found.block) {
    return Error::kExists;
  }
  if (target.links >= kMostLinks) {
    return Error::kTooMany;
  }
  CLAY_TRY(prepare(directory, name, search.slot, 0, 0));
  CLAY_TRY(editor_.insert(directory, search.slot, name, target.number, editor_.type_of(target)));
  ++target.links;
  target.named = true;
  inodes_.leave(target);
  return {};
}

/// Takes an entry out, of which the caller knows that it may go.
Result<> Ext2::remove_name(Inode& directory, StringView name, const NamePlace& at, unsigned stage) {
  CLAY_TRY(editor_.begin(directory));
  CLAY_TRY(editor_.remove(at.block, at.entry.offset, stage));
  const auto block = static_cast<uint32_t>(at.block.number());
  removed_.add(directory.number, name, sector_at({block, at.entry.offset}));
  return {};
}

Result<> Ext2::unlink(Inode& directory, StringView name) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(directory));
  CLAY_TRY(check_name(name));
  CLAY_TRY(begin_change());
  const NamePlace found = CLAY_TRY(find_name(*volume_, directory, name));
  if (!found.block) {
    return Error::kNotFound;
  }
  const InodeRef inode = CLAY_TRY(named(found.entry.inode));
  if (inode->is_directory()) {
    return Error::kIsDirectory;
  }
  // One that stays must not go before a new one of the others is durable.
  const bool wait = inode->links > 1 && inode->named;
  CLAY_TRY(remove_name(directory, name, found, wait ? kStageRemovals : kStageNames));
  drop_link(*inode);
  return {};
}

Result<> Ext2::remove_directory(Inode& directory, StringView name) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(directory));
  CLAY_TRY(check_name(name));
  CLAY_TRY(begin_change());
  const NamePlace found = CLAY_TRY(find_name(*volume_, directory, name));
  if (!found.block) {
    return Error::kNotFound;
  }
  const InodeRef inode = CLAY_TRY(named(found.entry.inode));
  CLAY_TRY(check_removable(*inode, directory));
  CLAY_TRY(remove_name(directory, name, found, kStageRemovals));
  drop_link(*inode);
  --directory.links;
  inodes_.leave(directory);
  return {};
}

/// Whether `inode` is an empty directory, and `parent` the one that it is in.
Result<> Ext2::check_removable(const Inode& inode, const Inode& parent) {
  if (!inode.is_directory()) {
    return Error::kNotDirectory;
  }
  if (!CLAY_TRY(is_empty(*volume_, inode))) {
    return Error::kNotEmpty;
  }
  if (CLAY_TRY(parent_of(*volume_, inode)).entry.inode != parent.number) {
    return volume_->corrupt("the way up from directory", inode.number);
  }
  if (parent.links <= 2) {
    return volume_->corrupt("the link count of directory", parent.number);
  }
  return {};
}

} // namespace clay::ext2
