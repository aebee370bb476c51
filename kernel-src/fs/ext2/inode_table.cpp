#include "kernel-src/fs/ext2/inode_table.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/le_fields.h"
#include "kernel-src/task/heap.h"

namespace clay::ext2 {

// --- InodeRef

InodeRef::InodeRef(InodeTable& table, Inode& inode) : table_(&table), inode_(&inode) {
  ++inode.pins;
}

InodeRef& InodeRef::operator=(InodeRef&& other) noexcept {
  if (this != &other) {
    if (inode_ != nullptr) {
      table_->unpin(*inode_);
    }
    table_ = other.table_;
    inode_ = other.leak();
  }
  return *this;
}

InodeRef::~InodeRef() {
  if (inode_ != nullptr) {
    table_->unpin(*inode_);
  }
}

// --- What is on the disk

namespace {

NodeKind kind_of(uint16_t mode) {
  switch (mode & kModeKind) {
  case kModeFile:
    return NodeKind::kFile;
  case kModeDirectory:
    return NodeKind::kDirectory;
  case kModeSymlink:
    return NodeKind::kSymlink;
  default:
    return NodeKind::kOther;
  }
}

bool is_known_mode(uint16_t mode) {
  switch (mode & kModeKind) {
  case kModeFifo:
  case kModeCharacter:
  case kModeDirectory:
  case kModeBlock:
  case kModeFile:
  case kModeSymlink:
  case kModeSocket:
    return true;
  default:
    return false;
  }
}

/// Whether the size is one that a node of this kind can have.
bool is_possible_size(const Geometry& geometry, const Inode& inode) {
  switch (inode.kind) {
  case NodeKind::kFile:
    return inode.size <= geometry.most_file_bytes();
  case NodeKind::kDirectory: // no holes: not larger than the disk
    return inode.size != 0 && inode.size % geometry.block_bytes == 0 &&
           inode.size >> geometry.block_shift <= geometry.blocks;
  case NodeKind::kSymlink:
    return inode.size != 0 &&
           inode.size < (inode.fast ? kFastSymlinkRoom : size_t{geometry.block_bytes});
  case NodeKind::kOther:
    return true;
  }
  return false;
}

} // namespace

Result<> read_inode(Volume& volume, Bytes bytes, Inode& into) {
  const LeFields fields(bytes);
  into.mode = fields.u16(inode::kMode);
  into.kind = kind_of(into.mode);
  into.links = fields.u16(inode::kLinks);
  into.flags = fields.u32(inode::kFlags);
  into.sectors = fields.u32(inode::kSectors);
  into.attributes = fields.u32(inode::kAttributes);
  into.size = fields.u32(inode::kSize);
  if (into.kind == NodeKind::kFile && volume.geometry.dynamic) {
    into.size |= uint64_t{fields.u32(inode::kSizeHigh)} << 32;
  }
  for (unsigned i = 0; i < kPointers; ++i) {
    into.pointers[i] = fields.u32(inode::kPointers + size_t{i} * 4);
  }
  // A short target lies in the inode; what tells is that there are no blocks but the attributes'.
  const uint32_t others = into.attributes != 0 ? volume.geometry.sectors_per_block() : 0;
  into.fast = into.kind == NodeKind::kSymlink && into.sectors <= others;
  into.disk_size = into.size;
  into.disk_links = into.links;
  if (!is_known_mode(into.mode) || (into.flags & kFlagExtents) != 0) {
    return volume.corrupt("the mode of inode", into.number);
  }
  if (!is_possible_size(volume.geometry, into)) {
    return volume.corrupt("the size of inode", into.number);
  }
  return {};
}

Result<InodePlace> inode_place(Volume& volume, uint32_t number) {
  const Geometry& geometry = volume.geometry;
  const uint32_t index = (number - 1) % geometry.inodes_per_group;
  const uint32_t per_block = geometry.block_bytes / geometry.inode_bytes;
  const uint32_t table = volume.groups[geometry.group_of_inode(number)].table;
  return InodePlace{CLAY_TRY(volume.cache().read(table + index / per_block)),
                    size_t{index % per_block} * geometry.inode_bytes};
}

Result<> store_inode(Volume& volume, const Inode& inode, unsigned stage) {
  const InodePlace at = CLAY_TRY(inode_place(volume, inode.number));
  const BlockEdit edit = CLAY_TRY(at.block.edit(stage));
  uint8_t* const to = edit.bytes().from(at.offset).data();
  store_le(to + inode::kSize, truncate_to<uint32_t>(inode.size));
  if (inode.kind == NodeKind::kFile && volume.geometry.dynamic) {
    store_le(to + inode::kSizeHigh, truncate_to<uint32_t>(inode.size >> 32));
  }
  store_le(to + inode::kSectors, inode.sectors);
  store_le(to + inode::kFlags, inode.flags);
  store_le(to + inode::kAttributes, inode.attributes);
  for (unsigned i = 0; i < kPointers; ++i) {
    store_le(to + inode::kPointers + size_t{i} * 4, inode.pointers[i]);
  }
  return {};
}

// --- InodeTable

InodeTable::~InodeTable() {
  while (Inode* const inode = pending_.front()) {
    settle(*inode);
  }
}

Result<InodeRef> InodeTable::get(uint32_t number) {
  CLAY_ASSERT(volume_.geometry.is_inode(number));
  if (Inode* const inode = table_.find(number)) {
    if (inode->links == 0) {
      return volume_.corrupt("a way to inode, which is nobody's,", number);
    }
    return InodeRef(*this, *inode);
  }
  const InodePlace at = CLAY_TRY(inode_place(volume_, number));
  Inode* const inode = heap_new<Inode>(kHalAllocMayWait, number);
  if (inode == nullptr) {
    return Error::kNoMemory;
  }
  table_.insert(*inode);
  InodeRef ref(*this, *inode);
  CLAY_TRY(read_inode(volume_, at.block.bytes().subspan(at.offset, kInodeBytesOld), *inode));
  if (inode->links == 0) {
    return volume_.corrupt("a way to inode, which is nobody's,", number);
  }
  return ref;
}

Result<InodeRef> InodeTable::create(uint32_t number, const NewInode& fields) {
  const InodePlace at = CLAY_TRY(inode_place(volume_, number));
  if (LeFields(at.block.bytes().from(at.offset)).u16(inode::kLinks) != 0) {
    return volume_.corrupt("the bit, clear, of inode", number);
  }
  Inode* const inode = heap_new<Inode>(kHalAllocMayWait, number);
  if (inode == nullptr) {
    return Error::kNoMemory;
  }
  table_.insert(*inode);
  InodeRef ref(*this, *inode);
  const BlockEdit edit = CLAY_TRY(at.block.edit(kStageNew));
  uint8_t* const to = edit.bytes().from(at.offset).data();
  memset(to, 0, volume_.geometry.inode_bytes);
  store_le(to + inode::kMode, fields.mode);
  store_le(to + inode::kLinks, truncate_to<uint16_t>(fields.links));
  store_le(to + inode::kSize, truncate_to<uint32_t>(fields.size));
  store_le(to + inode::kSectors, fields.sectors);
  for (const size_t time : {inode::kAccessTime, inode::kChangeTime, inode::kModifyTime}) {
    store_le(to + time, volume_.now());
  }
  for (unsigned i = 0; i < kPointers; ++i) {
    store_le(to + inode::kPointers + size_t{i} * 4, fields.pointers[i]);
  }
  CLAY_TRY(read_inode(volume_, edit.bytes().subspan(at.offset, kInodeBytesOld), *inode));
  return ref;
}

Result<> InodeTable::erase(uint32_t number, unsigned stage) {
  const InodePlace at = CLAY_TRY(inode_place(volume_, number));
  const BlockEdit edit = CLAY_TRY(at.block.edit(stage));
  memset(edit.bytes().from(at.offset).data(), 0, volume_.geometry.inode_bytes);
  return {};
}

Result<> InodeTable::store(Inode& inode, unsigned stage) {
  CLAY_TRY(store_inode(volume_, inode, stage));
  inode.disk_size = inode.size;
  inode.changed = false;
  return {};
}

Result<> InodeTable::store_links(Inode& inode, unsigned stage) {
  const InodePlace at = CLAY_TRY(inode_place(volume_, inode.number));
  const BlockEdit edit = CLAY_TRY(at.block.edit(stage));
  store_le(edit.bytes().from(at.offset).data() + inode::kLinks, truncate_to<uint16_t>(inode.links));
  inode.disk_links = inode.links;
  return {};
}

void InodeTable::leave(Inode& inode) {
  if (!inode.pending.is_linked()) {
    ++inode.pins;
    pending_.push_back(inode);
    ++pending_count_;
  }
}

void InodeTable::settle(Inode& inode) {
  pending_.remove(inode);
  --pending_count_;
  unpin(inode);
}

void InodeTable::unpin(Inode& inode) {
  CLAY_ASSERT(inode.pins != 0);
  if (--inode.pins == 0) {
    table_.remove(inode);
    heap_delete(&inode);
  }
}

} // namespace clay::ext2
