// Operations on names. Each walks to the directory first, with nothing held; what a name may not do
// because something is mounted there is judged with the mount table locked, so that it stays true
// while the filesystem does the operation.

#include "kernel-src/fs/vfs.h"
#include "kernel-src/fs/walk.h"

namespace clay {
namespace {

/// Whether a name can be made where the walk ended. `directory`: for a directory, which may have a
/// slash behind its name.
Result<> check_new_name(const Walk& walk, bool directory) {
  if (!walk.last_is_name()) {
    return Error::kExists;
  }
  if (!directory && walk.slash_behind()) {
    return Error::kNotDirectory;
  }
  return walk.directory().mount().read_only() ? Error::kReadOnly : Result<>();
}

/// Whether a name can be removed, or given anew, where the walk ended.
Result<> check_old_name(const Walk& walk) {
  if (!walk.last_is_name()) {
    return Error::kInvalid;
  }
  return walk.directory().mount().read_only() ? Error::kReadOnly : Result<>();
}

/// Whether that node may lose its name, or be replaced.
Result<> check_moves(const Node& node, bool slash_behind) {
  if (slash_behind && node.kind() != NodeKind::kDirectory) {
    return Error::kNotDirectory;
  }
  return MountTable::is_covered(node) ? Error::kBusy : Result<>();
}

} // namespace

// --- New names

Result<> Vfs::do_make_directory(const PathFrom& path, uint16_t permissions) {
  Walk walk(mounts_);
  CLAY_TRY(walk_to_last(walk, path));
  CLAY_TRY(check_new_name(walk, true));
  CLAY_TRY(walk.directory().node().create(walk.last(), NodeKind::kDirectory, permissions));
  return {};
}

Result<> Vfs::do_symlink(const PathFrom& path, StringView target) {
  Walk walk(mounts_);
  CLAY_TRY(walk_to_last(walk, path));
  CLAY_TRY(check_new_name(walk, false));
  CLAY_TRY(walk.directory().node().symlink(walk.last(), target));
  return {};
}

Result<> Vfs::do_link(const PathFrom& path, const PathFrom& name) {
  const Place target = CLAY_TRY(find(path, false));
  Walk walk(mounts_);
  CLAY_TRY(walk_to_last(walk, name));
  CLAY_TRY(check_new_name(walk, false));
  if (!target.same_mount(walk.directory())) {
    return Error::kUnsupported;
  }
  return walk.directory().node().link(walk.last(), target.node());
}

// --- Names that go

Result<> Vfs::remove_name(const PathFrom& path, Result<> (Node::*remove)(StringView)) {
  Walk walk(mounts_);
  CLAY_TRY(walk_to_last(walk, path));
  CLAY_TRY(check_old_name(walk));
  Node& directory = walk.directory().node();
  ReadGuard guard(mounts_.lock());
  {
    const Ref<Node> node = CLAY_TRY(directory.lookup(walk.last()));
    CLAY_TRY(check_moves(*node, walk.slash_behind()));
  }
  return (directory.*remove)(walk.last());
}

Result<> Vfs::do_unlink(const PathFrom& path) { return remove_name(path, &Node::unlink); }

Result<> Vfs::do_remove_directory(const PathFrom& path) {
  return remove_name(path, &Node::remove_directory);
}

Result<> Vfs::do_rename(const PathFrom& path, const PathFrom& to) {
  Walk from_walk(mounts_);
  Walk to_walk(mounts_);
  CLAY_TRY(walk_to_last(from_walk, path));
  CLAY_TRY(walk_to_last(to_walk, to));
  CLAY_TRY(check_old_name(from_walk));
  CLAY_TRY(check_old_name(to_walk));
  if (!from_walk.directory().same_mount(to_walk.directory())) {
    return Error::kUnsupported;
  }
  Node& directory = from_walk.directory().node();
  Node& to_directory = to_walk.directory().node();
  ReadGuard guard(mounts_.lock());
  {
    const Ref<Node> node = CLAY_TRY(directory.lookup(from_walk.last()));
    CLAY_TRY(check_moves(*node, from_walk.slash_behind() || to_walk.slash_behind()));
    const Result<Ref<Node>> replaced = to_directory.lookup(to_walk.last());
    if (replaced.ok()) {
      CLAY_TRY(check_moves(*replaced.value(), to_walk.slash_behind()));
    } else if (!replaced.failed_with(Error::kNotFound)) {
      return replaced.error();
    }
  }
  return directory.rename(from_walk.last(), to_directory, to_walk.last());
}

} // namespace clay
