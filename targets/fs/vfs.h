#pragma once
// The parts of the target fs/vfs.

#include "kernel-src/fs/ramfs.h"
#include "kernel-src/fs/vfs.h"
#include "sim/target.h"
#include "targets/fs/failure.h"
#include "targets/fs/vfs_judge.h"

namespace kiln::fs {

inline constexpr char kVfsTarget[] = "fs/vfs";

struct VfsWorld {
  clay::RamFs::Shape shape;
  clay::RamFs* root = nullptr;
  clay::Box<clay::Vfs> vfs;
  Failure failure;

  bool is_tight() const { return shape.blocks != UINT64_MAX || shape.nodes != UINT64_MAX; }
};

/// Does one operation and notes what it has reached.
void judged_step(VfsWorld& world, VfsJudge& judge, const gen::VfsOperation& operation);

void run_vfs_odd(sim::Run& run, VfsWorld& world);
void run_vfs_tasks(sim::Run& run, VfsWorld& world);

} // namespace kiln::fs
