#pragma once
// A VFS over ramfs mounts against its model: one operation at a time, and everything at once.

#include <memory>
#include <string>
#include <vector>

#include "kernel-src/fs/ramfs.h"
#include "kernel-src/fs/vfs.h"
#include "sim/exhibit.h"
#include "targets/fs/node_checker.h"
#include "targets/fs/node_judge.h"
#include "targets/fs/vfs_driver.h"
#include "worlds/fs/vfs_model.h"

namespace kiln::fs {

class VfsJudge {
 public:
  /// The VFS's root, or the directory `below` of it, is the model's root; `root` is its node. It is
  /// empty.
  VfsJudge(clay::Vfs& vfs, const clay::RamFs::Shape& shape, clay::Ref<clay::Node> root,
           const std::string& below = "");

  worlds::VfsModel model;
  VfsDriver driver;
  std::vector<gen::VfsOperation> done; ///< all operations so far, the last one maybe in part

  /// As NodeJudge's.
  template <typename Tolerance> Outcome step(gen::VfsOperation operation, Tolerance tolerance) {
    const worlds::VfsVerdict verdict = model.judge(operation);
    if (verdict.idle || !prepare(operation)) return {};
    done.push_back(operation);
    const Answer answer = driver.perform(operation, fresh_);
    const Outcome outcome{verdict.errors, answer.failure};
    judge(operation, verdict, outcome, answer, tolerance());
    check_offset(operation.plain.handle);
    return outcome;
  }

  /// Nobody else uses the filesystems: their free space is compared, too.
  bool alone = false;

  /// Of all that is mounted.
  void check_all();
  void show(sim::Exhibitor& to, const std::string& whose) const;
  /// Nothing is done any more.
  void let_go();
  /// The filesystem, if it is not part of another.
  clay::RamFs& ramfs(uint32_t filesystem) const { return *filesystems_[filesystem].ramfs; }

 private:
  struct Filesystem {
    clay::RamFs* ramfs; ///< null: the one that the root is a part of
    NodeChecker checker;
  };

  bool prepare(gen::VfsOperation& operation);
  bool furnish();
  void judge(const gen::VfsOperation& operation, const worlds::VfsVerdict& verdict,
             const Outcome& outcome, const Answer& answer, worlds::FsErrors tolerated);
  void judge_success(const gen::VfsOperation& operation, const worlds::VfsVerdict& verdict,
                     const Answer& answer);
  void judge_answer(const gen::VfsOperation& operation, const worlds::VfsPlace& place,
                    const Answer& answer);
  void judge_space(const gen::VfsOperation& operation, const worlds::VfsPlace& place,
                   const Answer& answer) const;
  void check_offset(unsigned handle) const;
  void judge_listed(const gen::VfsOperation& operation, const Answer& answer);
  clay::Ref<clay::Node> root_of(uint32_t filesystem) const;
  NodeChecker& checker_of(const worlds::VfsPlace& place) {
    return filesystems_[place.filesystem].checker;
  }
  const worlds::FsModel& model_of(const worlds::VfsPlace& place) const {
    return model.filesystems[place.filesystem].model;
  }

  const clay::RamFs::Shape shape_;
  clay::Ref<clay::Node> root_;
  std::vector<Filesystem> filesystems_; ///< by the model's numbers
  clay::Box<clay::FileSystem> fresh_;   ///< for the next mount
  worlds::FsModel fresh_model_;         ///< what is in it
  clay::RamFs* fresh_ramfs_ = nullptr;  ///< the same, or what was mounted last
};

} // namespace kiln::fs
