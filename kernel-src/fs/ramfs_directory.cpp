// Names of a ramfs.

#include <utility>

#include "kernel-src/fs/ramfs_node.h"
#include "kernel-src/hal/bytes.h"

namespace clay {

Result<Box<RamEntry>> RamEntry::make(StringView name) {
  void* const memory =
      hal_alloc(sizeof(RamEntry) + name.size(), alignof(RamEntry), kHalAllocMayWait);
  if (memory == nullptr) {
    return Error::kNoMemory;
  }
  auto* const entry = new (memory) RamEntry(name.size());
  memcpy(entry + 1, name.data(), name.size());
  return Box<RamEntry>(entry);
}

// --- With the tree locked

Result<RamEntry*> RamDirectory::find(StringView name) const {
  RamEntry* const entry = removed() ? nullptr : by_name_.find(name);
  if (entry == nullptr) {
    return Error::kNotFound;
  }
  return entry;
}

Result<> RamDirectory::may_add(StringView name) const {
  if (ramfs().read_only()) {
    return Error::kReadOnly;
  }
  if (removed()) {
    return Error::kNotFound;
  }
  return by_name_.find(name) != nullptr ? Error::kExists : Result<>();
}

Result<> RamDirectory::may_add_directory() const {
  return links_ >= ramfs().shape_.most_links ? Error::kTooMany : Result<>();
}

void RamDirectory::add(Box<RamEntry> entry, Ref<RamNode> node) {
  if (RamDirectory* const below = as_directory(*node)) {
    below->parent_ = this;
    ++links_;
  }
  entry->place = next_place_++;
  entry->node = std::move(node);
  by_place_.insert(*entry);
  by_name_.insert(*entry.leak());
}

Box<RamEntry> RamDirectory::take_out(RamEntry& entry) {
  by_place_.remove(entry);
  by_name_.remove(entry);
  if (as_directory(*entry.node) != nullptr) {
    --links_;
  }
  return Box<RamEntry>(&entry);
}

// --- Looking

Result<Ref<Node>> RamDirectory::lookup(StringView name) {
  ReadGuard guard(ramfs().tree_lock_);
  const RamEntry* const entry = CLAY_TRY(find(name));
  return Ref<Node>(*entry->node);
}

Result<Ref<Node>> RamDirectory::parent() {
  ReadGuard guard(ramfs().tree_lock_);
  if (parent_ == nullptr) {
    return Error::kNotFound;
  }
  return Ref<Node>(*parent_);
}

Result<> RamDirectory::list(uint64_t from, DirectoryVisitor& visitor) {
  ReadGuard guard(ramfs().tree_lock_);
  for (const RamEntry* entry = by_place_.first_at_or_above(from); entry != nullptr;
       entry = by_place_.next(*entry)) {
    const RamNode& node = *entry->node;
    if (!visitor.entry({entry->name(), node.number_, node.kind(), entry->place + 1})) {
      break;
    }
  }
  return {};
}

// --- New names

/// `node` is new, and has a node's space.
Result<Ref<Node>> RamDirectory::add_new(StringView name, Ref<RamNode> node) {
  Box<RamEntry> entry = CLAY_TRY(RamEntry::make(name));
  WriteGuard guard(ramfs().tree_lock_);
  CLAY_TRY(may_add(name));
  if (node->kind() == NodeKind::kDirectory) {
    CLAY_TRY(may_add_directory());
  }
  Ref<Node> added(*node);
  add(std::move(entry), std::move(node));
  return added;
}

Result<Ref<Node>> RamDirectory::create(StringView name, NodeKind kind, uint16_t permissions) {
  CLAY_ASSERT(kind == NodeKind::kFile || kind == NodeKind::kDirectory);
  {
    ReadGuard guard(ramfs().tree_lock_);
    CLAY_TRY(may_add(name)); // what is refused for that is refused before it costs memory
  }
  CLAY_TRY(ramfs().space_.take_node());
  auto* const node =
      kind == NodeKind::kFile
          ? static_cast<RamNode*>(heap_new<RamFile>(kHalAllocMayWait, ramfs(), permissions))
          : heap_new<RamDirectory>(kHalAllocMayWait, ramfs(), permissions);
  if (node == nullptr) {
    ramfs().space_.give_node();
    return Error::kNoMemory;
  }
  return add_new(name, Ref<RamNode>::adopt(node));
}

Result<Ref<Node>> RamDirectory::symlink(StringView name, StringView target) {
  if (target.empty()) {
    return Error::kInvalid;
  }
  if (target.size() > ramfs().shape_.most_target) {
    return Error::kNameTooLong;
  }
  CLAY_TRY(ramfs().space_.take_node());
  auto made = RamSymlink::make(ramfs(), target);
  if (!made.ok()) {
    ramfs().space_.give_node();
    return made.error();
  }
  return add_new(name, Ref<RamNode>::adopt(made.take().leak()));
}

Result<> RamDirectory::link(StringView name, Node& target) {
  CLAY_ASSERT(&target.filesystem() == &filesystem());
  if (target.kind() == NodeKind::kDirectory) {
    return Error::kNotPermitted;
  }
  auto& linked = static_cast<RamNode&>(target);
  Box<RamEntry> entry = CLAY_TRY(RamEntry::make(name));
  WriteGuard guard(ramfs().tree_lock_);
  CLAY_TRY(may_add(name));
  if (linked.links_ == 0) {
    return Error::kNotFound;
  }
  if (linked.links_ >= ramfs().shape_.most_links) {
    return Error::kTooMany;
  }
  ++linked.links_;
  add(std::move(entry), Ref<RamNode>(linked));
  return {};
}

// --- Names that go

Result<> RamDirectory::unlink(StringView name) {
  Box<RamEntry> gone; // freed once the tree is unlocked
  WriteGuard guard(ramfs().tree_lock_);
  if (ramfs().read_only()) {
    return Error::kReadOnly;
  }
  RamEntry* const entry = CLAY_TRY(find(name));
  if (as_directory(*entry->node) != nullptr) {
    return Error::kIsDirectory;
  }
  --entry->node->links_;
  gone = take_out(*entry);
  return {};
}

Result<> RamDirectory::remove_directory(StringView name) {
  Box<RamEntry> gone;
  WriteGuard guard(ramfs().tree_lock_);
  if (ramfs().read_only()) {
    return Error::kReadOnly;
  }
  RamEntry* const entry = CLAY_TRY(find(name));
  RamDirectory* const directory = as_directory(*entry->node);
  if (directory == nullptr) {
    return Error::kNotDirectory;
  }
  if (!directory->by_place_.empty()) {
    return Error::kNotEmpty;
  }
  directory->links_ = 0;
  directory->parent_ = nullptr;
  gone = take_out(*entry);
  return {};
}

// --- Rename

Result<> RamDirectory::may_move(RamNode& moved, const RamDirectory& to, RamEntry* replaced) const {
  const RamDirectory* const directory = as_directory(moved);
  if (directory != nullptr) {
    for (const RamDirectory* at = &to; at != ramfs().root_.get(); at = at->parent_) {
      if (at == directory) {
        return Error::kInvalid;
      }
    }
  }
  if (replaced == nullptr) {
    return directory != nullptr && &to != this ? to.may_add_directory() : Result<>();
  }
  const RamDirectory* const old = as_directory(*replaced->node);
  if (directory == nullptr) {
    return old != nullptr ? Error::kIsDirectory : Result<>();
  }
  if (old == nullptr) {
    return Error::kNotDirectory;
  }
  return old->by_place_.empty() ? Result<>() : Error::kNotEmpty;
}

Result<> RamDirectory::rename(StringView name, Node& to_directory, StringView to_name) {
  CLAY_ASSERT(&to_directory.filesystem() == &filesystem());
  RamDirectory* const to = as_directory(to_directory);
  if (to == nullptr) {
    return Error::kNotDirectory;
  }
  Box<RamEntry> fresh = CLAY_TRY(RamEntry::make(to_name));
  Box<RamEntry> gone;
  Box<RamEntry> replaced;
  WriteGuard guard(ramfs().tree_lock_);
  if (ramfs().read_only()) {
    return Error::kReadOnly;
  }
  RamEntry* const entry = CLAY_TRY(find(name));
  if (to->removed()) {
    return Error::kNotFound;
  }
  RamEntry* const old = to->by_name_.find(to_name);
  if (old != nullptr && old->node.get() == entry->node.get()) {
    return {};
  }
  CLAY_TRY(may_move(*entry->node, *to, old));
  if (old != nullptr) {
    if (RamDirectory* const directory = as_directory(*old->node)) {
      directory->links_ = 0;
      directory->parent_ = nullptr;
    } else {
      --old->node->links_;
    }
    replaced = to->take_out(*old);
  }
  Ref<RamNode> moved = entry->node;
  gone = take_out(*entry);
  to->add(std::move(fresh), std::move(moved));
  return {};
}

} // namespace clay
