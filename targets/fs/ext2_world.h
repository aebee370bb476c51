#pragma once
// For fs/ext2: an ext2 of the kernel's on a hostile disk, tasks that work on it, the power that
// goes and comes back, and the history that says what must be there then.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/exhibit.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/fs/ext2_disk.h"
#include "targets/fs/failure.h"
#include "targets/fs/fs_probes.h"
#include "targets/fs/node_checker.h"
#include "targets/fs/node_driver.h"
#include "targets/fs/tree.h"
#include "worlds/ext2/check.h"
#include "worlds/fs/history.h"

namespace kiln::fs {

class Ext2World {
 public:
  /// What an input has in it at all: swarm lane.
  struct Features {
    bool cuts = false;
    bool errors = false;
    bool lies = false;
    bool torn =
        false; ///< a sector that is being written when the power goes is neither old nor new
    bool memory = false;     ///< allocations fail
    bool watched = false;    ///< cuts at many moments are judged, beside those that happen
    bool long_files = false; ///< offsets up to the end of all files
    bool names = false;      ///< many names, much renaming
    bool read_only = false;  ///< a mount that is read-only comes first
    unsigned tasks = 1;
    bool usable = false; ///< all is removed in the end
    bool idempotent = false;
    bool thorough = false; ///< files are read where nothing can be, too
  };

  explicit Ext2World(sim::Run& run);
  void run();

 private:
  static constexpr unsigned kMostRounds = 4;
  static constexpr unsigned kMostTasks = 3;

  static Features draw_features(sim::Run& run);
  static uint32_t draw_stock(sim::Run& run);
  static worlds::DiskShape draw_shape(sim::Run& run, const worlds::ext2::Stock& stock);
  void draw_faults();
  gen::FsStyle draw_style() const;

  // --- Work: ext2_steps.cpp

  /// Until the power goes, or there is nothing more to do.
  void work();
  void work_together();
  /// Before anything else: a mount that must not write.
  void work_read_only();
  void step(unsigned task, const gen::FsOperation& operation);
  void remount();
  void judge_answer(unsigned task, const gen::FsOperation& operation, const Answer& answer,
                    uint64_t allocations);
  void judge_success(unsigned task, const gen::FsOperation& operation, const Answer& answer);
  worlds::FsErrors tolerated(const gen::FsOperation& operation, worlds::FsError failure,
                             uint64_t allocations);
  void check_no_space(const gen::FsOperation& operation);
  /// What the kernel shows is what the model holds.
  void check_tree();
  /// All of the tree, by a disk that does nothing wrong. False: it cannot be read, and the disk is
  /// to blame.
  bool look(worlds::FsFound& found);
  /// Drivers at the root of what has just been mounted.
  void take_hold();
  void let_go();
  TreeLook how_to_look() const {
    constexpr uint64_t kThorough = 24 * 1024;
    constexpr uint64_t kUsual = 2048;
    return {.history = &history_, .whole = features_.thorough ? kThorough : kUsual};
  }

  // --- Power: ext2_power.cpp

  void arm_cut();
  void cut_in_commit();
  /// The power has gone: what is left of the kernel goes too.
  void go_down();
  /// The power comes back: recovery, and what is found after it. False: the disk cannot be read.
  bool come_back();
  void note_cut() const;
  bool recover();
  bool mount_somehow();
  void check_crash_image();
  void judge_found();
  void check_read_only_mount();

  // --- Cuts that do not happen: ext2_states.cpp

  /// Some of what a cut may leave now: before anything becomes durable.
  void watch();
  void gather(const worlds::Disk& disk);
  void judge_gathered();

  // --- The end: ext2_end.cpp

  void finish();
  /// Whether it was unmounted, and the power stayed on.
  bool unmount();
  void check_unmounted();
  void empty_out();
  void check_emptied();
  void check_idempotent();

  static void show(sim::Exhibitor& to, void* arg);
  bool powered() const { return room_.disk.powered(); }
  /// Whether there are sectors that cannot be read.
  bool has_bad_sectors() const;
  bool judged() const { return !lost_; }
  /// Whether the disk has done anything wrong since before the last mount.
  bool faulted() const { return !powered() || room_.hits() != hits_at_mount_ || room_.is_lying(); }

  sim::Run& run_;
  const Features features_;
  const uint32_t stock_number_;
  const worlds::ext2::Stock& stock_;
  const worlds::FsLimits limits_;
  Ext2Disk room_;
  Failure failure_;
  std::vector<worlds::FsHistory> past_; ///< up to each loss of power
  worlds::FsHistory history_;
  worlds::ext2::Checker checker_;
  std::optional<NodeChecker> nodes_;
  std::vector<NodeDriver> drivers_; ///< one a task
  gen::FsDrawer drawer_;
  struct Cut {
    worlds::Medium medium;
    worlds::FsMoment moment;
  };
  std::vector<Cut> cuts_;
  size_t judged_ = SIZE_MAX; ///< of them, that is being judged
  uint32_t hits_at_mount_ = 0;
  bool struck_ = false; ///< an allocation has failed since the last mount
  bool lost_ = false; ///< the disk has broken promises: nothing is known but that the kernel lives
  sim::Exhibit exhibit_{show, this};
};

} // namespace kiln::fs
