// Several tasks in one VFS. Each has a directory of its own, with mounts in it, where its
// operations are judged as if it were alone. Beside that they work in a directory that they share,
// mounts and all, where answers must be possible ones and the tree is sound in the end; and on what
// vfs_together.h says.

#include <algorithm>
#include <array>
#include <optional>

#include "sim/probe.h"
#include "targets/fs/shared_tree.h"
#include "targets/fs/vfs_together.h"
#include "targets/sync/support.h"

namespace kiln::fs {
namespace {

using clay::Ref;
using clay::Vfs;
using gen::FsAct;
using worlds::FsError;
using worlds::FsErrors;

const sim::Probe kAtOnce{kVfsTarget, "three tasks are in it at once"};

constexpr size_t kKinds = 2 // in the shared directory, in its own; and together:
#define KILN_VFS_COUNT(id) +1
    KILN_VFS_TOGETHER(KILN_VFS_COUNT)
#undef KILN_VFS_COUNT
    ;

struct Step {
  uint8_t kind; ///< below kKinds
  uint8_t which;
  gen::VfsOperation operation;
};

struct Job {
  Together& all;
  Member member;
  std::optional<VfsJudge> own;
  std::optional<VfsDriver> common;
  std::vector<Step> steps;
  unsigned* inside; ///< how many tasks are in a step

  Job(Together& together, size_t index, unsigned& inside)
      : all(together), member(together, index), inside(&inside) {}
};

void shared_step(Job& job, const gen::VfsOperation& operation) {
  if (job.common->is_idle(operation)) return;
  if (operation.act == gen::VfsAct::kMount && !make_fresh(job.member)) return;
  const uint64_t allocations = Failure::before();
  const Answer answer = job.common->perform(operation, job.member.fresh);
  if (!answer.failure) return;
  FsErrors right = possible_errors(operation.plain) | FsError::kTooMany | FsError::kReadOnly |
                   FsError::kUnsupported | FsError::kBusy | FsError::kNotPermitted |
                   FsError::kNameTooLong;
  if (operation.plain.act == FsAct::kOpen) right |= FsError::kExists;
  KILN_CHECK(right.has(*answer.failure) || struck(job.member, allocations, answer.failure),
             "\"%s\" gives %s, which nothing can be the reason of",
             gen::vfs_text(operation).c_str(), text_of(answer.failure));
}

void do_step(Job& job, const Step& step) {
  using Work = void (*)(Member&, unsigned);
  static constexpr Work kWork[] = {
#define KILN_VFS_WORK(id) id,
      KILN_VFS_TOGETHER(KILN_VFS_WORK)
#undef KILN_VFS_WORK
  };
  if (step.kind == 0) return shared_step(job, step.operation);
  if (step.kind == 1) return judged_step(job.all.world, *job.own, step.operation);
  kWork[step.kind - 2](job.member, step.which);
}

void show_jobs(sim::Exhibitor& to, void* arg) {
  for (const Job& job : *static_cast<std::vector<Job>*>(arg)) {
    if (job.own) job.own->show(to, "Task " + std::to_string(job.member.number + 1));
  }
}

void run_job(void* arg) {
  auto& job = *static_cast<Job*>(arg);
  for (const Step& step : job.steps) {
    if (++*job.inside == 3) kAtOnce.hit();
    do_step(job, step);
    --*job.inside;
  }
  job.common->close_all();
  job.member.kept.reset();
}

std::vector<Step> draw_steps(sim::Run& run) {
  auto data = run.tape.data();
  gen::FsStyle own;
  own.absolute_targets = false;
  gen::FsStyle common = own;
  common.names = 2;
  common.long_names = false;
  common.most_depth = 2;
  common.most_bytes = 4096;
  common.weights[static_cast<size_t>(FsAct::kMakeDirectory)] = 16;
  common.weights[static_cast<size_t>(FsAct::kRename)] = 24;
  gen::VfsDrawer own_drawer(run.tape, own);
  gen::VfsDrawer common_drawer(run.tape, common);
  // In order: shared, own, append, stream, make, remove, anyway, mount, replace, place, empty.
  static constexpr std::array<uint16_t, kKinds> kWeights[] = {{8, 6, 2, 2, 2, 2, 3, 4, 2, 2, 2},
                                                              {1, 1, 1, 1, 1, 1, 1, 20, 1, 1, 1},
                                                              {1, 1, 1, 1, 4, 4, 4, 1, 8, 8, 8}};
  const auto& weights = run.tape.swarm().pick(kWeights);
  std::vector<Step> steps;
  for (unsigned i = 0; i < 10 && data.below(20) != 0; ++i) {
    Step step{static_cast<uint8_t>(data.weighted(weights)), data.u8(), {}};
    if (step.kind == 0) step.operation = common_drawer.operation();
    if (step.kind == 1) step.operation = own_drawer.operation();
    steps.push_back(step);
  }
  return steps;
}

} // namespace

void run_vfs_tasks(sim::Run& run, VfsWorld& world) {
  Vfs& vfs = *world.vfs;
  auto data = run.tape.data();
  sync::Shape shape{static_cast<unsigned>(data.between(1, 3)), false, false,
                    run.tape.fault().below(6) == 5};
  run.machine.set_cpus(shape.cpus);
  Together all(world);
  begin_together(vfs, all);
  unsigned inside = 0;
  std::vector<Job> jobs;
  const size_t count = data.between(2, kMostTasks);
  jobs.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    sim::Span span(run.tape, "task");
    Job& job = jobs.emplace_back(all, i, inside);
    const std::string below = "/" + std::string(gen::fs_name(job.member.number));
    KILN_CHECK(vfs.make_directory(below.c_str()).ok(), "the tree cannot be begun");
    auto root = world.root->root().take()->lookup(name_of(job.member.number));
    job.own.emplace(vfs, world.shape, root.take(), below);
    job.common.emplace(vfs, "/h");
    job.steps = draw_steps(run);
  }
  const sim::Exhibit exhibit(show_jobs, &jobs);
  if (shape.may_fail) world.failure.arm(run.tape.fault().below(100));
  sync::run_tasks<kMostTasks>(shape, "fs", run_job, jobs);
  world.failure.disarm();
  all.stream.reset();
  std::vector<const Member*> members;
  for (Job& job : jobs) {
    job.own->check_all();
    job.own->let_go();
    members.push_back(&job.member);
  }
  check_together(vfs, all, members);
  unmount_all(vfs);
  const Ref<clay::Node> root = world.root->root().take();
  const Totals totals = check_tree(*root);
  const clay::FileSystemStat stat = world.root->stat();
  KILN_CHECK(stat.nodes - stat.free_nodes == totals.nodes, "%llu nodes are in use, not %llu",
             static_cast<unsigned long long>(stat.nodes - stat.free_nodes),
             static_cast<unsigned long long>(totals.nodes));
}

} // namespace kiln::fs
