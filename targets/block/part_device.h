#pragma once
// The device that a reader of tables is given: a simulated disk with sectors that cannot be read,
// which goes away now and then. It holds the reader to what a reader may do.

#include <cinttypes>
#include <cstdint>
#include <set>

#include "generators/sparse_disk.h"
#include "kernel-src/block/device.h"
#include "sim/machine.h"
#include "targets/block/direct_device.h"
#include "worlds/disk/disk.h"

namespace kiln::targets {

/// The disk with these contents, of which some sectors cannot be read.
inline worlds::Disk make_disk(const gen::SparseDisk& contents,
                              const std::set<uint64_t>& unreadable) {
  worlds::DiskShape shape;
  shape.sectors = contents.sectors;
  shape.sector_bytes = contents.sector_bytes;
  shape.physical_bytes = contents.sector_bytes;
  shape.most_sectors = 1;
  worlds::Disk disk(shape);
  for (const auto& [sector, bytes] : contents.contents) {
    if (sector < contents.sectors) disk.preload(sector, bytes);
  }
  for (const uint64_t sector : unreadable) {
    if (sector < contents.sectors) disk.damage(worlds::FaultKind::kUnreadable, sector);
  }
  return disk;
}

class PartDevice final : public clay::BlockDevice {
 public:
  /// `disk` outlives it.
  explicit PartDevice(worlds::Disk& disk)
      : BlockDevice(block::shape_of(disk.shape())), disk_(disk), direct_(disk) {}

  /// From the read after `reads` others on, everything fails with `error`.
  void break_after(uint64_t reads, clay::Error error) {
    breaks_after_ = reads;
    error_ = error;
  }

  uint64_t reads() const { return reads_; }
  bool is_broken() const { return reads_ > breaks_after_; }
  bool met_unreadable() const { return met_unreadable_; }

  void submit(clay::BlockIo& io) override {
    KILN_CHECK(io.op == clay::BlockOp::kRead, "a reader of tables changes the disk");
    const clay::Result<> may = clay::check_io(shape(), io);
    KILN_CHECK(may.ok(), "a read of sector %" PRIu64 " of %" PRIu64 ": %s", io.sector,
               shape().sectors, clay::error_text(may.error()));
    KILN_CHECK(!is_broken(), "a device that is gone is asked again");
    ++reads_;
    met_unreadable_ = met_unreadable_ || !disk_.medium().readable(io.sector);
    if (is_broken()) {
      clay::finish_io(io, error_);
    } else {
      direct_.submit(io);
    }
  }

 private:
  worlds::Disk& disk_;
  block::DirectDevice direct_;
  uint64_t reads_ = 0;
  uint64_t breaks_after_ = UINT64_MAX;
  clay::Error error_ = clay::Error::kNoDevice;
  bool met_unreadable_ = false;
};

} // namespace kiln::targets
