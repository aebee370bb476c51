#include "kernel-src/fs/ext2/filesystem.h"

#include <utility>

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/fs/ext2/directory.h"
#include "kernel-src/fs/ext2/node.h"
#include "kernel-src/fs/ext2/recovery.h"

namespace clay::ext2 {

namespace {

constinit LockClass ext2_class{"ext2"};

constexpr uint32_t kMostPending = 256; ///< inodes left for the commit, before one comes by itself

} // namespace

Ext2::Ext2(Box<Volume> volume)
    : lock_(ext2_class), volume_(std::move(volume)), inodes_(*volume_), editor_(*volume_, inodes_) {
}

Result<> Ext2::start() {
  MutexGuard guard(lock_);
  if (!volume_->was_clean() && volume_->writable()) {
    CLAY_TRY(recover(*volume_, editor_));
  }
  const InodeRef root = CLAY_TRY(inodes_.get(kRootInode));
  return root->is_directory() ? Result<>() : volume_->corrupt("the mode of inode", kRootInode);
}

// --- FileSystem

Result<Ref<Node>> Ext2::root() {
  MutexGuard guard(lock_);
  return node_of(CLAY_TRY(inodes_.get(kRootInode)));
}

FileSystemStat Ext2::stat() {
  MutexGuard guard(lock_);
  const Geometry& geometry = volume_->geometry;
  uint64_t own = geometry.first_block;
  for (uint32_t i = 0; i < geometry.groups; ++i) {
    own += volume_->groups[i].head + 2 + geometry.table_blocks;
  }
  FileSystemStat stat;
  stat.block_bytes = geometry.block_bytes;
  stat.blocks = geometry.blocks - own;
  stat.free_blocks = volume_->free_blocks();
  stat.nodes = geometry.inodes;
  stat.free_nodes = volume_->free_inodes();
  return stat;
}

bool Ext2::read_only() const {
  MutexGuard guard(lock_);
  return !volume_->writable();
}

Result<> Ext2::sync() {
  MutexGuard guard(lock_);
  return commit();
}

Result<> Ext2::unmount() {
  MutexGuard guard(lock_);
  if (unmounted_) {
    return {};
  }
  unmounted_ = true;
  CLAY_TRY(commit());
  return volume_->mark_clean();
}

// --- Changes in general

Result<> Ext2::begin_change() {
  if (!volume_->writable() || unmounted_) {
    return Error::kReadOnly;
  }
  if (moved_.block != 0 || freeing_ || inodes_.pending_count() > kMostPending) {
    CLAY_TRY(commit());
  }
  return volume_->mark_in_use();
}

Result<> Ext2::check_directory(const Inode& directory) {
  if (!directory.is_directory()) {
    return Error::kNotDirectory;
  }
  return directory.links != 0 ? Result<>() : Error::kNotFound;
}

Result<> Ext2::check_name(StringView name) {
  return name.size() <= kMostName ? Result<>() : Error::kNameTooLong;
}

uint64_t Ext2::sector_at(const EntryAt& at) const {
  return uint64_t{at.block} * volume_->geometry.block_bytes + editor_.sector_of(at.offset);
}

uint64_t Ext2::sector_of(const NameSlot& slot) const {
  return slot.how == NameSlot::How::kBeside ? sector_at({slot.block, slot.place}) : UINT64_MAX;
}

Result<> Ext2::make_room(uint64_t blocks, uint32_t inodes) {
  const auto fits = [&] {
    return volume_->free_blocks() >= blocks && volume_->free_inodes() >= inodes;
  };
  if (!fits() && inodes_.pending_count() != 0) {
    CLAY_TRY(commit());
  }
  return fits() ? Result<>() : Error::kNoSpace;
}

Result<> Ext2::prepare(Inode& directory, StringView name, const NameSlot& slot, uint32_t more,
                       uint32_t inodes) {
  const bool grows = slot.how == NameSlot::How::kNewBlock;
  if (removed_.clash(directory.number, name, sector_of(slot)) || (grows && directory.trim)) {
    CLAY_TRY(commit());
  }
  uint64_t blocks = more;
  if (grows) {
    const uint64_t index = directory.size >> volume_->geometry.block_shift;
    blocks += CLAY_TRY(missing_blocks(*volume_, directory, index, 1));
  }
  CLAY_TRY(make_room(blocks, inodes));
  return editor_.begin(directory);
}

// --- Inodes and nodes

Result<InodeRef> Ext2::named(uint32_t number) {
  const Geometry& geometry = volume_->geometry;
  if (!geometry.is_inode(number) || number < geometry.first_inode) {
    return volume_->corrupt("an entry that leads to inode", number);
  }
  return inodes_.get(number);
}

Result<Ref<Node>> Ext2::node_of(InodeRef inode) {
  if (inode->node != nullptr && inode->node->try_add_ref()) {
    return Ref<Node>::adopt(inode->node);
  }
  auto* const node = heap_new<Ext2Node>(kHalAllocMayWait, *this, inode->kind);
  if (node == nullptr) {
    return Error::kNoMemory;
  }
  inode->node = node;
  node->inode_ = std::move(inode);
  return Ref<Node>::adopt(node);
}

void Ext2::detach(Node& node) {
  InodeRef inode = std::move(static_cast<Ext2Node&>(node).inode_);
  inode->node = nullptr;
}

void Ext2::release(Ext2Node& node) {
  MutexGuard guard(lock_);
  const InodeRef inode = std::move(node.inode_);
  if (inode->node != &node) {
    return; // another has taken its place already
  }
  inode->node = nullptr;
  if (inode->links == 0) {
    bury(*inode);
  }
}

void Ext2::drop_link(Inode& inode) {
  inode.links = inode.is_directory() ? 0 : inode.links - 1;
  inodes_.leave(inode);
  if (inode.links == 0 && inode.node == nullptr) {
    bury(inode);
  }
}

void Ext2::bury(Inode& inode) {
  inode.dead = true;
  inodes_.leave(inode);
}

NodeStat Ext2::stat(const Inode& inode) {
  MutexGuard guard(lock_);
  NodeStat stat;
  stat.number = inode.number;
  stat.kind = inode.kind;
  stat.permissions = inode.mode & kModePermissions;
  stat.links = inode.links;
  stat.bytes = inode.size;
  stat.allocated = uint64_t{inode.sectors} * 512;
  return stat;
}

// --- Directories read

Result<Ref<Node>> Ext2::lookup(const Inode& directory, StringView name) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(directory));
  CLAY_TRY(check_name(name));
  const NamePlace found = CLAY_TRY(find_name(*volume_, directory, name));
  if (!found.block) {
    return Error::kNotFound;
  }
  return node_of(CLAY_TRY(named(found.entry.inode)));
}

