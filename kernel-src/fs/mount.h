#pragma once
// Which filesystem lies over which directory, and places: a node together with the mount that it
// was reached through.
//
// Locks. `vfs-mounts`, one a table, guards the table, and that no directory is removed or renamed
// while something is mounted on it: whoever does one of both holds it for reading over its check
// and its change, whoever mounts or unmounts holds it for writing. Locks of filesystems are taken
// under it.
//
// A mount is in use while a place names it: it cannot be unmounted then. Places come from the
// table, with its lock held, or from other places; so with the lock held for writing, a mount that
// only the table and the caller refer to stays like that.

#include <atomic>
#include <stdint.h>
#include <utility>

#include "kernel-src/fs/node.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/sync/rw_mutex.h"
#include "kernel-src/task/heap.h"
#include "kernel-src/task/ref.h"

namespace clay {

class Mount;

/// A node and the mount that it was reached through, or neither. The node never outlives the place:
/// whoever takes it out keeps the place.
class Place {
 public:
  Place() = default;
  Place(Ref<Mount> mount, Ref<Node> node) : mount_(std::move(mount)), node_(std::move(node)) {}
  Place(const Place&) = default;
  Place(Place&&) noexcept = default;
  /// By exchange: a node is let go before its mount, here too.
  Place& operator=(Place other) noexcept {
    std::swap(mount_, other.mount_);
    std::swap(node_, other.node_);
    return *this;
  }
  ~Place() = default;

  constexpr explicit operator bool() const { return static_cast<bool>(node_); }
  Mount& mount() const { return *mount_; }
  const Ref<Mount>& mount_ref() const { return mount_; }
  Node& node() const { return *node_; }
  /// Another node of the same mount.
  Place beside(Ref<Node> node) const { return Place(mount_, std::move(node)); }
  bool same_mount(const Place& other) const { return mount_.get() == other.mount_.get(); }

 private:
  Ref<Mount> mount_; ///< the last to go
  Ref<Node> node_;
};

struct MountOptions {
  bool read_only = false;
};

class MountTable;

class Mount : public RefCounted<Mount> {
 public:
  Mount(Box<FileSystem> filesystem, Ref<Node> root, const MountOptions& options)
      : filesystem_(std::move(filesystem)), root_(std::move(root)), options_(options) {}

  FileSystem& filesystem() const { return *filesystem_; }
  Node& root() const { return *root_; }
  bool read_only() const { return options_.read_only || filesystem_->read_only(); }
  /// The directory under it; of the first mount none. As long as it is mounted.
  const Place& covered() const { return covered_; }

  /// It has not come into a table, and goes before the filesystem does: the filesystem, as it was.
  Box<FileSystem> give_back() { return std::move(filesystem_); }

 private:
  friend class MountTable;
  Box<FileSystem> filesystem_; ///< the last to go
  Ref<Node> root_;
  const MountOptions options_;
  Place covered_; ///< written with the table's lock held for writing
  ListLink link_;
};

class MountTable {
 public:
  MountTable();
  /// Everything has been unmounted.
  ~MountTable();
  MountTable(const MountTable&) = delete;
  MountTable& operator=(const MountTable&) = delete;

  /// The first mount, over nothing; once, and nobody uses the table yet.
  void start(Ref<Mount> mount);

  // --- Task context, nothing held that forbids waiting; without the lock

  /// What is seen at `place`: the root of the mount that lies over it, if one does.
  Place cross(Place place);
  /// The root of all.
  Place root();
  /// The directory above one, which lies in another mount when it is the root of one.
  Result<Place> above(Place directory);

  /// Puts it over what is seen at `directory`. kNotFound when that has been removed.
  Result<> add(Ref<Mount> mount, Place directory);
  /// `place` is the root of a mount, and the only place that the caller has there. kInvalid when it
  /// is no root; kBusy when the mount is in use elsewhere, or is the first. Otherwise it is gone,
  /// whatever the filesystem says of it, which is returned.
  Result<> remove(Place place);
  /// The same for the first mount: kBusy when there are others, too. Nobody uses the table any
  /// more.
  Result<> end();
  /// Makes everything durable. All are tried; the first error.
  Result<> sync();

  // --- See "Locks"

  RwMutex& lock() { return lock_; }
  static bool is_covered(const Node& node) {
    // Pairs with the release in add(): who sees the flag finds the mount in the table.
    return node.covered_.load(std::memory_order_acquire);
  }

 private:
  // With the lock held.
  Mount* over(const Node& node) const;

  Result<> take_out(Mount& mount, uint32_t users);

  static Result<> unmount(Ref<Mount> mount);

  RwMutex lock_;
  List<Mount, &Mount::link_> mounts_; ///< guarded by lock_; with a reference to each
  Mount* first_ = nullptr;            ///< from start() to end()
};

} // namespace clay
