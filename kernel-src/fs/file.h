#pragma once
// Open files and directories.
//
//   Ref<File> file = CLAY_TRY(vfs.open("/log", kOpenWrite | kOpenCreate | kOpenAppend));
//   CLAY_TRY(file->write(line));
//
// Task context, nothing held that forbids waiting, for every function, and for letting go of the
// last reference.
//
// Locks. `file-offset`, one an open file, guards where it stands; `file-write`, one a node, is held
// over everything that changes the node's size through the VFS. Both are taken in this order,
// before any lock of the filesystem.

#include <stdint.h>

#include "kernel-src/fs/mount.h"
#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/sync/locked.h"

namespace clay {

enum OpenFlags : uint32_t {
  kOpenRead = 1,
  kOpenWrite = 2,
  kOpenCreate = 4,     ///< a file, when there is nothing of that name
  kOpenExclusive = 8,  ///< with kOpenCreate: kExists when there is; a symlink is not followed
  kOpenTruncate = 16,  ///< to nothing; with kOpenWrite
  kOpenAppend = 32,    ///< every write is at the end; with kOpenWrite
  kOpenDirectory = 64, ///< kNotDirectory for anything else
};

class File : public RefCounted<File> {
 public:
  /// The VFS makes them, and says then what they are of.
  explicit File(uint32_t flags);

  const Place& place() const { return place_; }
  Node& node() const { return place_.node(); }
  NodeStat stat() const { return node().stat(); }

  // --- Files. kNotPermitted when it is not open for that; else as Node says. One after the other
  // where several tasks use one open file.

  /// From where it stands, which moves on.
  CLAY_INLINE Result<size_t> read(MutableBytes into) {
    hal_may_wait("file read");
    return read_on(into);
  }
  /// Likewise; with kOpenAppend at the end. All of it or nothing.
  CLAY_INLINE Result<> write(Bytes from) {
    hal_may_wait("file write");
    return write_on(from);
  }
  /// Where it stands is not moved; kOpenAppend does not matter.
  CLAY_INLINE Result<size_t> read_at(uint64_t offset, MutableBytes into) {
    hal_may_wait("file read");
    return read_from(offset, into);
  }
  CLAY_INLINE Result<> write_at(uint64_t offset, Bytes from) {
    hal_may_wait("file write");
    return write_to(offset, from);
  }
  CLAY_INLINE Result<> truncate(uint64_t bytes) {
    hal_may_wait("file truncate");
    return resize(bytes);
  }
  /// Where it stands: of a directory, behind how many entries, in the filesystem's own counting.
  CLAY_INLINE void seek(uint64_t offset) {
    hal_may_wait("file seek");
    offset_.with([offset](uint64_t& at) { at = offset; });
  }
  CLAY_INLINE uint64_t offset() {
    hal_may_wait("file offset");
    return offset_.with([](const uint64_t& at) { return at; });
  }

  // --- Directories. kNotDirectory for others.

  /// Entries from where it stands, which moves on behind the last one that the visitor heard of.
  CLAY_INLINE Result<> list(DirectoryVisitor& visitor) {
    hal_may_wait("directory list");
    return list_on(visitor);
  }

  /// See node.h, "Durability".
  CLAY_INLINE Result<> sync() {
    hal_may_wait("file sync");
    return node().sync();
  }

  /// Cuts or lengthens a node as truncate() does, for the VFS. kReadOnly when its mount is.
  static Result<> resize_node(const Place& place, uint64_t bytes);

 private:
  Result<size_t> read_on(MutableBytes into);
  Result<> write_on(Bytes from);
  Result<size_t> read_from(uint64_t offset, MutableBytes into);
  Result<> write_to(uint64_t offset, Bytes from);
  Result<> resize(uint64_t bytes);
  Result<> list_on(DirectoryVisitor& visitor);
  Result<> may_write() const;

  friend class Vfs;
  Place place_;
  const uint32_t flags_;
  MutexLocked<uint64_t> offset_;
};

} // namespace clay
