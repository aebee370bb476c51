#include "worlds/fs/model.h"

#include <algorithm>

namespace kiln::worlds {

using gen::FsAct;
using gen::FsName;
using gen::FsOperation;
using gen::FsPath;

namespace {

bool is_directory(const FsNode& node) { return node.kind == FsKind::kDirectory; }

} // namespace

std::optional<FsNodeId> FsNode::find(FsName name) const {
  for (const FsEntry& entry : entries) {
    if (entry.name == name) return entry.node;
  }
  return {};
}

FsModel::FsModel(const FsLimits& limits) : limits_(limits) {
  FsNode root;
  root.kind = FsKind::kDirectory;
  root.permissions = 0755;
  root.links = 2;
  nodes_.emplace_back(std::move(root));
  opens_.push_back(0);
}

FsNode& FsModel::change(FsNodeId id) { return nodes_[id].change(); }

// --- Paths

std::optional<FsNodeId> FsModel::find(const FsPath& path, FsErrors* errors) const {
  FsErrors ignored;
  FsErrors& why = errors == nullptr ? ignored : *errors;
  FsNodeId at = 0;
  if (path.at != 0) {
    const auto open = handles_[path.at - 1U];
    if (!open) return {};
    at = *open;
  }
  for (size_t i = 0; i < path.count; ++i) {
    const FsNode& directory = node(at);
    if (!is_directory(directory)) {
      why |= FsError::kNotDirectory;
      return {};
    }
    const auto next = directory.find(path.names[i]);
    if (!next) {
      why |= FsError::kNotFound;
      if (gen::fs_name(path.names[i]).size() > limits_.most_name) why |= FsError::kNameTooLong;
      return {};
    }
    at = *next;
  }
  return at;
}

std::optional<FsNodeId> FsModel::find_parent(const FsPath& path, FsErrors* errors) const {
  if (path.count == 0) {
    *errors |= FsError::kInvalid;
    return {};
  }
  return find(path.parent(), errors);
}

bool FsModel::is_below(FsNodeId id, FsNodeId above) const {
  while (id != above && id != 0 && node(id).links != 0) { // what has been removed is below nothing
    id = node(id).parent;
  }
  return id == above;
}

// --- What is wrong with an operation

FsErrors FsModel::changing(FsErrors errors) const {
  return read_only ? errors | FsError::kReadOnly : errors;
}

FsErrors FsModel::directory_errors(FsNodeId directory) const {
  const FsNode& at = node(directory);
  if (!is_directory(at)) return FsError::kNotDirectory;
  return at.links == 0 ? FsErrors(FsError::kNotFound) : FsErrors();
}

FsErrors FsModel::make_errors(FsNodeId directory, FsName name, FsKind kind) const {
  FsErrors errors = changing(directory_errors(directory));
  if (kind == FsKind::kDirectory && node(directory).links >= limits_.most_links) {
    errors |= FsError::kTooMany;
  }
  if (gen::fs_name(name).size() > limits_.most_name) errors |= FsError::kNameTooLong;
  if (is_directory(node(directory)) && node(directory).find(name)) errors |= FsError::kExists;
  return errors;
}

FsErrors FsModel::link_errors(FsNodeId target, FsNodeId directory, FsName name) const {
  FsErrors errors = make_errors(directory, name, FsKind::kFile);
  const FsNode& linked = node(target);
  if (is_directory(linked)) return errors | FsError::kNotPermitted;
  if (linked.links == 0) errors |= FsError::kNotFound;
  if (linked.links >= limits_.most_links) errors |= FsError::kTooMany;
  return errors;
}

FsErrors FsModel::unlink_errors(FsNodeId directory, FsName name) const {
  const FsErrors errors = changing(directory_errors(directory));
  if (!is_directory(node(directory))) return errors;
  const auto found = node(directory).find(name);
  if (!found) return errors | FsError::kNotFound;
  return is_directory(node(*found)) ? errors | FsError::kIsDirectory : errors;
}

FsErrors FsModel::remove_errors(FsNodeId directory, FsName name) const {
  const FsErrors errors = changing(directory_errors(directory));
  if (!is_directory(node(directory))) return errors;
  const auto found = node(directory).find(name);
  if (!found) return errors | FsError::kNotFound;
  if (!is_directory(node(*found))) return errors | FsError::kNotDirectory;
  return node(*found).entries.empty() ? errors : errors | FsError::kNotEmpty;
}

FsErrors FsModel::rename_errors(FsNodeId from, FsName name, FsNodeId to, FsName to_name) const {
  FsErrors errors = changing(directory_errors(from) | directory_errors(to));
  if (gen::fs_name(to_name).size() > limits_.most_name) errors |= FsError::kNameTooLong;
  const auto moved = is_directory(node(from)) ? node(from).find(name) : std::nullopt;
  if (!moved) {
    return is_directory(node(from)) ? errors | FsError::kNotFound : errors;
  }
  const bool directory = is_directory(node(*moved));
  if (!is_directory(node(to))) return errors;
  if (directory && is_below(to, *moved)) errors |= FsError::kInvalid;
  const auto old = node(to).find(to_name);
  if (!old) {
    const bool more = directory && from != to && node(to).links >= limits_.most_links;
    return more ? errors | FsError::kTooMany : errors;
  }
  if (*old == *moved) return errors;
  const FsNode& replaced = node(*old);
  if (directory && !is_directory(replaced)) errors |= FsError::kNotDirectory;
  if (!directory && is_directory(replaced)) errors |= FsError::kIsDirectory;
  if (directory && !replaced.entries.empty()) errors |= FsError::kNotEmpty;
  return errors;
}

FsErrors FsModel::write_errors(FsNodeId id, uint64_t place, uint64_t length) const {
  if (is_directory(node(id))) return FsError::kIsDirectory;
  if (node(id).kind != FsKind::kFile) return FsError::kInvalid;
  const bool fits = place <= limits_.most_bytes && length <= limits_.most_bytes - place;
  return changing(fits || length == 0 ? FsErrors() : FsErrors(FsError::kOverflow));
}

FsErrors FsModel::truncate_errors(FsNodeId id, uint64_t bytes) const {
  const FsErrors errors = write_errors(id, 0, 0);
  const bool too_long = node(id).kind == FsKind::kFile && bytes > limits_.most_bytes;
  return too_long ? errors | FsError::kOverflow : errors;
}

FsErrors FsModel::target_errors(const FsPath& target) const {
  const size_t length = gen::fs_path_bytes(target).size();
  if (length == 0) return FsError::kInvalid;
  return length > limits_.most_target ? FsErrors(FsError::kNameTooLong) : FsErrors();
}

// --- Operations on nodes

void FsModel::add_entry(FsNodeId directory, FsName name, FsNodeId id) {
  change(directory).entries.push_back({name, id});
  if (!is_directory(node(id))) return;
  change(id).parent = directory;
  ++change(directory).links;
}

void FsModel::drop_entry(FsNodeId directory, FsName name) {
  auto& entries = change(directory).entries;
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [name](const FsEntry& known) { return known.name == name; });
  const FsNodeId id = entry->node;
  entries.erase(entry);
  if (is_directory(node(id))) --change(directory).links;
}

