#include "kernel-src/fs/vfs.h"

#include "kernel-src/fs/walk.h"

namespace clay {
namespace {

/// A mount of `filesystem`, which it takes over unless it fails.
Result<Ref<Mount>> make_mount(Box<FileSystem>& filesystem, const MountOptions& options) {
  Ref<Node> root = CLAY_TRY(filesystem->root());
  return make_ref<Mount>(kHalAllocMayWait, std::move(filesystem), std::move(root), options);
}

Result<> check_flags(uint32_t flags) {
  const auto without = [flags](uint32_t what, uint32_t needed) {
    return (flags & what) != 0 && (flags & needed) == 0;
  };
  const bool wrong = (flags & (kOpenRead | kOpenWrite)) == 0 ||
                     without(kOpenTruncate | kOpenAppend, kOpenWrite) ||
                     without(kOpenExclusive, kOpenCreate) ||
                     (flags & (kOpenCreate | kOpenDirectory)) == (kOpenCreate | kOpenDirectory);
  return wrong ? Error::kInvalid : Result<>();
}

/// Whether what has been found can be opened so.
Result<> check_kind(const Place& place, uint32_t flags) {
  const NodeKind kind = place.node().kind();
  if (kind == NodeKind::kDirectory) {
    return (flags & kOpenWrite) != 0 ? Error::kIsDirectory : Result<>();
  }
  if ((flags & kOpenDirectory) != 0) {
    return Error::kNotDirectory;
  }
  if (kind != NodeKind::kFile) {
    return Error::kUnsupported;
  }
  return (flags & kOpenWrite) != 0 && place.mount().read_only() ? Error::kReadOnly : Result<>();
}

} // namespace

// --- Mounts

Result<Box<Vfs>> Vfs::create(Box<FileSystem>& root, const MountOptions& options) {
  Box<Vfs> vfs = CLAY_TRY(make_box<Vfs>(kHalAllocMayWait));
  vfs->mounts_.start(CLAY_TRY(make_mount(root, options)));
  return vfs;
}

Result<> Vfs::do_mount(const PathFrom& path, Box<FileSystem>& filesystem,
                       const MountOptions& options) {
  Place directory = CLAY_TRY(find(path, true));
  if (directory.node().kind() != NodeKind::kDirectory) {
    return Error::kNotDirectory;
  }
  Ref<Mount> mount = CLAY_TRY(make_mount(filesystem, options));
  const Result<> added = mounts_.add(mount, std::move(directory));
  if (!added.ok()) {
    filesystem = mount->give_back();
  }
  return added;
}

Result<> Vfs::do_unmount(const PathFrom& path) {
  return mounts_.remove(CLAY_TRY(find(path, true)));
}

// --- What a path leads to

Result<> Vfs::walk_to_last(Walk& walk, const PathFrom& path) {
  if (path.from != nullptr) {
    CLAY_TRY(walk.begin(path.from->place(), path.path));
  } else {
    CLAY_TRY(walk.begin(path.path));
  }
  return walk.to_last();
}

Result<Place> Vfs::find(const PathFrom& path, bool follow) {
  Walk walk(mounts_);
  CLAY_TRY(walk_to_last(walk, path));
  return walk.arrive(follow);
}

/// A file for the walk's last component, which was not there a moment ago.
Result<Place> Vfs::create_last(const Walk& walk, uint16_t permissions) {
  if (walk.slash_behind()) {
    return Error::kNotDirectory;
  }
  const Place& directory = walk.directory();
  if (directory.mount().read_only()) {
    return Error::kReadOnly;
  }
  return directory.beside(
      CLAY_TRY(directory.node().create(walk.last(), NodeKind::kFile, permissions)));
}

Result<Place> Vfs::find_or_create(Walk& walk, uint32_t flags, uint16_t permissions) {
  const bool exclusive = (flags & kOpenExclusive) != 0;
  while (walk.last_is_name()) {
    Result<Ref<Node>> found = walk.directory().node().lookup(walk.last());
    if (found.ok() && !exclusive) {
      if (found.value()->kind() != NodeKind::kSymlink) {
        return walk.land(found.take());
      }
      CLAY_TRY(walk.follow_last(found.take()));
    } else if (found.ok()) {
      return Error::kExists;
    } else if (!found.failed_with(Error::kNotFound)) {
      return found.error();
    } else {
      Result<Place> made = create_last(walk, permissions);
      if (!made.failed_with(Error::kExists)) {
        return made;
      }
      // Somebody was faster: it is there now, unless it has gone again.
    }
  }
  return exclusive ? Error::kExists : walk.arrive_without_name();
}

Result<Ref<File>> Vfs::do_open(const PathFrom& path, uint32_t flags, uint16_t permissions) {
  CLAY_TRY(check_flags(flags));
  Ref<File> file = CLAY_TRY(make_ref<File>(kHalAllocMayWait, flags)); // before anything is made
  {
    Walk walk(mounts_);
    CLAY_TRY(walk_to_last(walk, path));
    const bool create = (flags & kOpenCreate) != 0;
    file->place_ = CLAY_TRY(create ? find_or_create(walk, flags, permissions) : walk.arrive(true));
  }
  CLAY_TRY(check_kind(file->place(), flags));
  if ((flags & kOpenTruncate) != 0) {
    CLAY_TRY(File::resize_node(file->place(), 0));
  }
  return file;
}

Result<NodeStat> Vfs::do_stat(const PathFrom& path, bool follow) {
  const Place place = CLAY_TRY(find(path, follow));
  return place.node().stat();
}

Result<size_t> Vfs::do_read_link(const PathFrom& path, MutableBytes into) {
  const Place place = CLAY_TRY(find(path, false));
  return place.node().read_link(into);
}

Result<> Vfs::do_truncate(const PathFrom& path, uint64_t bytes) {
  return File::resize_node(CLAY_TRY(find(path, true)), bytes);
}

Result<FileSystemStat> Vfs::do_stat_filesystem(const PathFrom& path) {
  const Place place = CLAY_TRY(find(path, true));
  return place.mount().filesystem().stat();
}

} // namespace clay
