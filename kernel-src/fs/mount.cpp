#include "kernel-src/fs/mount.h"

#include "kernel-src/lib/assert.h"

namespace clay {
namespace {

constinit LockClass mounts_class{"vfs-mounts"};

} // namespace

MountTable::MountTable() : lock_(mounts_class) {}

MountTable::~MountTable() { CLAY_ASSERT(mounts_.empty()); }

void MountTable::start(Ref<Mount> mount) {
  CLAY_ASSERT(first_ == nullptr);
  first_ = mount.leak();
  mounts_.push_back(*first_);
}

// --- Places

/// The mount that lies over this directory, or null.
Mount* MountTable::over(const Node& node) const {
  for (Mount& mount : mounts_) {
    if (mount.covered_ && &mount.covered_.node() == &node) {
      return &mount;
    }
  }
  return nullptr;
}

Place MountTable::cross(Place place) {
  while (is_covered(place.node())) {
    ReadGuard guard(lock_);
    Mount* const above = over(place.node());
    if (above == nullptr) {
      break; // unmounted meanwhile
    }
    place = Place(Ref<Mount>(*above), Ref<Node>(above->root()));
  }
  return place;
}

Place MountTable::root() {
  // Without the lock: the first mount stays until end(), when nobody walks any more.
  return cross(Place(Ref<Mount>(*first_), Ref<Node>(first_->root())));
}

Result<Place> MountTable::above(Place directory) {
  while (&directory.node() == &directory.mount().root()) {
    if (&directory.mount() == first_) {
      return cross(std::move(directory));
    }
    directory = Place(directory.mount().covered());
  }
  Ref<Node> parent = CLAY_TRY(directory.node().parent());
  return cross(directory.beside(std::move(parent)));
}

// --- Mounting

Result<> MountTable::add(Ref<Mount> mount, Place directory) {
  WriteGuard guard(lock_);
  while (Mount* const above = over(directory.node())) {
    directory = Place(Ref<Mount>(*above), Ref<Node>(above->root()));
  }
  if (directory.node().stat().links == 0) {
    return Error::kNotFound;
  }
  Node& covered = directory.node();
  mount->covered_ = std::move(directory);
  mounts_.push_back(*mount.leak());
  covered.covered_.store(true, std::memory_order_release); // pairs with is_covered()
  return {};
}

/// Takes a mount out of the table that `users` references lead to, the table's included. kBusy when
/// there are more. With the lock held, or when nobody else uses the table.
Result<> MountTable::take_out(Mount& mount, uint32_t users) {
  if (mount.ref_count() != users) {
    return Error::kBusy;
  }
  // Whoever gave up a reference has done with the mount: pairs with the release in drop_ref().
  std::atomic_thread_fence(std::memory_order_acquire);
  if (mount.covered_) {
    mount.covered_.node().covered_.store(false, std::memory_order_release);
  }
  mounts_.remove(mount);
  return {};
}

/// Of a mount that is in no table any more; the caller's reference is the only one.
Result<> MountTable::unmount(Ref<Mount> mount) {
  CLAY_ASSERT(mount->ref_count() == 1);
  mount->root_.reset();
  return mount->filesystem_->unmount();
}

Result<> MountTable::remove(Place place) {
  if (&place.node() != &place.mount().root()) {
    return Error::kInvalid;
  }
  Ref<Mount> mount = place.mount_ref();
  place = Place();
  if (mount.get() == first_) {
    return Error::kBusy;
  }
  {
    WriteGuard guard(lock_);
    CLAY_TRY(take_out(*mount, 2));
  }
  mount->drop_ref(); // the table's
  return unmount(std::move(mount));
}

Result<> MountTable::end() {
  CLAY_TRY(take_out(*first_, 1));
  return unmount(Ref<Mount>::adopt(std::exchange(first_, nullptr)));
}

Result<> MountTable::sync() {
  ReadGuard guard(lock_);
  Result<> first;
  for (Mount& mount : mounts_) {
    const Result<> synced = mount.filesystem().sync();
    if (first.ok()) {
      first = synced;
    }
  }
  return first;
}

} // namespace clay