FsNodeId FsModel::make(FsNodeId directory, FsName name, FsKind kind, uint16_t permissions,
                       const FsPath& target) {
  const FsNodeId id = nodes();
  FsNode made;
  made.kind = kind;
  made.permissions = permissions;
  made.links = kind == FsKind::kDirectory ? 2 : 1;
  if (kind == FsKind::kSymlink) {
    made.target = target;
    made.bytes = gen::fs_path_bytes(target).size();
  }
  nodes_.emplace_back(std::move(made));
  opens_.push_back(0);
  add_entry(directory, name, id);
  return id;
}

void FsModel::link(FsNodeId id, FsNodeId directory, FsName name) {
  ++change(id).links;
  add_entry(directory, name, id);
}

void FsModel::unlink(FsNodeId directory, FsName name) {
  const FsNodeId id = *node(directory).find(name);
  drop_entry(directory, name);
  --change(id).links;
  go_if_unused(id);
}

void FsModel::remove(FsNodeId directory, FsName name) {
  const FsNodeId id = *node(directory).find(name);
  drop_entry(directory, name);
  change(id).links = 0;
  go_if_unused(id);
}

void FsModel::rename(FsNodeId from, FsName name, FsNodeId to, FsName to_name) {
  const FsNodeId moved = *node(from).find(name);
  if (const auto old = node(to).find(to_name)) {
    if (*old == moved) return;
    is_directory(node(*old)) ? remove(to, to_name) : unlink(to, to_name);
  }
  drop_entry(from, name);
  add_entry(to, to_name, moved);
}

void FsModel::go_if_unused(FsNodeId id) {
  if (node(id).links == 0 && opens_[id] == 0) nodes_[id] = {};
}

void FsModel::close(FsNodeId id) {
  --opens_[id];
  go_if_unused(id);
}

// --- Contents

void FsModel::write(FsNodeId id, uint64_t place, uint64_t length, uint8_t fill) {
  if (length == 0) return;
  FsNode& file = change(id);
  const FsExtent fresh{place, place + length, fill};
  std::vector<FsExtent> now;
  now.reserve(file.extents.size() + 2);
  for (const FsExtent& old : file.extents) {
    if (old.begin < fresh.begin)
      now.push_back({old.begin, std::min(old.end, fresh.begin), old.fill});
  }
  now.push_back(fresh);
  for (const FsExtent& old : file.extents) {
    if (old.end > fresh.end) now.push_back({std::max(old.begin, fresh.end), old.end, old.fill});
  }
  file.extents = std::move(now);
  file.bytes = std::max(file.bytes, fresh.end);
}

void FsModel::truncate(FsNodeId id, uint64_t bytes) {
  FsNode& file = change(id);
  file.bytes = bytes;
  auto& extents = file.extents;
  while (!extents.empty() && extents.back().begin >= bytes) {
    extents.pop_back();
  }
  if (!extents.empty()) extents.back().end = std::min(extents.back().end, bytes);
}

void FsModel::read(FsNodeId id, uint64_t place, std::span<uint8_t> out) const {
  std::fill(out.begin(), out.end(), 0);
  const uint64_t end = place + out.size();
  for (const FsExtent& extent : node(id).extents) {
    const uint64_t from = std::max(extent.begin, place);
    const uint64_t to = std::min(extent.end, end);
    if (from < to) gen::fs_fill(extent.fill, from, out.subspan(from - place, to - from));
  }
}

std::optional<size_t> FsModel::differs(FsNodeId id, uint64_t place,
                                       std::span<const uint8_t> bytes) const {
  std::array<uint8_t, 1024> expected;
  for (size_t done = 0; done < bytes.size();) {
    const auto part = bytes.subspan(done, std::min(expected.size(), bytes.size() - done));
    read(id, place + done, std::span(expected).first(part.size()));
    const auto wrong = std::mismatch(part.begin(), part.end(), expected.begin()).first;
    if (wrong != part.end()) return done + static_cast<size_t>(wrong - part.begin());
    done += part.size();
  }
  return {};
}

uint64_t FsModel::readable(FsNodeId id, uint64_t place, uint64_t length) const {
  const uint64_t bytes = node(id).bytes;
  return place >= bytes ? 0 : std::min(length, bytes - place);
}

} // namespace kiln::worlds
