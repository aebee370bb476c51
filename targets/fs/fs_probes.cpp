#include "targets/fs/fs_probes.h"

#include <algorithm>

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using worlds::FsError;
using worlds::FsKind;
using worlds::FsModel;
using worlds::FsNode;
using worlds::FsNodeId;

FsProbes::FsProbes(const char* target)
    : exists_(target, "a name is taken"), not_found_(target, "a name is missing"),
      not_directory_(target, "something on the way, or to be removed, is no directory"),
      is_directory_(target, "a directory is where a file should be"),
      not_empty_(target, "a directory with something in it is to go"),
      not_permitted_(target, "a directory is to have a second name"),
      below_itself_(target, "a directory is to lie below itself"),
      too_many_links_(target, "a node has as many links as it can have"),
      overflow_(target, "a file is to be longer than any can be"),
      read_only_(target, "something is to change what is read-only"),
      removed_directory_(target, "something is done in a directory that has been removed"),
      linked_again_(target, "a file is to be linked that has lost its last name"),
      replaces_file_(target, "a rename replaces a file"),
      replaces_directory_(target, "a rename replaces a directory"),
      same_node_(target, "a rename of two names for one node"),
      moves_directory_(target, "a directory moves into another one"),
      unlinks_open_(target, "the last name of an open file goes"),
      unlinks_one_of_two_(target, "one of a file's names goes"),
      writes_unlinked_(target, "a file without a name is written"),
      over_border_(target, "a write crosses a border of blocks"),
      behind_end_(target, "a write leaves a hole behind the end"),
      nothing_(target, "nothing is written"), reads_hole_(target, "a hole is read"),
      reads_over_end_(target, "a read ends at the end of the file"),
      cuts_data_(target, "a file is cut in the middle of what was written"),
      grows_cut_(target, "a file grows by a truncation"),
      long_list_(target, "a directory with more than four entries is listed") {}

void FsProbes::note(const FsModel& before, const FsOperation& operation,
                    std::optional<FsError> failure) const {
  if (before.is_idle(operation)) return;
  if (failure) return note_refusal(before, operation, *failure);
  switch (operation.act) {
  case FsAct::kRename:
    return note_rename(before, operation);
  case FsAct::kUnlink:
    return note_unlink(before, operation);
  default:
    break;
  }
  const auto id = gen::fs_of_handle(operation.act) ? before.opened(operation.handle)
                                                   : before.find(operation.path);
  if (!id) return;
  if (before.node(*id).kind == FsKind::kFile) note_data(before, operation, *id);
  if (operation.act == FsAct::kList && before.node(*id).entries.size() > 4) long_list_.hit();
}

void FsProbes::note_refusal(const FsModel& before, const FsOperation& operation,
                            FsError error) const {
  switch (error) {
  case FsError::kExists:
    return exists_.hit();
  case FsError::kNotFound:
    if (operation.path.at != 0 && before.node(*before.opened(operation.path.at - 1U)).links == 0) {
      removed_directory_.hit();
    }
    if (operation.act == FsAct::kLink && before.find(operation.path) &&
        before.node(*before.find(operation.path)).links == 0) {
      linked_again_.hit();
    }
    return not_found_.hit();
  case FsError::kNotDirectory:
    return not_directory_.hit();
  case FsError::kIsDirectory:
    return is_directory_.hit();
  case FsError::kNotEmpty:
    return not_empty_.hit();
  case FsError::kNotPermitted:
    return not_permitted_.hit();
  case FsError::kTooMany:
    return too_many_links_.hit();
  case FsError::kOverflow:
    return overflow_.hit();
  case FsError::kReadOnly:
    return read_only_.hit();
  case FsError::kInvalid:
    if (operation.act == FsAct::kRename && operation.path.count != 0 && operation.to.count != 0) {
      below_itself_.hit();
    }
    return;
  default:
    return;
  }
}

void FsProbes::note_rename(const FsModel& before, const FsOperation& operation) const {
  const auto moved = before.find(operation.path);
  const auto replaced = before.find(operation.to);
  const bool directory = before.node(*moved).kind == FsKind::kDirectory;
  if (replaced) {
    if (*replaced == *moved) {
      same_node_.hit();
    } else {
      directory ? replaces_directory_.hit() : replaces_file_.hit();
    }
  }
  if (directory && before.find(operation.path.parent()) != before.find(operation.to.parent())) {
    moves_directory_.hit();
  }
}

void FsProbes::note_unlink(const FsModel& before, const FsOperation& operation) const {
  const auto id = *before.find(operation.path);
  if (before.node(id).links > 1) unlinks_one_of_two_.hit();
  if (before.node(id).links == 1 && before.is_open(id)) unlinks_open_.hit();
}

void FsProbes::note_data(const FsModel& before, const FsOperation& operation, FsNodeId id) const {
  const FsNode& file = before.node(id);
  const uint64_t begin = operation.offset;
  const uint64_t end = begin + std::min<uint64_t>(operation.length, UINT64_MAX - begin);
  switch (operation.act) {
  case FsAct::kWrite:
  case FsAct::kWriteHandle:
    if (operation.length == 0) return nothing_.hit();
    if (begin / 1024 != (end - 1) / 1024) over_border_.hit();
    if (begin > file.bytes) behind_end_.hit();
    if (file.links == 0) writes_unlinked_.hit();
    return;
  case FsAct::kRead:
  case FsAct::kReadHandle: {
    if (begin < file.bytes && end > file.bytes) reads_over_end_.hit();
    uint64_t filled = 0;
    for (const worlds::FsExtent& extent : file.extents) {
      const uint64_t from = std::max(extent.begin, begin);
      const uint64_t to = std::min(extent.end, end);
      filled += to > from ? to - from : 0;
    }
    if (filled < before.readable(id, begin, operation.length)) reads_hole_.hit();
    return;
  }
  case FsAct::kTruncate:
  case FsAct::kTruncateHandle:
    if (operation.offset > file.bytes) grows_cut_.hit();
    for (const worlds::FsExtent& extent : file.extents) {
      if (extent.begin < operation.offset && operation.offset < extent.end) cuts_data_.hit();
    }
    return;
  default:
    return;
  }
}

} // namespace kiln::fs
