// Walks of the VFS's model.

#include "worlds/fs/vfs_model.h"

namespace kiln::worlds {

using gen::FsPath;

bool VfsModel::is_covered(const VfsPlace& place) const {
  for (const Filesystem& filesystem : filesystems) {
    if (filesystem.mounted && filesystem.covered == place) return true;
  }
  return false;
}

/// What is seen at a place.
VfsPlace VfsModel::cross(VfsPlace place) const {
  for (uint32_t i = 0; i < filesystems.size(); ++i) {
    if (filesystems[i].mounted && filesystems[i].covered == place) {
      return cross({i, 0});
    }
  }
  return place;
}

std::optional<VfsPlace> VfsModel::above(VfsPlace place, Walk& walk, FsErrors* errors) const {
  while (place.node == 0) {
    const Filesystem& filesystem = filesystems[place.filesystem];
    if (!filesystem.covered) {
      walk.way.up_from_root = true;
      return cross(place);
    }
    place = *filesystem.covered;
    walk.way.up_out_of_mount = true;
  }
  const FsNode& directory = node(place);
  if (directory.links == 0) {
    walk.way.up_from_removed = true;
    *errors |= FsError::kNotFound;
    return {};
  }
  const VfsPlace up{place.filesystem, directory.parent};
  walk.way.up_into_mount |= is_covered(up);
  return cross(up);
}

/// Puts a symlink's target in front of what is still to come.
bool VfsModel::follow(Walk& walk, const FsNode& link, FsErrors* errors) const {
  walk.way.link_to_link |= walk.links != 0;
  if (++walk.links > kVfsMostLinks) {
    walk.way.too_many_links = true;
    *errors |= FsError::kTooMany;
    return false;
  }
  walk.rest = gen::fs_path_bytes(link.target) + walk.rest;
  if (walk.rest.size() > kVfsPathBytes) {
    walk.way.targets_too_long = true;
    *errors |= FsError::kNameTooLong;
    return false;
  }
  if (walk.rest[0] == '/') {
    walk.way.link_absolute = true;
    walk.at = cross({0, 0});
  }
  return true;
}

std::optional<VfsStand> VfsModel::begin(const FsPath& path, Walk& walk, FsErrors* errors) const {
  walk.rest = gen::fs_path_bytes(path);
  walk.at = cross({0, 0});
  if (walk.rest.empty()) {
    *errors |= FsError::kNotFound;
    return {};
  }
  if (walk.rest.size() > kVfsPathBytes) {
    *errors |= FsError::kNameTooLong;
    return {};
  }
  if (walk.rest[0] != '/' && path.at != 0) {
    walk.at = handles[path.at - 1U]->place;
    walk.way.relative = true;
  }
  if (node(walk.at).kind != FsKind::kDirectory) {
    walk.way.relative_to_file = true;
    *errors |= FsError::kNotDirectory;
    return {};
  }
  return to_last(walk, errors);
}

std::optional<VfsStand> VfsModel::to_last(Walk& walk, FsErrors* errors) const {
  for (;;) {
    const size_t begin = std::min(walk.rest.find_first_not_of('/'), walk.rest.size());
    const size_t end = std::min(walk.rest.find('/', begin), walk.rest.size());
    const std::string name = walk.rest.substr(begin, end - begin);
    walk.rest = walk.rest.substr(end);
    if (name.size() > 255) {
      walk.way.name_too_long = true;
      *errors |= FsError::kNameTooLong;
      return {};
    }
    if (walk.rest.find_first_not_of('/') == std::string::npos) {
      return VfsStand{walk.at, name, !walk.rest.empty()};
    }
    if (name == ".") continue;
    if (name == "..") {
      const auto up = above(walk.at, walk, errors);
      if (!up) return {};
      walk.at = *up;
      continue;
    }
    const auto found = node(walk.at).find(gen::fs_name_of(name));
    if (!found) {
      *errors |= FsError::kNotFound;
      return {};
    }
    const VfsPlace next{walk.at.filesystem, *found};
    if (node(next).kind == FsKind::kSymlink) {
      walk.way.link_on_way = true;
      if (!follow(walk, node(next), errors)) return {};
    } else if (node(next).kind == FsKind::kDirectory) {
      walk.at = cross(next);
    } else {
      *errors |= FsError::kNotDirectory;
      return {};
    }
  }
}

/// What the last component leads to; `stand` is where a missing one is missing.
std::optional<VfsPlace> VfsModel::arrive(Walk& walk, VfsStand& stand, bool follow_last,
                                         FsErrors* errors) const {
  const uint32_t start = stand.directory.filesystem;
  while (stand.is_name()) {
    const auto found = node(stand.directory).find(stand.name());
    walk.way.in_removed |= node(stand.directory).links == 0;
    if (!found) {
      *errors |= FsError::kNotFound;
      return {};
    }
    const VfsPlace place{stand.directory.filesystem, *found};
    const bool link = node(place).kind == FsKind::kSymlink;
    walk.way.link_at_end |= link;
    if (node(place).kind == FsKind::kDirectory) {
      walk.way.slash_behind_directory |= stand.slash;
      walk.way.link_out_of_mount |= walk.links != 0 && cross(place).filesystem != start;
      return cross(place);
    }
    if (!link || (!follow_last && !stand.slash)) {
      if (!stand.slash) return place;
      walk.way.slash_behind_file = true;
      *errors |= FsError::kNotDirectory;
      return {};
    }
    if (!follow(walk, node(place), errors)) return {};
    const auto next = to_last(walk, errors);
    if (!next) return {};
    stand = *next;
  }
  walk.way.dot_last = true;
  return stand.last == ".." ? above(stand.directory, walk, errors) : stand.directory;
}

std::optional<VfsPlace> VfsModel::find(const FsPath& path, bool follow_last,
                                       FsErrors* errors) const {
  Walk walk;
  auto stand = begin(path, walk, errors);
  return stand ? arrive(walk, *stand, follow_last, errors) : std::nullopt;
}

VfsWay VfsModel::way(const FsPath& path) const {
  Walk walk;
  FsErrors errors;
  auto stand = begin(path, walk, &errors);
  if (stand) arrive(walk, *stand, true, &errors);
  return walk.way;
}

} // namespace kiln::worlds
