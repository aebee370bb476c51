#pragma once
// A mounted ext2: what its nodes call. One lock; every public function takes it.

#include <stdint.h>

#include "kernel-src/fs/ext2/directory_edit.h"
#include "kernel-src/fs/ext2/inode_table.h"
#include "kernel-src/fs/ext2/removed_names.h"
#include "kernel-src/fs/ext2/volume.h"
#include "kernel-src/sync/mutex.h"

namespace clay::ext2 {

class Ext2Node;

class Ext2 final : public FileSystem {
 public:
  explicit Ext2(Box<Volume> volume);
  ~Ext2() override = default;
  /// Recovers the image if it has to and may; then looks at the root.
  Result<> start();

  const char* type() const override { return "ext2"; }
  Result<Ref<Node>> root() override;
  FileSystemStat stat() override;
  bool read_only() const override;
  Result<> sync() override;
  Result<> unmount() override;

  // --- For nodes

  /// What a new node is to be.
  struct Wanted {
    NodeKind kind;
    uint16_t permissions;
    StringView target; ///< of a symlink
  };

  NodeStat stat(const Inode& inode);
  Result<size_t> read(const Inode& inode, uint64_t offset, MutableBytes into);
  Result<> write(Inode& inode, uint64_t offset, Bytes from);
  Result<> truncate(Inode& inode, uint64_t bytes);
  Result<size_t> read_link(const Inode& inode, MutableBytes into);
  Result<Ref<Node>> lookup(const Inode& directory, StringView name);
  Result<Ref<Node>> parent(const Inode& directory);
  Result<Ref<Node>> create(Inode& directory, StringView name, const Wanted& wanted);
  Result<> link(Inode& directory, StringView name, Inode& target);
  Result<> unlink(Inode& directory, StringView name);
  Result<> remove_directory(Inode& directory, StringView name);
  Result<> rename(Inode& from, StringView name, Inode& to, StringView to_name);
  Result<> list(const Inode& directory, uint64_t from, DirectoryVisitor& visitor);
  /// The node goes.
  void release(Ext2Node& node);

 private:
  struct Moved; ///< what a rename is about: rename.cpp

  // --- filesystem.cpp
  /// Before any change: the volume can be written to, is marked in use, and nothing waits for a
  /// commit that has to come first.
  Result<> begin_change();
  static Result<> check_directory(const Inode& directory);
  static Result<> check_name(StringView name);
  /// An inode that an entry leads to.
  Result<InodeRef> named(uint32_t number);
  Result<Ref<Node>> node_of(InodeRef inode);
  /// The node refers to nothing any more: its inode has not come to be.
  static void detach(Node& node);
  /// One link less.
  void drop_link(Inode& inode);
  /// Nobody needs it any more.
  void bury(Inode& inode);
  uint64_t sector_at(const EntryAt& at) const;
  uint64_t sector_of(const NameSlot& slot) const;
  /// There is room for so much, or a commit makes it.
  Result<> make_room(uint64_t blocks, uint32_t inodes);
  /// Makes sure that the name may be put there, with `more` blocks for what it is to lead to.
  Result<> prepare(Inode& directory, StringView name, const NameSlot& slot, uint32_t more,
                   uint32_t inodes);

  // --- file.cpp
  Result<> begin_growth(Inode& inode, uint64_t size);
  Result<> zero_tail(const Inode& inode);
  Result<> map(Inode& inode, uint64_t first, uint64_t count);
  struct Piece;
  Result<> write_pieces(Inode& inode, uint64_t offset, Bytes from, const Piece* before);
  Result<> copy_in(Inode& inode, uint64_t offset, Bytes from);
  void leave_cut(Inode& inode);

  // --- create.cpp
  Result<> fill_first_block(BlockNumber block, const Wanted& wanted, uint32_t number,
                            uint32_t parent);
  Result<InodeRef> write_new_inode(const Wanted& wanted, uint32_t number, BlockNumber block);
  uint32_t group_for(const Inode& directory, NodeKind kind) const;

  // --- unlink.cpp
  Result<> remove_name(Inode& directory, StringView name, const NamePlace& at, unsigned stage);
  Result<> check_removable(const Inode& inode, const Inode& parent);

  // --- rename.cpp
  Result<> check_move(Moved& moved);
  Result<bool> is_below(const Inode& directory, uint32_t ancestor);
  bool move_in_sector(Moved& moved, Result<>& result);
  Result<> move_with_marks(Moved& moved);
  Result<EntryAt> put_new_name(Moved& moved);
  Result<> take_old_name(Moved& moved);
  void undo_new_name(Moved& moved, const EntryAt& at);
  void count_links(Moved& moved);
  Result<> set_type(const EntryAt& at, uint8_t type, unsigned stage);

  // --- commit.cpp
  Result<> commit();
  bool is_settled();
  Result<> write_growth();
  Result<> write_frees();
  Result<> take_mark_off();
  Result<> shrink(Inode& inode);
  Result<> free_dead(Inode& inode);
  void forget_settled();

  mutable Mutex lock_;
  Box<Volume> volume_;
  InodeTable inodes_;
  DirectoryEditor editor_;
  RemovedNames removed_;
  EntryAt moved_;        ///< the new name of a move whose mark is still there; block 0: none
  bool freeing_ = false; ///< bits were cleared, and that is not durable: nothing may be taken
  bool unmounted_ = false;
};

} // namespace clay::ext2
