#pragma once
// For fs/ext2-damaged: an image on a disk, what the checker says of it, and what a kernel may make
// of it.

#include <cstdint>
#include <string>
#include <vector>

#include "generators/ext2.h"
#include "kernel-src/fs/ext2/ext2.h"
#include "sim/exhibit.h"
#include "sim/target.h"
#include "targets/block/direct_device.h"
#include "targets/fs/damaged_tree.h"
#include "worlds/disk/disk.h"
#include "worlds/ext2/check.h"

namespace kiln::fs {

/// What an image is worth to a kernel.
enum class Standing : uint8_t {
  kSound,       ///< in order: to be taken as it is
  kRecoverable, ///< what a cut leaves, and marked so: to be put in order at the mount
  kDamaged,     ///< may be refused, in whole or in part
};
Standing standing_of(const worlds::ext2::Verdict& verdict);
/// What a kernel need not mind: copies, and what lies in inodes that nobody uses.
const worlds::ext2::ProblemSet& unminded();

class DamagedWorld {
 public:
  /// A disk with the first `sectors` of the image.
  DamagedWorld(const gen::ext2::Image& image, const worlds::DiskShape& shape);

  worlds::Disk disk;
  std::vector<gen::ext2::Lie> lies; ///< told about the image: for people

  struct Plan {
    clay::Ext2Options options = {};
    unsigned steps = 0;           ///< of work
    uint64_t fail_allocation = 0; ///< the k-th of the kernel's fails; 0: none
  };
  /// Mounts, looks at everything, works, unmounts, and judges what is on the disk then.
  void run(const Plan& plan, sim::Tape::View data);
  /// The same without work, in words. False: the kernel does not mount it.
  bool run_in_words(std::string& out);
  Standing standing() const { return standing_; }
  /// Of the work: operations that were asked for, and those that were done.
  unsigned asked() const { return asked_; }
  unsigned succeeded() const { return succeeded_; }
  bool met_corrupt() const { return met_corrupt_; }

 private:
  void judge_before();
  bool mount(const Plan& plan);
  void check_refusal(clay::Error error, const Plan& plan) const;
  void look_and_work(const Plan& plan, sim::Tape::View data);
  void compare_once_more(Honesty& honesty);
  void check_unmounted(const clay::Result<>& unmounted, const Honesty& honesty);
  void check_untouched() const;
  void check_spreading() const;
  size_t writes() const;
  static void show(sim::Exhibitor& to, void* arg);

  block::DirectDevice device_;
  worlds::ext2::Checker checker_;
  worlds::ext2::Verdict before_;
  worlds::ext2::Verdict after_;
  Standing standing_ = Standing::kSound;
  clay::Box<clay::FileSystem> fs_;
  size_t writes_allowed_ = SIZE_MAX; ///< from the moment on when the image is not to be written
  std::string words_;                ///< what was done
  const char* refusal_ = "";         ///< of a mount
  unsigned asked_ = 0;
  unsigned succeeded_ = 0;
  bool met_corrupt_ = false;
  sim::Exhibit exhibit_{show, this};
};

} // namespace kiln::fs
