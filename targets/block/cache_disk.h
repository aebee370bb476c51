#pragma once
// A device of the kernel's over the disk of a run, with the model beside it: it hears of every
// command. Answers come at once, or by an interrupt, after any time and in any order.

#include <cstdint>
#include <vector>

#include "kernel-src/block/device.h"
#include "kernel-src/task/interrupts.h"
#include "sim/machine.h"
#include "sim/target.h"
#include "targets/block/cache_model.h"
#include "worlds/disk/disk.h"

namespace kiln::block_cache {

/// As the kernel sees a disk of this shape.
clay::BlockShape kernel_shape(const worlds::DiskShape& shape);

class CacheDisk final : public clay::BlockDevice {
 public:
  /// `slow`: by an interrupt.
  CacheDisk(sim::Run& run, worlds::Disk& disk, Model& model, bool slow);
  ~CacheDisk();

  void submit(clay::BlockIo& io) override;

 private:
  struct Pending {
    clay::BlockIo* io;
    worlds::Disk::CommandId id;
    uint64_t due_ns;
  };

  void answer(clay::BlockIo& io, worlds::DiskAnswer answer);
  void finish_one();
  void interrupt();

  sim::Run& run_;
  worlds::Disk& disk_;
  Model& model_;
  const bool slow_;
  std::vector<Pending> pending_;
  clay::InterruptHandler handler_;
};

} // namespace kiln::block_cache
