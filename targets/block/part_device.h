#pragma once
// A block device over a sparse disk for readers of tables: sectors that cannot be read, and a
// device that goes away.

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "generators/sparse_disk.h"
#include "kernel-src/block/device.h"
#include "sim/machine.h"

namespace kiln::targets {

class PartDevice final : public clay::BlockDevice {
 public:
  /// The disk and the set outlive it.
  PartDevice(const gen::SparseDisk& disk, const std::set<uint64_t>& unreadable)
      : BlockDevice(shape_of(disk)), disk_(disk), unreadable_(unreadable) {}

  /// From the read after `reads` others on, everything fails with `error`.
  void break_after(uint64_t reads, clay::Error error) {
    breaks_after_ = reads;
    error_ = error;
  }

  uint64_t reads() const { return reads_; }
  bool is_broken() const { return reads_ > breaks_after_; }
  bool met_unreadable() const { return met_unreadable_; }

  void submit(clay::BlockIo& io) override { clay::finish_io(io, answer(io)); }

 private:
  static clay::BlockShape shape_of(const gen::SparseDisk& disk) {
    clay::BlockShape shape;
    shape.sectors = disk.sectors;
    shape.sector_bytes = disk.sector_bytes;
    shape.physical_bytes = disk.sector_bytes;
    shape.most_sectors = 1;
    return shape;
  }

  clay::Result<> answer(const clay::BlockIo& io) {
    KILN_CHECK(io.op == clay::BlockOp::kRead, "a reader of tables changes the disk");
    const clay::Result<> may = clay::check_io(shape(), io);
    KILN_CHECK(may.ok(), "a read of sector %llu of %llu: %s",
               static_cast<unsigned long long>(io.sector),
               static_cast<unsigned long long>(disk_.sectors), clay::error_text(may.error()));
    KILN_CHECK(!is_broken(), "a device that is gone is asked again");
    ++reads_;
    if (is_broken()) {
      return error_;
    }
    for (uint64_t i = 0; i < io.sectors; ++i) {
      if (unreadable_.contains(io.sector + i)) {
        met_unreadable_ = true;
        return clay::Error::kIo;
      }
      disk_.read(io.sector + i, {io.data + i * disk_.sector_bytes, disk_.sector_bytes});
    }
    return {};
  }

  const gen::SparseDisk& disk_;
  const std::set<uint64_t>& unreadable_;
  uint64_t reads_ = 0;
  uint64_t breaks_after_ = UINT64_MAX;
  clay::Error error_ = clay::Error::kNoDevice;
  bool met_unreadable_ = false;
};

} // namespace kiln::targets