Result<Ref<Node>> Ext2::parent(const Inode& directory) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(directory));
  const uint32_t number = CLAY_TRY(parent_of(*volume_, directory)).entry.inode;
  InodeRef above = CLAY_TRY(number == kRootInode ? inodes_.get(number) : named(number));
  if (!above->is_directory()) {
    return volume_->corrupt("a way up that ends at inode", number);
  }
  return node_of(std::move(above));
}

namespace {

NodeKind kind_of_type(const Geometry& geometry, uint8_t type) {
  switch (geometry.types ? type & ~kMarks : kTypeUnknown) {
  case kTypeFile:
    return NodeKind::kFile;
  case kTypeDirectory:
    return NodeKind::kDirectory;
  case kTypeSymlink:
    return NodeKind::kSymlink;
  default:
    return NodeKind::kOther;
  }
}

} // namespace

Result<> Ext2::list(const Inode& directory, uint64_t from, DirectoryVisitor& visitor) {
  MutexGuard guard(lock_);
  if (!directory.is_directory()) {
    return Error::kNotDirectory;
  }
  if (directory.links == 0) {
    return {}; // it has been removed: its blocks may be gone
  }
  const uint64_t first = from >> volume_->geometry.block_shift;
  return for_entries(*volume_, directory, first, [&](BlockRef& block, const Entry& entry) {
    if (!entry.is_name() || entry.position < from) {
      return true;
    }
    return visitor.entry({entry.name(block.bytes()), entry.inode,
                          kind_of_type(volume_->geometry, entry.type),
                          entry.position + entry.length});
  });
}

} // namespace clay::ext2
