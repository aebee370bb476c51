#include "kernel-src/fs/ramfs.h"

#include <utility>

#include "kernel-src/fs/ramfs_node.h"
#include "kernel-src/hal/bytes.h"

namespace clay {
namespace {

constinit LockClass ramfs_tree_class{"ramfs-tree"};
constinit LockClass ramfs_space_class{"ramfs-space"};

} // namespace

// --- Space

RamSpace::RamSpace(uint64_t blocks, uint64_t nodes)
    : left_(ramfs_space_class, Left{blocks, nodes}) {}

Result<> RamSpace::take_blocks(uint64_t count) {
  return left_.with([count](Left& left) -> Result<> {
    if (count > left.blocks) {
      return Error::kNoSpace;
    }
    left.blocks -= count;
    return {};
  });
}

void RamSpace::give_blocks(uint64_t count) {
  left_.with([count](Left& left) { left.blocks += count; });
}

Result<> RamSpace::take_node() {
  return left_.with([](Left& left) -> Result<> {
    if (left.nodes == 0) {
      return Error::kNoSpace;
    }
    --left.nodes;
    return {};
  });
}

void RamSpace::give_node() {
  left_.with([](Left& left) { ++left.nodes; });
}

RamSpace::Left RamSpace::left() {
  return left_.with([](const Left& left) { return left; });
}

// --- The filesystem

/// The root is one of the nodes from the beginning.
RamFs::RamFs(const Shape& shape)
    : shape_(shape), tree_lock_(ramfs_tree_class), space_(shape.blocks, shape.nodes - 1) {}

Result<Box<RamFs>> RamFs::create(const Shape& shape) {
  CLAY_ASSERT(shape.nodes >= 1 && shape.most_links >= 2);
  Box<RamFs> ramfs = CLAY_TRY(make_box<RamFs>(kHalAllocMayWait, shape));
  ramfs->root_ = CLAY_TRY(make_ref<RamDirectory>(kHalAllocMayWait, *ramfs, uint16_t{0755}));
  ramfs->root_->parent_ = ramfs->root_.get();
  return ramfs;
}

RamFs::~RamFs() { take_down(); }

Result<Ref<Node>> RamFs::root() { return Ref<Node>(*root_); }

FileSystemStat RamFs::stat() {
  const RamSpace::Left left = space_.left();
  return {kBlockBytes, shape_.blocks, left.blocks, shape_.nodes, left.nodes};
}

Result<> RamFs::unmount() {
  CLAY_ASSERT(root_->ref_count() == 1);
  take_down();
  return {};
}

/// Nobody uses it any more. Ends the tree from above, one entry after the other, so that its depth
/// costs no stack.
void RamFs::take_down() {
  if (!root_) {
    return;
  }
  Tree<RamEntry, &RamEntry::by_place, &RamEntry::place> pending;
  const auto empty_into_pending = [&pending](RamDirectory& directory) {
    while (RamEntry* const entry = directory.by_place_.pop_first()) {
      directory.by_name_.remove(*entry);
      pending.insert(*entry);
    }
  };
  empty_into_pending(*root_);
  while (RamEntry* const entry = pending.pop_first()) {
    if (RamDirectory* const directory = RamDirectory::as_directory(*entry->node)) {
      empty_into_pending(*directory);
    }
    heap_delete(entry);
  }
  root_.reset();
}

// --- Nodes

RamNode::RamNode(RamFs& filesystem, NodeKind kind, uint16_t permissions)
    : Node(filesystem, kind),
      number_(filesystem.next_number_.fetch_add(1, std::memory_order_relaxed)),
      permissions_(permissions) {}

NodeStat RamNode::stat() {
  ReadGuard guard(ramfs().tree_lock_);
  const Size now = size();
  return {number_, kind(), permissions_, links_, now.bytes, now.allocated};
}

Result<size_t> RamFile::read(uint64_t offset, MutableBytes into) {
  return data_.read([&](const RamData& data) -> Result<size_t> { return data.read(offset, into); });
}

Result<> RamFile::write(uint64_t offset, Bytes from) {
  return data_.write([&](RamData& data) -> Result<> {
    if (ramfs().read_only()) {
      return Error::kReadOnly;
    }
    return data.write(offset, from);
  });
}

Result<> RamFile::truncate(uint64_t bytes) {
  return data_.write([&](RamData& data) -> Result<> {
    if (ramfs().read_only()) {
      return Error::kReadOnly;
    }
    return data.truncate(bytes);
  });
}

RamNode::Size RamFile::size() {
  return data_.read([](const RamData& data) { return Size{data.bytes(), data.allocated()}; });
}

Result<Ref<RamSymlink>> RamSymlink::make(RamFs& filesystem, StringView target) {
  auto* const text = static_cast<char*>(hal_alloc(target.size(), alignof(char), kHalAllocMayWait));
  if (text == nullptr) {
    return Error::kNoMemory;
  }
  memcpy(text, target.data(), target.size());
  auto made = make_ref<RamSymlink>(kHalAllocMayWait, filesystem, text, target.size());
  if (!made.ok()) {
    hal_free(text);
  }
  return made;
}

Result<size_t> RamSymlink::read_link(MutableBytes into) {
  memcpy(into.data(), target_, length_ < into.size() ? length_ : into.size());
  return length_;
}

} // namespace clay
