// Whole operations, and reports.

#include "worlds/fs/model.h"

namespace kiln::worlds {

using gen::FsAct;
using gen::FsOperation;
using gen::FsPath;

bool FsModel::is_idle(const FsOperation& operation) const {
  const auto closed = [this](const FsPath& path) {
    return path.at != 0 && !handles_[path.at - 1U];
  };
  if (gen::fs_of_handle(operation.act)) return !handles_[operation.handle];
  return closed(operation.path) || closed(operation.to);
}

/// Of an operation on a node that has been found.
FsErrors FsModel::node_errors(const FsOperation& operation, FsNodeId id) const {
  switch (operation.act) {
  case FsAct::kWrite:
  case FsAct::kWriteHandle:
    return write_errors(id, operation.offset, operation.length);
  case FsAct::kTruncate:
  case FsAct::kTruncateHandle:
    return truncate_errors(id, operation.offset);
  case FsAct::kRead:
  case FsAct::kReadHandle:
    if (node(id).kind == FsKind::kDirectory) return FsError::kIsDirectory;
    return node(id).kind == FsKind::kFile ? FsErrors() : FsErrors(FsError::kInvalid);
  case FsAct::kReadLink:
    return node(id).kind == FsKind::kSymlink ? FsErrors() : FsErrors(FsError::kInvalid);
  case FsAct::kList:
    return node(id).kind == FsKind::kDirectory ? FsErrors() : FsErrors(FsError::kNotDirectory);
  default:
    return {};
  }
}

FsErrors FsModel::errors(const FsOperation& operation) const {
  if (is_idle(operation) || operation.act == FsAct::kSync || operation.act == FsAct::kRemount) {
    return {};
  }
  if (gen::fs_of_handle(operation.act)) {
    return node_errors(operation, *handles_[operation.handle]);
  }
  FsErrors errors;
  const FsPath& path = operation.path;
  const auto at_name = [&](auto judge) {
    const auto directory = find_parent(path, &errors);
    return directory ? errors | judge(*directory, path.last()) : errors;
  };
  switch (operation.act) {
  case FsAct::kCreate:
    return at_name(
        [&](FsNodeId at, gen::FsName name) { return make_errors(at, name, FsKind::kFile); });
  case FsAct::kMakeDirectory:
    return at_name(
        [&](FsNodeId at, gen::FsName name) { return make_errors(at, name, FsKind::kDirectory); });
  case FsAct::kSymlink:
    return at_name([&](FsNodeId at, gen::FsName name) {
      return make_errors(at, name, FsKind::kSymlink) | target_errors(operation.to);
    });
  case FsAct::kUnlink:
    return at_name([&](FsNodeId at, gen::FsName name) { return unlink_errors(at, name); });
  case FsAct::kRemoveDirectory:
    return at_name([&](FsNodeId at, gen::FsName name) { return remove_errors(at, name); });
  case FsAct::kRename: {
    const auto from = find_parent(path, &errors);
    const auto to = find_parent(operation.to, &errors);
    if (!from || !to) return errors;
    return errors | rename_errors(*from, path.last(), *to, operation.to.last());
  }
  case FsAct::kLink: {
    const auto target = find(path, &errors);
    const auto to = find_parent(operation.to, &errors);
    if (!target || !to) return errors;
    return errors | link_errors(*target, *to, operation.to.last());
  }
  default: {
    const auto found = find(path, &errors);
    return found ? errors | node_errors(operation, *found) : errors;
  }
  }
}

void FsModel::open_handle(unsigned handle, FsNodeId id) {
  open(id);
  close_handle(handle);
  handles_[handle] = id;
}

void FsModel::close_handle(unsigned handle) {
  if (const auto id = handles_[handle]) close(*id);
  handles_[handle] = {};
}

std::optional<FsNodeId> FsModel::apply(const FsOperation& operation) {
  if (is_idle(operation)) return {};
  const FsPath& path = operation.path;
  const auto parent_of = [this](const FsPath& whole) { return *find(whole.parent()); };
  switch (operation.act) {
  case FsAct::kCreate:
    return make(parent_of(path), path.last(), FsKind::kFile, operation.permissions);
  case FsAct::kMakeDirectory:
    return make(parent_of(path), path.last(), FsKind::kDirectory, operation.permissions);
  case FsAct::kSymlink:
    return make(parent_of(path), path.last(), FsKind::kSymlink, 0777, operation.to);
  case FsAct::kUnlink:
    unlink(parent_of(path), path.last());
    return {};
  case FsAct::kRemoveDirectory:
    remove(parent_of(path), path.last());
    return {};
  case FsAct::kRename:
    rename(parent_of(path), path.last(), parent_of(operation.to), operation.to.last());
    return {};
  case FsAct::kLink:
    link(*find(path), parent_of(operation.to), operation.to.last());
    return {};
  case FsAct::kWrite:
    write(*find(path), operation.offset, operation.length, operation.fill);
    return {};
  case FsAct::kTruncate:
    truncate(*find(path), operation.offset);
    return {};
  case FsAct::kWriteHandle:
    write(*handles_[operation.handle], operation.offset, operation.length, operation.fill);
    return {};
  case FsAct::kTruncateHandle:
    truncate(*handles_[operation.handle], operation.offset);
    return {};
  case FsAct::kOpen: {
    const FsNodeId id = *find(path);
    open_handle(operation.handle, id);
    return id;
  }
  case FsAct::kClose:
    close_handle(operation.handle);
    return {};
  case FsAct::kRemount:
    for (unsigned handle = 0; handle < gen::kFsHandles; ++handle) {
      close_handle(handle);
    }
    return {};
  default:
    return {};
  }
}

// --- Reports

std::string FsModel::path_text(FsNodeId id) const {
  if (id == 0) return "/";
  for (FsNodeId at = 0; at < nodes(); ++at) {
    if (!lives(at) || node(at).links == 0) continue;
    for (const FsEntry& entry : node(at).entries) {
      if (entry.node == id) {
        return (at == 0 ? "" : path_text(at)) + gen::fs_path_text(FsPath{}.child(entry.name));
      }
    }
  }
  return "(a node without a name)";
}

std::string FsModel::text() const {
  std::string out;
  for (FsNodeId id = 0; id < nodes(); ++id) {
    if (!lives(id)) continue;
    const FsNode& at = node(id);
    static constexpr const char* kKinds[] = {"file", "directory", "symlink"};
    out += path_text(id) + ": " + kKinds[static_cast<size_t>(at.kind)] + ", node " +
           std::to_string(id) + ", " + std::to_string(at.links) + " links, " +
           std::to_string(at.bytes) + " bytes";
    if (at.kind == FsKind::kSymlink) out += " -> " + gen::fs_path_text(at.target);
    for (const FsExtent& extent : at.extents) {
      out += ", [" + std::to_string(extent.begin) + ", " + std::to_string(extent.end) +
             ") of fill " + std::to_string(extent.fill);
    }
    out += "\n";
  }
  return out;
}

} // namespace kiln::worlds
