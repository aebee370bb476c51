#pragma once
// What users of the filesystem hold: a reference to an inode.

#include <utility>

#include "kernel-src/fs/ext2/filesystem.h"

namespace clay::ext2 {

class Ext2Node final : public Node {
 public:
  /// It refers to nothing yet.
  Ext2Node(Ext2& filesystem, NodeKind kind) : Node(filesystem, kind), filesystem_(filesystem) {}
  ~Ext2Node() override {
    if (inode_) {
      filesystem_.release(*this);
    }
  }

  NodeStat stat() override { return filesystem_.stat(*inode_); }
  Result<size_t> read(uint64_t offset, MutableBytes into) override {
    return filesystem_.read(*inode_, offset, into);
  }
  Result<> write(uint64_t offset, Bytes from) override {
    return filesystem_.write(*inode_, offset, from);
  }
  Result<> truncate(uint64_t bytes) override { return filesystem_.truncate(*inode_, bytes); }
  Result<size_t> read_link(MutableBytes into) override {
    return filesystem_.read_link(*inode_, into);
  }
  Result<Ref<Node>> lookup(StringView name) override { return filesystem_.lookup(*inode_, name); }
  Result<Ref<Node>> parent() override { return filesystem_.parent(*inode_); }
  Result<Ref<Node>> create(StringView name, NodeKind kind, uint16_t permissions) override;
  Result<Ref<Node>> symlink(StringView name, StringView target) override;
  Result<> link(StringView name, Node& target) override {
    return filesystem_.link(*inode_, name, *static_cast<Ext2Node&>(target).inode_);
  }
  Result<> unlink(StringView name) override { return filesystem_.unlink(*inode_, name); }
  Result<> remove_directory(StringView name) override {
    return filesystem_.remove_directory(*inode_, name);
  }
  Result<> rename(StringView name, Node& to_directory, StringView to_name) override {
    Inode& to = *static_cast<Ext2Node&>(to_directory).inode_;
    return filesystem_.rename(*inode_, name, to, to_name);
  }
  Result<> list(uint64_t from, DirectoryVisitor& visitor) override {
    return filesystem_.list(*inode_, from, visitor);
  }
  Result<> sync() override { return filesystem_.sync(); }

 private:
  friend class Ext2;
  Ext2& filesystem_;
  InodeRef inode_; ///< comes and goes under the filesystem's lock
};

} // namespace clay::ext2
