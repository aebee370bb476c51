#pragma once
// Does operations through a VFS, by path. Absolute paths can be put below a directory, so that
// several programs have a tree of their own each.

#include <array>
#include <string>
#include <vector>

#include "generators/fs_vfs.h"
#include "kernel-src/fs/vfs.h"
#include "targets/fs/node_driver.h"

namespace kiln::fs {

class VfsDriver {
 public:
  /// `below`: "" or "/a".
  explicit VfsDriver(clay::Vfs& vfs, std::string below = "")
      : vfs_(vfs), below_(std::move(below)) {}

  /// Every path is handed over in a block that ends where it ends. Not while an allocation is to
  /// fail.
  bool exact_paths = false;

  /// Whether it speaks of a handle that is not open: there is nothing to do.
  bool is_idle(const gen::VfsOperation& operation) const;
  /// Does an operation that is not idle. `filesystem`: what kMount mounts, which is taken if it
  /// succeeds.
  Answer perform(const gen::VfsOperation& operation, clay::Box<clay::FileSystem>& filesystem);
  void close_all() { handles_ = {}; }
  clay::File* opened(unsigned handle) const { return handles_[handle].get(); }

 private:
  template <typename Use> void with_path(const gen::FsPath& path, Use use);
  void on_path(const gen::VfsOperation& operation, const clay::PathFrom& path,
               clay::Box<clay::FileSystem>& filesystem, Answer& answer);
  void on_two_paths(const gen::FsOperation& operation, Answer& answer);
  void on_handle(const gen::VfsOperation& operation, clay::Ref<clay::File>& file, Answer& answer);
  void on_opened(const gen::FsOperation& operation, const clay::PathFrom& path, Answer& answer);
  void write(const gen::FsOperation& operation, clay::File& file, bool stream, Answer& answer);
  void read(const gen::FsOperation& operation, clay::File& file, bool stream, Answer& answer);

  clay::Vfs& vfs_;
  const std::string below_;
  std::array<clay::Ref<clay::File>, gen::kFsHandles> handles_;
  std::vector<uint8_t> buffer_;
};

/// Entries of an open directory from where it stands, `most` at most.
clay::Result<> list_some(clay::File& directory, unsigned most, std::vector<Listed>& entries);

/// Unmounts everything but the root, by looking for what is mounted where.
void unmount_all(clay::Vfs& vfs);

} // namespace kiln::fs
