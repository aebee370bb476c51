#include "targets/fs/vfs_probes.h"

#include <algorithm>
#include <string>

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using gen::FsPath;
using gen::VfsAct;
using gen::VfsOperation;
using worlds::FsError;
using worlds::FsKind;
using worlds::VfsHandle;
using worlds::VfsModel;
using worlds::VfsPlace;
using worlds::VfsVerdict;

VfsProbes::VfsProbes(const char* target)
    : mounted_(target, "something is mounted"),
      mounted_in_mount_(target, "something is mounted in a mount"),
      mounted_over_mount_(target, "something is mounted over the root of a mount"),
      mounted_read_only_(target, "something is mounted read-only"),
      unmounted_(target, "something is unmounted"),
      unmounts_root_(target, "the root is to be unmounted"),
      unmounts_no_mount_(target, "what is no mount is to be unmounted"),
      busy_open_(target, "a mount is busy with an open file"),
      busy_mount_(target, "a mount is busy with a mount on it"),
      removes_covered_(target, "a directory is to be removed that something is mounted on"),
      renames_covered_(target, "a directory is to be renamed that something is mounted on"),
      replaces_covered_(target, "a directory is to be replaced that something is mounted on"),
      renames_across_(target, "a rename would lead into another mount"),
      links_across_(target, "a link would lead into another mount"),
      read_only_(target, "something is to change in a read-only mount"),
      up_out_of_mount_(target, "'..' leads out of a mount"),
      up_into_mount_(target, "'..' leads to where something is mounted meanwhile"),
      up_from_root_(target, "'..' at the root"),
      up_from_removed_(target, "'..' of a directory that has been removed"),
      in_removed_(target, "a name in a directory that has been removed"),
      relative_(target, "a path begins at an open directory"),
      relative_to_file_(target, "a path begins at an open file"),
      link_on_way_(target, "a symlink on the way"), link_at_end_(target, "a symlink at the end"),
      link_not_followed_(target, "a symlink itself"),
      link_absolute_(target, "a symlink to an absolute path"),
      link_to_link_(target, "a symlink leads to a symlink"),
      link_out_of_mount_(target, "a symlink leads into another mount"),
      link_dangling_made_(target, "a file is made where a symlink leads to"),
      link_exclusive_(target, "a file is to be made exclusively where a symlink is"),
      too_many_links_(target, "too many symlinks"),
      targets_too_long_(target, "a path gets too long by the targets in it"),
      longest_path_(target, "a path is as long as it may be"),
      path_too_long_(target, "a path is a byte too long"),
      name_too_long_(target, "a name is too long"),
      slash_behind_file_(target, "a slash stands behind a file's name"),
      slash_behind_directory_(target, "a slash stands behind a directory's name"),
      dot_last_(target, "a path ends in a dot"),
      opened_anew_(target, "a file is opened and made, if need be"),
      truncated_(target, "a file is emptied as it is opened"),
      wrong_flags_(target, "flags contradict each other"),
      directory_to_write_(target, "a directory is to be opened for writing"),
      not_for_reading_(target, "a file is read that is not open for that"),
      not_for_writing_(target, "a file is written that is not open for that"),
      appended_(target, "an append finds the end elsewhere than where it stood"),
      streamed_(target, "a file is written where it stands"),
      read_on_(target, "a file is read on from the middle"),
      read_at_end_(target, "a file is read on at its end"),
      listed_on_(target, "a directory is listed in pieces"),
      listed_after_change_(target, "a directory that has changed is listed on"),
      listed_removed_(target, "a directory that has been removed is listed"),
      unlinked_open_(target, "an open file loses its last name"),
      no_memory_(target, "an operation fails for want of memory") {}

void VfsProbes::note(const VfsModel& before, const VfsOperation& operation,
                     std::optional<FsError> failure) const {
  const VfsVerdict verdict = before.judge(operation);
  if (verdict.idle) return;
  const FsOperation& plain = operation.plain;
  if (failure == FsError::kNoMemory) no_memory_.hit();
  if (operation.act == VfsAct::kMount || operation.act == VfsAct::kUnmount) {
    note_mounts(before, operation, verdict, failure);
  }
  if (!gen::fs_of_handle(plain.act)) note_path(before, plain.path, failure);
  if (failure == FsError::kExists && plain.act == FsAct::kCreate &&
      before.way(plain.path).link_at_end) {
    link_exclusive_.hit();
  }
  if (failure) return note_refusal(before, operation, verdict, *failure);
  if (gen::fs_of_handle(plain.act)) return note_handle(before, operation);
  if (operation.act != VfsAct::kPlain) return;
  if (plain.act == FsAct::kOpen) note_open(before, operation, verdict);
  if ((plain.act == FsAct::kStat || plain.act == FsAct::kReadLink) && verdict.place &&
      before.node(*verdict.place).kind == FsKind::kSymlink) {
    link_not_followed_.hit();
  }
  if (plain.act == FsAct::kUnlink) {
    const VfsPlace directory = verdict.stand.directory;
    const auto id = *before.node(directory).find(verdict.stand.name());
    const auto& model = before.filesystems[directory.filesystem].model;
    if (model.is_open(id) && model.node(id).links == 1) unlinked_open_.hit();
  }
}

