#pragma once
// The tree of all mounted filesystems, by path.
//
//   Box<Vfs> vfs = CLAY_TRY(Vfs::create(root_filesystem));
//   CLAY_TRY(vfs->mount("/data", ext2, {.read_only = true}));
//   Ref<File> file = CLAY_TRY(vfs->open("/data/a", kOpenRead));
//   CLAY_TRY(vfs->rename("/tmp/new", "/tmp/old"));
//
// Paths: see walk.h, also for the errors that any path can have. Operations on a name (all but
// open, stat, read_link, truncate, sync, mount and unmount) do not follow a symlink that has that
// name. Where a file's name is made, unlinked or given anew, no slash may stand behind it
// (kNotDirectory). Where a name is made, a path that ends in ".", ".." or is "/" gives kExists;
// where one is removed or renamed, kInvalid.
//
// kReadOnly when the mount, or the filesystem, is read-only; kBusy when a directory is removed or
// renamed that something is mounted on; kUnsupported when a rename or a link would lead into
// another mount. Everything else as node.h says.
//
// Task context, nothing held that forbids waiting, for every function. Any number of tasks at once.

#include <stdint.h>

#include "kernel-src/fs/file.h"
#include "kernel-src/fs/mount.h"
#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/inline.h"

namespace clay {

class Walk;

/// A path, and the open directory where it begins if it does not begin with a slash; without one,
/// the root.
struct PathFrom {
  PathFrom(const char* path) : path(path) {}
  PathFrom(StringView path, const File* from = nullptr) : path(path), from(from) {}
  StringView path;
  const File* from = nullptr;
};

class Vfs {
 public:
  /// Takes the root filesystem over, unless it fails.
  static Result<Box<Vfs>> create(Box<FileSystem>& root, const MountOptions& options = {});
  /// After end().
  ~Vfs() = default;
  Vfs(const Vfs&) = delete;
  Vfs& operator=(const Vfs&) = delete;

  /// Takes `filesystem` over and puts it over a directory, unless it fails.
  CLAY_INLINE Result<> mount(const PathFrom& path, Box<FileSystem>& filesystem,
                             const MountOptions& options = {}) {
    hal_may_wait("mount");
    return do_mount(path, filesystem, options);
  }
  /// Takes away what is mounted there. kInvalid when nothing is, kBusy when it is in use: by an
  /// open file, a mount over one of its directories, somebody on his way. What the filesystem says
  /// of its unmounting is returned; it is gone then.
  CLAY_INLINE Result<> unmount(const PathFrom& path) {
    hal_may_wait("unmount");
    return do_unmount(path);
  }
  /// Unmounts the root, as the last one; kBusy as above. Nobody does anything else any more.
  CLAY_INLINE Result<> end() {
    hal_may_wait("unmount");
    return mounts_.end();
  }

  /// `flags`: of OpenFlags, kOpenRead or kOpenWrite among them; kInvalid when they contradict each
  /// other. kIsDirectory when a directory is to be written.
  CLAY_INLINE Result<Ref<File>> open(const PathFrom& path, uint32_t flags,
                                     uint16_t permissions = 0644) {
    hal_may_wait("open");
    return do_open(path, flags, permissions);
  }
  CLAY_INLINE Result<NodeStat> stat(const PathFrom& path, bool follow = true) {
    hal_may_wait("stat");
    return do_stat(path, follow);
  }
  /// As Node's.
  CLAY_INLINE Result<size_t> read_link(const PathFrom& path, MutableBytes into) {
    hal_may_wait("read_link");
    return do_read_link(path, into);
  }
  CLAY_INLINE Result<> truncate(const PathFrom& path, uint64_t bytes) {
    hal_may_wait("truncate");
    return do_truncate(path, bytes);
  }
  /// Of the filesystem that the path leads into.
  CLAY_INLINE Result<FileSystemStat> stat_filesystem(const PathFrom& path) {
    hal_may_wait("stat_filesystem");
    return do_stat_filesystem(path);
  }
  /// All mounts; the first error of any.
  CLAY_INLINE Result<> sync() {
    hal_may_wait("sync");
    return mounts_.sync();
  }

  // --- Names

  CLAY_INLINE Result<> make_directory(const PathFrom& path, uint16_t permissions = 0755) {
    hal_may_wait("make_directory");
    return do_make_directory(path, permissions);
  }
  CLAY_INLINE Result<> symlink(const PathFrom& path, StringView target) {
    hal_may_wait("symlink");
    return do_symlink(path, target);
  }
  /// A second name for what `path` leads to; of a symlink, for itself.
  CLAY_INLINE Result<> link(const PathFrom& path, const PathFrom& name) {
    hal_may_wait("link");
    return do_link(path, name);
  }
  CLAY_INLINE Result<> unlink(const PathFrom& path) {
    hal_may_wait("unlink");
    return do_unlink(path);
  }
  CLAY_INLINE Result<> remove_directory(const PathFrom& path) {
    hal_may_wait("remove_directory");
    return do_remove_directory(path);
  }
  CLAY_INLINE Result<> rename(const PathFrom& path, const PathFrom& to) {
    hal_may_wait("rename");
    return do_rename(path, to);
  }

 private:
  template <typename T, typename... Args> friend T* heap_new(HalAlloc how, Args&&... args);
  Vfs() = default;

  Result<> do_mount(const PathFrom& path, Box<FileSystem>& filesystem, const MountOptions& options);
  Result<> do_unmount(const PathFrom& path);
  Result<Ref<File>> do_open(const PathFrom& path, uint32_t flags, uint16_t permissions);
  Result<NodeStat> do_stat(const PathFrom& path, bool follow);
  Result<size_t> do_read_link(const PathFrom& path, MutableBytes into);
  Result<> do_truncate(const PathFrom& path, uint64_t bytes);
  Result<FileSystemStat> do_stat_filesystem(const PathFrom& path);
  Result<> do_make_directory(const PathFrom& path, uint16_t permissions);
  Result<> do_symlink(const PathFrom& path, StringView target);
  Result<> do_link(const PathFrom& path, const PathFrom& name);
  Result<> do_unlink(const PathFrom& path);
  Result<> do_remove_directory(const PathFrom& path);
  Result<> do_rename(const PathFrom& path, const PathFrom& to);

  Result<> walk_to_last(Walk& walk, const PathFrom& path);
  Result<Place> find(const PathFrom& path, bool follow);
  Result<> remove_name(const PathFrom& path, Result<> (Node::*remove)(StringView));
  Result<Place> find_or_create(Walk& walk, uint32_t flags, uint16_t permissions);
  static Result<Place> create_last(const Walk& walk, uint16_t permissions);

  MountTable mounts_;
};

} // namespace clay
