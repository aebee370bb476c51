#include "worlds/fs/vfs_model.h"

#include <algorithm>

namespace kiln::worlds {

using gen::FsAct;
using gen::FsOperation;
using gen::FsPath;
using gen::VfsAct;
using gen::VfsOperation;

VfsModel::VfsModel(const FsLimits& limits, bool part) : limits_(limits), part_(part) {
  filesystems.push_back({FsModel(limits), true, false, {}});
}

bool VfsModel::is_busy(uint32_t filesystem) const {
  for (const auto& handle : handles) {
    if (handle && handle->place.filesystem == filesystem) return true;
  }
  return std::any_of(filesystems.begin(), filesystems.end(), [&](const Filesystem& other) {
    return other.mounted && other.covered && other.covered->filesystem == filesystem;
  });
}

// --- Judging

FsErrors VfsModel::read_only_errors(const VfsPlace& place) const {
  const Filesystem& at = filesystems[place.filesystem];
  return at.read_only || at.model.read_only ? FsErrors(FsError::kReadOnly) : FsErrors();
}

/// Of a name that is to go or to be replaced; `slash`: it has to be a directory.
FsErrors VfsModel::old_name_errors(const VfsStand& stand, bool slash) const {
  const auto found = node(stand.directory).find(stand.name());
  if (!found) return {};
  const VfsPlace place{stand.directory.filesystem, *found};
  FsErrors errors;
  if (slash && node(place).kind != FsKind::kDirectory) errors |= FsError::kNotDirectory;
  if (is_covered(place)) errors |= FsError::kBusy;
  return errors;
}

void VfsModel::judge_open(const FsPath& path, uint8_t flags, VfsVerdict& verdict) const {
  const auto has = [flags](uint8_t flag) { return (flags & flag) != 0; };
  const bool writes = has(gen::kVfsWrite);
  if ((!has(gen::kVfsRead) && !writes) || ((has(gen::kVfsTruncate | gen::kVfsAppend)) && !writes) ||
      (has(gen::kVfsExclusive) && !has(gen::kVfsCreate)) ||
      (has(gen::kVfsDirectory) && has(gen::kVfsCreate))) {
    verdict.errors |= FsError::kInvalid;
    return;
  }
  Walk walk;
  auto stand = begin(path, walk, &verdict.errors);
  if (!stand) return;
  if (has(gen::kVfsExclusive)) {
    if (!stand->is_name() || node(stand->directory).find(stand->name())) {
      verdict.errors |= FsError::kExists;
      return;
    }
  } else {
    FsErrors missing;
    verdict.place = arrive(walk, *stand, true, &missing);
    // The last component alone is missing: walk.rest holds at most slashes then.
    const bool can_make = has(gen::kVfsCreate) && missing == FsErrors(FsError::kNotFound) &&
                          stand->is_name() && !node(stand->directory).find(stand->name()) &&
                          walk.rest.find_first_not_of('/') == std::string::npos;
    if (!verdict.place && !can_make) {
      verdict.errors |= missing;
      return;
    }
  }
  if (!verdict.place) {
    verdict.makes = true;
    verdict.stand = *stand;
    if (stand->slash) verdict.errors |= FsError::kNotDirectory;
    verdict.errors |= read_only_errors(stand->directory);
    verdict.errors |=
        model_of(stand->directory).make_errors(stand->directory.node, stand->name(), FsKind::kFile);
    return;
  }
  const FsNode& found = node(*verdict.place);
  if (found.kind == FsKind::kDirectory) {
    if (writes) verdict.errors |= FsError::kIsDirectory;
    return;
  }
  if (has(gen::kVfsDirectory)) verdict.errors |= FsError::kNotDirectory;
  if (writes) verdict.errors |= read_only_errors(*verdict.place);
}

void VfsModel::judge_new(const FsOperation& operation, VfsVerdict& verdict) const {
  Walk walk;
  const auto stand = begin(operation.path, walk, &verdict.errors);
  if (!stand) return;
  verdict.stand = *stand;
  if (!stand->is_name()) {
    verdict.errors |= FsError::kExists;
    return;
  }
  const bool directory = operation.act == FsAct::kMakeDirectory;
  if (stand->slash && !directory) verdict.errors |= FsError::kNotDirectory;
  verdict.errors |= read_only_errors(stand->directory);
  const FsModel& model = model_of(stand->directory);
  verdict.errors |= model.make_errors(stand->directory.node, stand->name(),
                                      directory ? FsKind::kDirectory : FsKind::kSymlink);
  if (!directory) verdict.errors |= model.target_errors(operation.to);
}

void VfsModel::judge_gone(const FsOperation& operation, VfsVerdict& verdict) const {
  Walk walk;
  const auto stand = begin(operation.path, walk, &verdict.errors);
  if (!stand) return;
  verdict.stand = *stand;
  if (!stand->is_name()) {
    verdict.errors |= FsError::kInvalid;
    return;
  }
  verdict.errors |= read_only_errors(stand->directory) | old_name_errors(*stand, stand->slash);
  const FsModel& model = model_of(stand->directory);
  verdict.errors |= operation.act == FsAct::kUnlink
                        ? model.unlink_errors(stand->directory.node, stand->name())
                        : model.remove_errors(stand->directory.node, stand->name());
}

void VfsModel::judge_rename(const FsOperation& operation, VfsVerdict& verdict) const {
  Walk walk;
  Walk to_walk;
  const auto stand = begin(operation.path, walk, &verdict.errors);
  const auto to = begin(operation.to, to_walk, &verdict.errors);
  if (!stand || !to) return;
  verdict.stand = *stand;
  verdict.to = *to;
  verdict.errors |= read_only_errors(stand->directory) | read_only_errors(to->directory);
  if (!stand->is_name() || !to->is_name()) {
    verdict.errors |= FsError::kInvalid;
    return;
  }
  if (stand->directory.filesystem != to->directory.filesystem) {
    verdict.errors |= FsError::kUnsupported;
    return;
  }
  verdict.errors |= old_name_errors(*stand, stand->slash || to->slash);
  verdict.errors |= old_name_errors(*to, to->slash);
  verdict.errors |=
      model_of(stand->directory)
          .rename_errors(stand->directory.node, stand->name(), to->directory.node, to->name());
}

void VfsModel::judge_link(const FsOperation& operation, VfsVerdict& verdict) const {
  verdict.place = find(operation.path, false, &verdict.errors);
  Walk walk;
  const auto to = begin(operation.to, walk, &verdict.errors);
  if (!verdict.place || !to) return;
  verdict.to = *to;
  if (!to->is_name()) {
    verdict.errors |= FsError::kExists;
    return;
  }
  if (to->slash) verdict.errors |= FsError::kNotDirectory;
  verdict.errors |= read_only_errors(to->directory);
  if (verdict.place->filesystem != to->directory.filesystem) {
    verdict.errors |= FsError::kUnsupported;
    return;
  }
  verdict.errors |=
      model_of(to->directory).link_errors(verdict.place->node, to->directory.node, to->name());
}

void VfsModel::judge_unmount(const FsPath& path, VfsVerdict& verdict) const {
  verdict.place = find(path, true, &verdict.errors);
  if (!verdict.place) return;
  if (verdict.place->node != 0 || (part_ && verdict.place->filesystem == 0)) {
    verdict.errors |= FsError::kInvalid;
  } else if (verdict.place->filesystem == 0 || is_busy(verdict.place->filesystem)) {
    verdict.errors |= FsError::kBusy;
  }
}

uint64_t VfsModel::begin_of_stream(const VfsHandle& handle) const {
  return (handle.flags & gen::kVfsAppend) != 0 ? node(handle.place).bytes : handle.offset;
}

void VfsModel::judge_handle(const VfsOperation& operation, VfsVerdict& verdict) const {
  const VfsHandle& handle = *handles[operation.plain.handle];
  verdict.place = handle.place;
  const FsNode& opened = node(handle.place);
  const auto write = [&](uint64_t place, uint64_t length) {
    if ((handle.flags & gen::kVfsWrite) == 0) return FsErrors(FsError::kNotPermitted);
    return read_only_errors(handle.place) |
           model_of(handle.place).write_errors(handle.place.node, place, length);
  };
  const auto read = [&] {
    FsErrors errors;
    if ((handle.flags & gen::kVfsRead) == 0) errors |= FsError::kNotPermitted;
    if (opened.kind == FsKind::kDirectory) errors |= FsError::kIsDirectory;
    return errors;
  };
  switch (operation.act) {
  case VfsAct::kStreamWrite:
    verdict.errors |= write(begin_of_stream(handle), operation.plain.length);
    return;
  case VfsAct::kStreamRead:
    verdict.errors |= read();
    return;
  case VfsAct::kListOn:
    if (opened.kind != FsKind::kDirectory) verdict.errors |= FsError::kNotDirectory;
    return;
  case VfsAct::kSeek:
    return;
  default:
    break;
  }
  switch (operation.plain.act) {
  case FsAct::kWriteHandle:
    verdict.errors |= write(operation.plain.offset, operation.plain.length);
    return;
  case FsAct::kTruncateHandle:
    verdict.errors |= write(0, 0);
    if ((handle.flags & gen::kVfsWrite) != 0) {
      verdict.errors |=
          model_of(handle.place).truncate_errors(handle.place.node, operation.plain.offset);
    }
    return;
  case FsAct::kReadHandle:
    verdict.errors |= read();
    return;
  default:
    return;
  }
}

/// By path, other than on names.
void VfsModel::judge_plain(const VfsOperation& operation, VfsVerdict& verdict) const {
  const FsOperation& plain = operation.plain;
  switch (plain.act) {
  case FsAct::kCreate:
    return judge_open(plain.path, gen::kVfsWrite | gen::kVfsCreate | gen::kVfsExclusive, verdict);
  case FsAct::kOpen:
    return judge_open(plain.path, operation.flags, verdict);
  case FsAct::kWrite:
    judge_open(plain.path, gen::kVfsWrite, verdict);
    if (verdict.errors.empty()) {
      verdict.errors |=
          model_of(*verdict.place).write_errors(verdict.place->node, plain.offset, plain.length);
    }
    return;
  case FsAct::kRead:
    judge_open(plain.path, gen::kVfsRead, verdict);
    if (verdict.errors.empty() && node(*verdict.place).kind == FsKind::kDirectory) {
      verdict.errors |= FsError::kIsDirectory;
    }
    return;
  case FsAct::kSyncNode:
    return judge_open(plain.path, gen::kVfsRead, verdict);
  case FsAct::kList:
    return judge_open(plain.path, gen::kVfsRead | gen::kVfsDirectory, verdict);
  case FsAct::kTruncate:
    verdict.place = find(plain.path, true, &verdict.errors);
    if (verdict.place) {
      verdict.errors |= read_only_errors(*verdict.place) |
                        model_of(*verdict.place).truncate_errors(verdict.place->node, plain.offset);
    }
    return;
  case FsAct::kReadLink:
    verdict.place = find(plain.path, false, &verdict.errors);
    if (verdict.place && node(*verdict.place).kind != FsKind::kSymlink) {
      verdict.errors |= FsError::kInvalid;
    }
    return;
  case FsAct::kStat:
    verdict.place = find(plain.path, false, &verdict.errors);
    return;
  default:
    return;
  }
}

VfsVerdict VfsModel::judge(const VfsOperation& operation) const {
  VfsVerdict verdict;
  const FsOperation& plain = operation.plain;
  const auto closed = [this](const FsPath& path) { return path.at != 0 && !handles[path.at - 1U]; };
  const bool of_handle = gen::fs_of_handle(plain.act);
  verdict.idle = of_handle ? !handles[plain.handle] : closed(plain.path) || closed(plain.to);
  if (verdict.idle) return verdict;
  switch (operation.act) {
  case VfsAct::kMount:
    verdict.place = find(plain.path, true, &verdict.errors);
    if (!verdict.place) return verdict;
    verdict.place = cross(*verdict.place); // a path may end in a dot, below what is mounted
    if (node(*verdict.place).kind != FsKind::kDirectory) {
      verdict.errors |= FsError::kNotDirectory;
    } else if (node(*verdict.place).links == 0) {
      verdict.errors |= FsError::kNotFound;
    }
    return verdict;
  case VfsAct::kUnmount:
    judge_unmount(plain.path, verdict);
    return verdict;
  case VfsAct::kStatFollow:
    verdict.place = find(plain.path, true, &verdict.errors);
    return verdict;
  default:
    break;
  }
  if (of_handle) {
    judge_handle(operation, verdict);
    return verdict;
  }
  switch (plain.act) {
  case FsAct::kMakeDirectory:
  case FsAct::kSymlink:
    judge_new(plain, verdict);
    break;
  case FsAct::kUnlink:
  case FsAct::kRemoveDirectory:
    judge_gone(plain, verdict);
    break;
  case FsAct::kRename:
    judge_rename(plain, verdict);
    break;
  case FsAct::kLink:
    judge_link(plain, verdict);
    break;
  default:
    judge_plain(operation, verdict);
    break;
  }
  return verdict;
}

std::string VfsModel::text() const {
  std::string out;
  for (size_t i = 0; i < filesystems.size(); ++i) {
    const Filesystem& filesystem = filesystems[i];
    if (!filesystem.mounted) continue;
    out += "filesystem " + std::to_string(i);
    if (filesystem.covered) {
      const VfsPlace& covered = *filesystem.covered;
      out += " on " + filesystems[covered.filesystem].model.path_text(covered.node) +
             " of filesystem " + std::to_string(covered.filesystem);
    }
    out += std::string(filesystem.read_only ? ", read-only" : "") + ":\n" + filesystem.model.text();
  }
  return out;
}

} // namespace kiln::worlds
