#pragma once
// The inodes on the disk, and those of them that are in memory.
//
//   InodeRef inode = CLAY_TRY(table.get(number));     // pinned while the reference lives
//   inode->links -= 1;
//   table.leave(*inode);                              // for the commit

#include <stdint.h>

#include "kernel-src/fs/ext2/inode.h"
#include "kernel-src/fs/ext2/volume.h"

namespace clay::ext2 {

class InodeTable;

/// An inode that stays in memory, or none. Goes while the filesystem's lock is held.
class InodeRef {
 public:
  InodeRef() = default;
  InodeRef(InodeTable& table, Inode& inode);
  InodeRef(InodeRef&& other) noexcept : table_(other.table_), inode_(other.leak()) {}
  InodeRef& operator=(InodeRef&& other) noexcept;
  ~InodeRef();

  explicit operator bool() const { return inode_ != nullptr; }
  Inode* get() const { return inode_; }
  Inode& operator*() const { return *inode_; }
  Inode* operator->() const { return inode_; }

 private:
  Inode* leak() {
    Inode* const inode = inode_;
    inode_ = nullptr;
    return inode;
  }
  InodeTable* table_ = nullptr;
  Inode* inode_ = nullptr;
};

/// Fields that a new inode begins with.
struct NewInode {
  uint16_t mode = 0;
  uint32_t links = 0;
  uint64_t size = 0;
  uint32_t sectors = 0;
  uint32_t pointers[kPointers] = {};
};

/// The block that has an inode, and where in it.
struct InodePlace {
  BlockRef block;
  size_t offset;
};
Result<InodePlace> inode_place(Volume& volume, uint32_t number);

/// The disk gets what is in memory, but for links and what never changes.
Result<> store_inode(Volume& volume, const Inode& inode, unsigned stage);

/// What is on the disk of an inode, checked.
Result<> read_inode(Volume& volume, Bytes bytes, Inode& into);

class InodeTable {
 public:
  using Pending = List<Inode, &Inode::pending>;

  explicit InodeTable(Volume& volume) : volume_(volume) {}
  ~InodeTable();

  /// One that is in use: kCorrupt if not.
  Result<InodeRef> get(uint32_t number);
  /// One that has just been taken: written (kStageNew) before it is in memory.
  Result<InodeRef> create(uint32_t number, const NewInode& fields);
  /// All zeros on the disk: it is nobody's.
  Result<> erase(uint32_t number, unsigned stage);
  /// The disk gets what is in memory, but for links: those that it knows.
  Result<> store(Inode& inode, unsigned stage);
  Result<> store_links(Inode& inode, unsigned stage);

  /// There is something left for the commit.
  void leave(Inode& inode);
  /// There is not, any more.
  void settle(Inode& inode);
  Pending& pending() { return pending_; }
  uint32_t pending_count() const { return pending_count_; }

 private:
  friend class InodeRef;
  void unpin(Inode& inode);
  Volume& volume_;
  HashTable<Inode, &Inode::by_number, &Inode::number> table_;
  Pending pending_;
  uint32_t pending_count_ = 0;
};

} // namespace clay::ext2
