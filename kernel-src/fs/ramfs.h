#pragma once
// A filesystem in memory: everything lies on the heap, and is gone with the mount.
//
//   Box<RamFs> ramfs = CLAY_TRY(RamFs::create({.blocks = 1024, .nodes = 128}));
//
// Locks. `ramfs-tree`, one a filesystem, guards names, links and who lies where; `ramfs-data`, one
// a file, its contents. Both are shared by readers. No two of one class are held at once, and no
// other lock is taken under them but `ramfs-space`, which guards what is left of blocks and nodes;
// stat() takes tree and data one after the other. Nothing is freed with the tree locked that could
// be freed later.

#include <atomic>
#include <stdint.h>

#include "kernel-src/fs/node.h"
#include "kernel-src/sync/locked.h"
#include "kernel-src/task/heap.h"

namespace clay {

class RamDirectory;

/// What of a filesystem's blocks and nodes is taken.
class RamSpace {
 public:
  RamSpace(uint64_t blocks, uint64_t nodes);
  /// kNoSpace: nothing is taken.
  Result<> take_blocks(uint64_t count);
  void give_blocks(uint64_t count);
  Result<> take_node();
  void give_node();
  /// What is left.
  struct Left {
    uint64_t blocks;
    uint64_t nodes;
  };
  Left left();

 private:
  SpinLocked<Left> left_;
};

class RamFs final : public FileSystem {
 public:
  static constexpr uint32_t kBlockBytes = 1024;
  /// The size that no file exceeds.
  static constexpr uint64_t kMostBytes = INT64_MAX;

  struct Shape {
    uint64_t blocks = UINT64_MAX; ///< of kBlockBytes; what files hold, and nothing else
    uint64_t nodes = UINT64_MAX;  ///< the root included, at least 1
    uint32_t most_links = 65'000; ///< of a node, at least 2
    uint32_t most_target = 4095;  ///< bytes of a symlink's target
  };
  static Result<Box<RamFs>> create(const Shape& shape);
  ~RamFs() override;

  const char* type() const override { return "ramfs"; }
  Result<Ref<Node>> root() override;
  FileSystemStat stat() override;
  bool read_only() const override { return read_only_.load(std::memory_order_relaxed); }
  Result<> sync() override { return {}; }
  Result<> unmount() override;

  /// From now on, for operations that begin later, nothing changes (or it may again).
  void set_read_only(bool on) { read_only_.store(on, std::memory_order_relaxed); }

 private:
  friend class RamNode;
  friend class RamDirectory;
  friend class RamFile;
  template <typename T, typename... Args> friend T* heap_new(HalAlloc how, Args&&... args);
  explicit RamFs(const Shape& shape);

  void take_down();

  const Shape shape_;
  RwMutex tree_lock_;
  RamSpace space_;
  std::atomic<uint64_t> next_number_{1};
  // Relaxed: it says nothing about other memory.
  std::atomic<bool> read_only_{false};
  Ref<RamDirectory> root_; ///< none once it has been unmounted
};

} // namespace clay
