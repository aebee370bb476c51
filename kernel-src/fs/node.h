#pragma once
// What a filesystem is to the VFS: a tree of nodes. The VFS (vfs.h) walks paths, knows mounts and
// open files, and calls these; it never looks inside.
//
// Locking. A filesystem serialises itself: any of its functions may be called by several tasks at
// once, on the same node too, and each is atomic to the others. All of them wait: task context,
// nothing held that forbids it.
//
// Identity. While a node is referred to, every way that leads to it gives the same object.
//
// Names. One component: 1 to 255 bytes, no '/' and no NUL, not "." and not ".."; the VFS has
// checked that. Longer than the filesystem allows: kNameTooLong.
//
// Durability. What an operation changed is durable after a later sync() of the filesystem, or for
// one node (its data, size, links, and the names that lead to it from the root at that time) after
// sync() of the node, has returned success; not before. Without a sync, after a loss of power each
// operation has happened or has not; of data that was written without a sync any part may be there,
// and what is not there is what was there before, or zeros.
//
// Errors. kIo, kTimedOut, kNoDevice from the device; kCorrupt when what is on the disk contradicts
// itself; kReadOnly when the filesystem is or has become read-only; kNoSpace, kNoMemory. An
// operation that failed has changed nothing that anybody can see.

#include <atomic>
#include <stdint.h>

#include "kernel-src/hal/memory.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"
#include "kernel-src/sync/lock_class.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/task/ref.h"

namespace clay {

enum class NodeKind : uint8_t { kFile, kDirectory, kSymlink, kOther };

struct NodeStat {
  uint64_t number = 0; ///< inode number: the same node, the same number, while it lives
  NodeKind kind = NodeKind::kFile;
  uint16_t permissions = 0; ///< the low 12 bits of a mode
  uint32_t links = 0;
  uint64_t bytes = 0;
  uint64_t allocated = 0; ///< bytes of the disk that it takes up
};

struct FileSystemStat {
  uint32_t block_bytes = 0;
  uint64_t blocks = 0; ///< that files can have
  uint64_t free_blocks = 0;
  uint64_t nodes = 0;
  uint64_t free_nodes = 0;
};

/// Hears of the entries of a directory, "." and ".." left out.
class DirectoryVisitor {
 public:
  struct Entry {
    StringView name; ///< for the time of the call
    uint64_t number;
    NodeKind kind; ///< kOther also when the filesystem would have to look
    uint64_t next; ///< where to go on behind this one
  };
  /// False: enough. May not call the filesystem.
  virtual bool entry(const Entry& entry) = 0;

 protected:
  ~DirectoryVisitor() = default;
};

class FileSystem;

inline constinit LockClass file_write_class{"file-write"};

/// A file, directory or symlink. The last reference may be dropped in any task context where
/// nothing is held that forbids waiting; a node without links goes then, with what it had on disk.
class Node : public RefCounted<Node> {
 public:
  virtual ~Node() = default;

  FileSystem& filesystem() const { return filesystem_; }
  NodeKind kind() const { return kind_; }
  virtual NodeStat stat() = 0;

  // --- Files. kIsDirectory for directories, kInvalid for others.

  /// Bytes read: 0 at and behind the end.
  virtual Result<size_t> read(uint64_t offset, MutableBytes into) = 0;
  /// All of `from`, or an error and the size is as before. A hole behind the old end reads as
  /// zeros. kOverflow (nothing written) when the filesystem has no files of that size. Writing
  /// nothing changes nothing, wherever.
  virtual Result<> write(uint64_t offset, Bytes from) = 0;
  virtual Result<> truncate(uint64_t bytes) = 0;

  // --- Symlinks. kInvalid for others.

  /// The target's length; `into` holds as much of it as fits.
  virtual Result<size_t> read_link(MutableBytes into) = 0;

  // --- Directories. kNotDirectory for others. One that has been removed has no entries and gets
  // none: kNotFound, also for its parent.

  virtual Result<Ref<Node>> lookup(StringView name) = 0;
  /// A file or a directory. kExists when the name is taken.
  virtual Result<Ref<Node>> create(StringView name, NodeKind kind, uint16_t permissions) = 0;
  /// kInvalid when `target` is empty, kNameTooLong when the filesystem keeps none that long.
  virtual Result<Ref<Node>> symlink(StringView name, StringView target) = 0;
  /// The directory that this one lies in; of the root, the root.
  virtual Result<Ref<Node>> parent() = 0;
  /// `target`: of this filesystem; kNotPermitted when it is a directory, kNotFound when it has no
  /// links any more, kTooMany when it has as many as it can have.
  virtual Result<> link(StringView name, Node& target) = 0;
  /// kIsDirectory for directories.
  virtual Result<> unlink(StringView name) = 0;
  /// kNotDirectory for others, kNotEmpty.
  virtual Result<> remove_directory(StringView name) = 0;
  /// `to_directory`: of this filesystem. Replaces what has the new name: a directory by a directory
  /// only, if it is empty (kNotEmpty), other things by other things only (kIsDirectory,
  /// kNotDirectory). Both names for the same node: nothing happens. kInvalid when a directory would
  /// come to lie below itself.
  virtual Result<> rename(StringView name, Node& to_directory, StringView to_name) = 0;
  /// Entries from `from` on (0: the first). Those that come or go meanwhile are seen or not; every
  /// other one once. Success without any for a directory that has been removed.
  virtual Result<> list(uint64_t from, DirectoryVisitor& visitor) = 0;

  /// See "Durability".
  virtual Result<> sync() = 0;

 protected:
  Node(FileSystem& filesystem, NodeKind kind)
      : filesystem_(filesystem), kind_(kind), write_lock_(file_write_class) {}
  /// For the destructors that a virtual one brings along; heap_delete() does not call it.
  static void operator delete(void* block) { hal_free(block); }

 private:
  friend class MountTable;
  friend class File;

  FileSystem& filesystem_;
  const NodeKind kind_;
  /// Whether a mount lies over this directory. Written with the mount table's lock held.
  std::atomic<bool> covered_{false};
  /// Held over what changes a file's size through the VFS, so that an append finds the end.
  Mutex write_lock_;
};

class FileSystem {
 public:
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  /// After unmount(), or when nothing was ever mounted.
  virtual ~FileSystem() = default;

  virtual const char* type() const = 0; ///< "ext2": static
  virtual Result<Ref<Node>> root() = 0;
  virtual FileSystemStat stat() = 0;
  virtual bool read_only() const = 0;
  virtual Result<> sync() = 0;
  /// No node is referred to any more. Makes all durable and lets go of the device; after an error
  /// too.
  virtual Result<> unmount() = 0;

 protected:
  FileSystem() = default;
  /// As Node's.
  static void operator delete(void* block) { hal_free(block); }
};

} // namespace clay
