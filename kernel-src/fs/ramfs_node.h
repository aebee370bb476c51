#pragma once
// The nodes of a ramfs (ramfs.h, where the locks are explained).

#include <stdint.h>

#include "kernel-src/fs/ramfs.h"
#include "kernel-src/fs/ramfs_data.h"
#include "kernel-src/lib/hash_table.h"
#include "kernel-src/lib/tree.h"

namespace clay {

inline constinit LockClass ramfs_data_class{"ramfs-data"};

/// What all kinds have, and their answers to what they are not for.
class RamNode : public Node {
 public:
  RamNode(RamFs& filesystem, NodeKind kind, uint16_t permissions);
  ~RamNode() override { ramfs().space_.give_node(); }

  NodeStat stat() final;

  Result<size_t> read(uint64_t, MutableBytes) override { return no_file(); }
  Result<> write(uint64_t, Bytes) override { return no_file(); }
  Result<> truncate(uint64_t) override { return no_file(); }
  Result<size_t> read_link(MutableBytes) override { return Error::kInvalid; }
  Result<Ref<Node>> lookup(StringView) override { return Error::kNotDirectory; }
  Result<Ref<Node>> create(StringView, NodeKind, uint16_t) override { return Error::kNotDirectory; }
  Result<Ref<Node>> symlink(StringView, StringView) override { return Error::kNotDirectory; }
  Result<Ref<Node>> parent() override { return Error::kNotDirectory; }
  Result<> link(StringView, Node&) override { return Error::kNotDirectory; }
  Result<> unlink(StringView) override { return Error::kNotDirectory; }
  Result<> remove_directory(StringView) override { return Error::kNotDirectory; }
  Result<> rename(StringView, Node&, StringView) override { return Error::kNotDirectory; }
  Result<> list(uint64_t, DirectoryVisitor&) override { return Error::kNotDirectory; }
  Result<> sync() override { return {}; }

 protected:
  RamFs& ramfs() const { return static_cast<RamFs&>(filesystem()); }
  /// Its size and the space that it takes, with the tree locked.
  struct Size {
    uint64_t bytes = 0;
    uint64_t allocated = 0;
  };
  virtual Size size() = 0;

 private:
  friend class RamFs;
  friend class RamDirectory;
  Error no_file() const {
    return kind() == NodeKind::kDirectory ? Error::kIsDirectory : Error::kInvalid;
  }

  const uint64_t number_;
  const uint16_t permissions_;
  uint32_t links_ = 1; ///< guarded by the tree's lock
};

class RamFile final : public RamNode {
 public:
  RamFile(RamFs& filesystem, uint16_t permissions)
      : RamNode(filesystem, NodeKind::kFile, permissions),
        data_(ramfs_data_class, filesystem.space_) {}

  Result<size_t> read(uint64_t offset, MutableBytes into) override;
  Result<> write(uint64_t offset, Bytes from) override;
  Result<> truncate(uint64_t bytes) override;

 private:
  Size size() override;
  RwLocked<RamData> data_;
};

class RamSymlink final : public RamNode {
 public:
  static Result<Ref<RamSymlink>> make(RamFs& filesystem, StringView target);
  RamSymlink(RamFs& filesystem, char* target, size_t length)
      : RamNode(filesystem, NodeKind::kSymlink, 0777), target_(target), length_(length) {}
  ~RamSymlink() override { hal_free(target_); }

  Result<size_t> read_link(MutableBytes into) override;

 private:
  Size size() override { return {length_, 0}; }
  char* const target_; ///< of the heap
  const size_t length_;
};

/// A name in a directory, and its text behind it.
struct RamEntry {
  static Result<Box<RamEntry>> make(StringView name);
  RamEntry(size_t length) : length(length) {}
  StringView name() const { return {reinterpret_cast<const char*>(this + 1), length}; }

  TreeLink by_place;
  HashLink by_name;
  uint64_t place = 0; ///< in the order in which names have come
  Ref<RamNode> node;
  const size_t length;
};

class RamDirectory final : public RamNode {
 public:
  RamDirectory(RamFs& filesystem, uint16_t permissions)
      : RamNode(filesystem, NodeKind::kDirectory, permissions) {
    links_ = 2;
  }
  /// It is empty, or take_down() has been here.
  ~RamDirectory() override = default;

  Result<Ref<Node>> lookup(StringView name) override;
  Result<Ref<Node>> create(StringView name, NodeKind kind, uint16_t permissions) override;
  Result<Ref<Node>> symlink(StringView name, StringView target) override;
  Result<Ref<Node>> parent() override;
  Result<> link(StringView name, Node& target) override;
  Result<> unlink(StringView name) override;
  Result<> remove_directory(StringView name) override;
  Result<> rename(StringView name, Node& to_directory, StringView to_name) override;
  Result<> list(uint64_t from, DirectoryVisitor& visitor) override;

 private:
  friend class RamFs;
  static StringView name_of(const RamEntry& entry) { return entry.name(); }
  static RamDirectory* as_directory(Node& node) {
    return node.kind() == NodeKind::kDirectory ? static_cast<RamDirectory*>(&node) : nullptr;
  }
  Size size() override { return {}; }

  // --- With the tree locked; what changes it, alone

  bool removed() const { return links_ == 0; }
  Result<RamEntry*> find(StringView name) const;
  /// Whether a name may come here.
  Result<> may_add(StringView name) const;
  /// Whether a directory may.
  Result<> may_add_directory() const;
  void add(Box<RamEntry> entry, Ref<RamNode> node);
  /// The entry, for the caller to free once the tree is unlocked. Its node has lost a link.
  Box<RamEntry> take_out(RamEntry& entry);
  /// Whether `name` of this may become `to_name` of `to`. `replaced`: what lies there, or null.
  Result<> may_move(RamNode& moved, const RamDirectory& to, RamEntry* replaced) const;

  Result<Ref<Node>> add_new(StringView name, Ref<RamNode> node);

  Tree<RamEntry, &RamEntry::by_place, &RamEntry::place> by_place_;
  HashTable<RamEntry, &RamEntry::by_name, name_of, WaitingHeap> by_name_;
  uint64_t next_place_ = 1;
  RamDirectory* parent_ = nullptr; ///< of the root, itself; null once it has been removed
};

} // namespace clay
