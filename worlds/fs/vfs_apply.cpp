// What operations do to the VFS's model.

#include <algorithm>

#include "worlds/fs/vfs_model.h"

namespace kiln::worlds {

using gen::FsAct;
using gen::FsOperation;
using gen::VfsAct;
using gen::VfsOperation;

void VfsModel::open(unsigned handle, const VfsPlace& place, uint8_t flags) {
  model_of(place).open(place.node);
  close(handle);
  handles[handle] = VfsHandle{place, flags, 0, {}, node(place).entries};
}

void VfsModel::close(unsigned handle) {
  if (handles[handle]) model_of(handles[handle]->place).close(handles[handle]->place.node);
  handles[handle] = {};
}

/// Whoever lists the directory may or may not hear of that name from now on.
void VfsModel::note_change(const VfsPlace& directory, gen::FsName name) {
  for (auto& handle : handles) {
    if (!handle || handle->place != directory) continue;
    std::erase_if(handle->all_the_time,
                  [name](const FsEntry& entry) { return entry.name == name; });
  }
}

void VfsModel::apply_plain(const VfsOperation& operation, const VfsVerdict& verdict) {
  const FsOperation& plain = operation.plain;
  const VfsStand& stand = verdict.stand;
  const auto at_name = [&](const VfsStand& where) -> FsModel& {
    note_change(where.directory, where.name());
    return model_of(where.directory);
  };
  VfsPlace place = verdict.place.value_or(VfsPlace());
  if (verdict.makes) {
    place = {stand.directory.filesystem, at_name(stand).make(stand.directory.node, stand.name(),
                                                             FsKind::kFile, plain.permissions)};
  }
  switch (plain.act) {
  case FsAct::kOpen:
    if ((operation.flags & gen::kVfsTruncate) != 0 && node(place).kind == FsKind::kFile) {
      model_of(place).truncate(place.node, 0);
    }
    return open(plain.handle, place, operation.flags);
  case FsAct::kMakeDirectory:
    at_name(stand).make(stand.directory.node, stand.name(), FsKind::kDirectory, plain.permissions);
    return;
  case FsAct::kSymlink:
    at_name(stand).make(stand.directory.node, stand.name(), FsKind::kSymlink, 0777, plain.to);
    return;
  case FsAct::kUnlink:
    return at_name(stand).unlink(stand.directory.node, stand.name());
  case FsAct::kRemoveDirectory:
    return at_name(stand).remove(stand.directory.node, stand.name());
  case FsAct::kRename:
    note_change(verdict.to.directory, verdict.to.name());
    return at_name(stand).rename(stand.directory.node, stand.name(), verdict.to.directory.node,
                                 verdict.to.name());
  case FsAct::kLink:
    return at_name(verdict.to).link(place.node, verdict.to.directory.node, verdict.to.name());
  case FsAct::kWrite:
  case FsAct::kWriteHandle:
    return model_of(place).write(place.node, plain.offset, plain.length, plain.fill);
  case FsAct::kTruncate:
  case FsAct::kTruncateHandle:
    return model_of(place).truncate(place.node, plain.offset);
  case FsAct::kClose:
    return close(plain.handle);
  case FsAct::kRemount:
    for (unsigned handle = 0; handle < gen::kFsHandles; ++handle) {
      close(handle);
    }
    return;
  default:
    return;
  }
}

std::optional<uint32_t> VfsModel::apply(const VfsOperation& operation, const VfsVerdict& verdict) {
  if (verdict.idle) return {};
  const FsOperation& plain = operation.plain;
  auto& handle = handles[plain.handle];
  switch (operation.act) {
  case VfsAct::kPlain:
    apply_plain(operation, verdict);
    return {};
  case VfsAct::kStreamWrite: {
    const uint64_t begin = begin_of_stream(*handle);
    model_of(handle->place).write(handle->place.node, begin, plain.length, plain.fill);
    handle->offset = begin + plain.length;
    return {};
  }
  case VfsAct::kStreamRead:
    handle->offset +=
        model_of(handle->place).readable(handle->place.node, handle->offset, plain.length);
    return {};
  case VfsAct::kSeek:
    handle->offset = node(handle->place).kind == FsKind::kDirectory ? 0 : plain.offset;
    handle->listed.clear();
    handle->all_the_time = node(handle->place).entries;
    return {};
  case VfsAct::kMount:
    filesystems.push_back({FsModel(limits_), true, operation.read_only, verdict.place});
    return static_cast<uint32_t>(filesystems.size() - 1);
  case VfsAct::kUnmount:
    filesystems[verdict.place->filesystem].mounted = false;
    return verdict.place->filesystem;
  default:
    return {};
  }
}

} // namespace kiln::worlds
