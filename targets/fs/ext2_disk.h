#pragma once
// The disk of an ext2 run, with the kernel's filesystem on it or not: mounted, unmounted, without
// power, on again.

#include <cstdint>
#include <optional>

#include "kernel-src/fs/ext2/ext2.h"
#include "sim/target.h"
#include "targets/block/direct_device.h"
#include "worlds/disk/disk.h"
#include "worlds/ext2/check.h"
#include "worlds/ext2/image.h"
#include "worlds/ext2/stock.h"
#include "worlds/ext2/views.h"

namespace kiln::fs {

using worlds::ext2::view_of;

/// What the kernel promises of an image with blocks of this size.
worlds::FsLimits ext2_limits(const gen::ext2::Shape& shape);

class Ext2Disk {
 public:
  Ext2Disk(const worlds::DiskShape& shape, const worlds::ext2::Stock& stock);
  /// A disk with this on it.
  Ext2Disk(const worlds::DiskShape& shape, worlds::Medium contents);

  worlds::Disk disk;
  worlds::DiskFaults faults;
  uint32_t cached_blocks = 256; ///< of every mount

  bool is_mounted() const { return static_cast<bool>(fs_); }
  clay::FileSystem& fs() { return *fs_; }
  clay::Result<> mount(const clay::Ext2Options& options = {});
  /// All references to nodes have been given up. The filesystem is gone afterwards, also when it
  /// says that something went wrong.
  clay::Result<> unmount();

  /// While one lives, the disk does nothing wrong.
  class Calm {
   public:
    explicit Calm(Ext2Disk& of) : of_(of) {
      if (of_.calm_++ == 0) of_.faults.stop();
    }
    ~Calm() {
      if (--of_.calm_ == 0) of_.faults.go_on();
    }
    Calm(const Calm&) = delete;
    Calm& operator=(const Calm&) = delete;

   private:
    Ext2Disk& of_;
  };

  /// What commands the disk has done wrong so far, honestly or not.
  uint32_t hits() const;
  /// Something the disk has done wrong may have changed what a reader sees, or what is there.
  bool is_lying() const;

 private:
  block::DirectDevice device_;
  unsigned calm_ = 0;
  clay::Box<clay::FileSystem> fs_;
};

} // namespace kiln::fs