void VfsProbes::note_mounts(const VfsModel& before, const VfsOperation& operation,
                            const VfsVerdict& verdict, std::optional<FsError> failure) const {
  if (operation.act == VfsAct::kMount && !failure) {
    mounted_.hit();
    if (operation.read_only) mounted_read_only_.hit();
    if (verdict.place->filesystem != 0) mounted_in_mount_.hit();
    if (verdict.place->node == 0) mounted_over_mount_.hit();
  }
  if (operation.act != VfsAct::kUnmount) return;
  if (!failure) return unmounted_.hit();
  if (failure == FsError::kInvalid) return unmounts_no_mount_.hit();
  if (failure != FsError::kBusy) return;
  if (verdict.place->filesystem == 0) return unmounts_root_.hit();
  const uint32_t busy = verdict.place->filesystem;
  for (const auto& handle : before.handles) {
    if (handle && handle->place.filesystem == busy) busy_open_.hit();
  }
  for (const auto& other : before.filesystems) {
    if (other.mounted && other.covered && other.covered->filesystem == busy) busy_mount_.hit();
  }
}

void VfsProbes::note_refusal(const VfsModel& before, const VfsOperation& operation,
                             const VfsVerdict& verdict, FsError error) const {
  const FsOperation& plain = operation.plain;
  switch (error) {
  case FsError::kReadOnly:
    return read_only_.hit();
  case FsError::kUnsupported:
    if (plain.act == FsAct::kRename) renames_across_.hit();
    if (plain.act == FsAct::kLink) links_across_.hit();
    return;
  case FsError::kBusy:
    if (operation.act != VfsAct::kPlain) return;
    if (plain.act == FsAct::kRemoveDirectory) removes_covered_.hit();
    if (plain.act == FsAct::kRename) {
      const auto moved = before.node(verdict.stand.directory).find(verdict.stand.name());
      const bool covered =
          moved && std::any_of(before.filesystems.begin(), before.filesystems.end(),
                               [&](const VfsModel::Filesystem& other) {
                                 const VfsPlace place{verdict.stand.directory.filesystem, *moved};
                                 return other.mounted && other.covered == place;
                               });
      covered ? renames_covered_.hit() : replaces_covered_.hit();
    }
    return;
  case FsError::kInvalid:
    if (operation.act == VfsAct::kPlain && plain.act == FsAct::kOpen) wrong_flags_.hit();
    return;
  case FsError::kIsDirectory:
    if (operation.act == VfsAct::kPlain && plain.act == FsAct::kOpen) directory_to_write_.hit();
    return;
  case FsError::kNotPermitted:
    if (!gen::fs_of_handle(plain.act)) return;
    plain.act == FsAct::kReadHandle ? not_for_reading_.hit() : not_for_writing_.hit();
    return;
  default:
    return;
  }
}

void VfsProbes::note_open(const VfsModel& before, const VfsOperation& operation,
                          const VfsVerdict& verdict) const {
  if ((operation.flags & gen::kVfsCreate) != 0) opened_anew_.hit();
  if (!verdict.makes && (operation.flags & gen::kVfsTruncate) != 0 &&
      before.node(*verdict.place).bytes != 0) {
    truncated_.hit();
  }
  if (verdict.makes && (operation.flags & gen::kVfsExclusive) == 0) {
    const std::string text = gen::fs_path_bytes(operation.plain.path);
    if (!text.ends_with(verdict.stand.last)) link_dangling_made_.hit();
  }
}

void VfsProbes::note_handle(const VfsModel& before, const VfsOperation& operation) const {
  const VfsHandle& handle = *before.handles[operation.plain.handle];
  const uint64_t bytes = before.node(handle.place).bytes;
  switch (operation.act) {
  case VfsAct::kStreamWrite:
    if ((handle.flags & gen::kVfsAppend) != 0 && handle.offset != bytes) appended_.hit();
    if ((handle.flags & gen::kVfsAppend) == 0 && handle.offset != 0) streamed_.hit();
    return;
  case VfsAct::kStreamRead:
    if (handle.offset != 0 && handle.offset < bytes) read_on_.hit();
    if (handle.offset != 0 && handle.offset >= bytes) read_at_end_.hit();
    return;
  case VfsAct::kListOn:
    if (before.node(handle.place).links == 0) listed_removed_.hit();
    if (!handle.listed.empty()) listed_on_.hit();
    if (!handle.listed.empty() &&
        handle.all_the_time.size() != before.node(handle.place).entries.size()) {
      listed_after_change_.hit();
    }
    return;
  default:
    return;
  }
}

void VfsProbes::note_path(const VfsModel& before, const FsPath& path,
                          std::optional<FsError> failure) const {
  const size_t length = gen::fs_path_bytes(path).size();
  if (length == worlds::kVfsPathBytes && failure != FsError::kNameTooLong) longest_path_.hit();
  if (length == worlds::kVfsPathBytes + 1) path_too_long_.hit();
  const worlds::VfsWay way = before.way(path);
  const auto note = [](bool is_so, const sim::Probe& probe) {
    if (is_so) probe.hit();
  };
  note(way.relative, relative_);
  note(way.relative_to_file, relative_to_file_);
  note(way.name_too_long, name_too_long_);
  note(way.in_removed, in_removed_);
  note(way.up_out_of_mount, up_out_of_mount_);
  note(way.up_into_mount, up_into_mount_);
  note(way.up_from_root, up_from_root_);
  note(way.up_from_removed, up_from_removed_);
  note(way.link_on_way, link_on_way_);
  note(way.link_at_end, link_at_end_);
  note(way.link_absolute, link_absolute_);
  note(way.link_to_link, link_to_link_);
  note(way.link_out_of_mount, link_out_of_mount_);
  note(way.too_many_links, too_many_links_);
  note(way.targets_too_long, targets_too_long_);
  note(way.slash_behind_file, slash_behind_file_);
  note(way.slash_behind_directory, slash_behind_directory_);
  note(way.dot_last, dot_last_);
}

} // namespace kiln::fs
