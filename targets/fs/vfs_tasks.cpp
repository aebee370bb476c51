// Several tasks in one VFS. Each has a directory of its own, with mounts in it, where its
// operations are judged as if it were alone. Beside that they work
//
// - in a directory that they share, mounts and all, where answers must be possible ones and the
//   tree is sound in the end;
// - on names that are made exclusively and removed: for each, one more is made than removed if and
//   only if it is there in the end;
// - on a file that must be there whenever it is opened for creation, whoever removes it;
// - on a directory that something is mounted on and taken away from, and that is removed and made;
// - on two files that all write records to, one by appending, one by a common open file: every
//   record is there once, whole, and those of a task in order.

#include <algorithm>
#include <array>
#include <optional>

#include "sim/probe.h"
#include "targets/fs/shared_tree.h"
#include "targets/fs/vfs.h"
#include "targets/sync/support.h"

namespace kiln::fs {
namespace {

using clay::File;
using clay::NodeKind;
using clay::RamFs;
using clay::Ref;
using clay::Vfs;
using gen::FsAct;
using worlds::FsError;
using worlds::FsErrors;

const sim::Probe kAtOnce{kVfsTarget, "three tasks are in it at once"};
const sim::Probe kLostRace{kVfsTarget, "two tasks make a name exclusively, and one gets it"};
const sim::Probe kSharedMount{kVfsTarget, "a mount that several tasks use comes and goes"};
const sim::Probe kSharedBusy{kVfsTarget, "a mount is busy with another task"};
const sim::Probe kRecords{kVfsTarget, "records of three tasks are in one file"};

constexpr unsigned kMostTasks = 3;
constexpr unsigned kContested = 2; ///< names that are made exclusively

enum class Where : uint8_t { kShared, kOwn, kRecord, kStream, kMake, kRemove, kAnyway, kMounts };
struct Step {
  Where where;
  uint8_t which;
  gen::VfsOperation operation;
};

/// A line of a file that all write to.
struct Record {
  uint8_t task;
  uint8_t number;
  uint8_t rest[11]; ///< follow from the two
};
static_assert(sizeof(Record) == 13);

Record record_of(uint8_t task, uint8_t number) {
  Record record{task, number, {}};
  gen::fs_fill(static_cast<uint8_t>(task * 64 + number), 0, record.rest);
  return record;
}

struct Shared {
  VfsWorld& world;
  Ref<File> stream;
  unsigned inside = 0;
  int there[kContested] = {}; ///< made less removed
};

struct Job {
  Shared* shared;
  uint8_t number;
  std::optional<VfsJudge> own;
  std::optional<VfsDriver> common;
  clay::Box<clay::FileSystem> fresh; ///< for the next shared mount
  Ref<File> kept;                    ///< open in the shared mount, or what it lies over
  std::vector<Step> steps;
  uint8_t appended = 0;
  uint8_t streamed = 0;
};

bool struck(Job& job, uint64_t allocations, std::optional<FsError> failure) {
  return failure == FsError::kNoMemory && job.shared->world.failure.may_have_struck(allocations);
}

/// A filesystem for the next mount. False: an allocation was made to fail.
bool make_fresh(Job& job) {
  if (job.fresh) return true;
  auto made = RamFs::create(job.shared->world.shape);
  if (made.ok()) job.fresh = clay::Box<clay::FileSystem>(made.take().leak());
  return static_cast<bool>(job.fresh);
}

void shared_step(Job& job, const gen::VfsOperation& operation) {
  if (job.common->is_idle(operation)) return;
  if (operation.act == gen::VfsAct::kMount && !make_fresh(job)) return;
  const uint64_t allocations = Failure::before();
  const Answer answer = job.common->perform(operation, job.fresh);
  if (!answer.failure) return;
  FsErrors right = possible_errors(operation.plain) | FsError::kTooMany | FsError::kReadOnly |
                   FsError::kUnsupported | FsError::kBusy | FsError::kNotPermitted |
                   FsError::kNameTooLong;
  if (operation.plain.act == FsAct::kOpen) right |= FsError::kExists;
  KILN_CHECK(right.has(*answer.failure) || struck(job, allocations, answer.failure),
             "\"%s\" gives %s, which nothing can be the reason of",
             gen::vfs_text(operation).c_str(), text_of(answer.failure));
}

clay::Bytes bytes_of(const Record& record) {
  return {reinterpret_cast<const uint8_t*>(&record), sizeof(record)};
}

void append_record(Job& job) {
  const uint64_t allocations = Failure::before();
  const auto log = job.shared->world.vfs->open("/g", clay::kOpenWrite | clay::kOpenAppend);
  auto failure = failure_of(log);
  if (!failure) {
    failure = failure_of(log.value()->write(bytes_of(record_of(job.number, job.appended))));
    if (!failure) ++job.appended;
  }
  KILN_CHECK(!failure || struck(job, allocations, failure), "a record cannot be appended: %s",
             text_of(failure));
}

void stream_record(Job& job) {
  const uint64_t allocations = Failure::before();
  const auto failure =
      failure_of(job.shared->stream->write(bytes_of(record_of(job.number, job.streamed))));
  if (!failure) ++job.streamed;
  KILN_CHECK(!failure || struck(job, allocations, failure), "a record cannot be written: %s",
             text_of(failure));
}

constexpr const char* kContestedPaths[kContested] = {"/f/a", "/f/b"};

void make_contested(Job& job, unsigned which, bool directory) {
  Vfs& vfs = *job.shared->world.vfs;
  const uint64_t allocations = Failure::before();
  const auto failure =
      directory ? failure_of(vfs.make_directory(kContestedPaths[which]))
                : failure_of(vfs.open(kContestedPaths[which],
                                      clay::kOpenWrite | clay::kOpenCreate | clay::kOpenExclusive));
  if (!failure) {
    ++job.shared->there[which];
  } else if (failure == FsError::kExists) {
    kLostRace.hit();
  } else {
    KILN_CHECK(struck(job, allocations, failure), "a name cannot be made: %s", text_of(failure));
  }
}

void remove_contested(Job& job, unsigned which, bool directory) {
  Vfs& vfs = *job.shared->world.vfs;
  const uint64_t allocations = Failure::before();
  const auto failure = failure_of(directory ? vfs.remove_directory(kContestedPaths[which])
                                            : vfs.unlink(kContestedPaths[which]));
  if (!failure) --job.shared->there[which];
  const bool right = failure == FsError::kNotFound || failure == FsError::kIsDirectory ||
                     failure == FsError::kNotDirectory;
  KILN_CHECK(!failure || right || struck(job, allocations, failure), "a name cannot be removed: %s",
             text_of(failure));
}

/// Opened or removed: a file that anybody may remove can be opened for creation at any time.
void open_anyway(Job& job, bool remove) {
  Vfs& vfs = *job.shared->world.vfs;
  const uint64_t allocations = Failure::before();
  const auto failure = remove ? failure_of(vfs.unlink("/f/c"))
                              : failure_of(vfs.open("/f/c", clay::kOpenWrite | clay::kOpenCreate));
  KILN_CHECK(
      !failure || (remove && failure == FsError::kNotFound) || struck(job, allocations, failure),
      "a file cannot be %s: %s", remove ? "unlinked" : "opened for creation", text_of(failure));
}

/// A symlink that leads out of a filesystem wherever it is mounted, and a long way; or none, for
/// want of memory.
void make_way_out(clay::FileSystem& filesystem) {
  static_cast<void>(filesystem.root().take()->symlink("b", "/f/../f/../f/../g"));
}

/// Something that comes and goes on one directory, which comes and goes itself.
void mount_or_unmount(Job& job, unsigned which) {
  Vfs& vfs = *job.shared->world.vfs;
  if ((which & 128) == 0) job.kept.reset();
  const uint64_t allocations = Failure::before();
  std::optional<FsError> failure;
  FsErrors right;
  switch (which % 8) {
  case 0:
  case 1: {
    if (!make_fresh(job)) return;
    make_way_out(*job.fresh);
    failure = failure_of(vfs.mount("/d", job.fresh));
    right = FsError::kNotFound;
    break;
  }
  case 2:
  case 3:
    failure = failure_of(vfs.unmount("/d"));
    right = FsErrors(FsError::kNotFound) | FsError::kInvalid | FsError::kBusy;
    if (!failure) kSharedMount.hit();
    if (failure == FsError::kBusy && !job.kept) kSharedBusy.hit();
    break;
  case 4: {
    auto opened = vfs.open("/d/a", clay::kOpenWrite | clay::kOpenCreate);
    failure = failure_of(opened);
    right = FsError::kNotFound;
    if (opened.ok() && (which & 128) != 0) job.kept = opened.take();
    break;
  }
  case 5:
    failure = failure_of(vfs.stat((which & 64) != 0 ? "/d/b" : "/d/../g"));
    right = FsError::kNotFound;
    break;
  case 6:
    failure = failure_of(vfs.remove_directory("/d"));
    right = FsErrors(FsError::kNotFound) | FsError::kBusy | FsError::kNotEmpty;
    break;
  default:
    failure = failure_of(vfs.make_directory("/d"));
    right = FsError::kExists;
    break;
  }
  KILN_CHECK(!failure || right.has(*failure) || struck(job, allocations, failure),
             "step %u on a mount gives %s", which % 8, text_of(failure));
}

void do_step(Job& job, const Step& step) {
  switch (step.where) {
  case Where::kShared:
    return shared_step(job, step.operation);
  case Where::kOwn:
    return judged_step(job.shared->world, *job.own, step.operation);
  case Where::kRecord:
    return append_record(job);
  case Where::kStream:
    return stream_record(job);
  case Where::kMake:
    return make_contested(job, step.which % kContested, (step.which & 4) != 0);
  case Where::kRemove:
    return remove_contested(job, step.which % kContested, (step.which & 4) != 0);
  case Where::kAnyway:
    return open_anyway(job, (step.which & 4) != 0);
  case Where::kMounts:
    return mount_or_unmount(job, step.which);
  }
}

void show_jobs(sim::Exhibitor& to, void* arg) {
  for (const Job& job : *static_cast<std::vector<Job>*>(arg)) {
    if (job.own) job.own->show(to, "Task " + std::to_string(job.number + 1));
  }
}

void run_job(void* arg) {
  auto& job = *static_cast<Job*>(arg);
  for (const Step& step : job.steps) {
    if (++job.shared->inside == 3) kAtOnce.hit();
    do_step(job, step);
    --job.shared->inside;
  }
  job.common->close_all();
  job.kept.reset();
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
  static constexpr std::array<uint16_t, 8> kWeights[] = {
      {8, 6, 2, 2, 2, 2, 3, 4}, {1, 1, 1, 1, 1, 1, 1, 20}, {1, 1, 1, 1, 8, 8, 8, 1}};
  const auto& weights = run.tape.swarm().pick(kWeights);
  std::vector<Step> steps;
  for (unsigned i = 0; i < 10 && data.below(20) != 0; ++i) {
    Step step{static_cast<Where>(data.weighted(weights)), data.u8(), {}};
    if (step.where == Where::kOwn) step.operation = own_drawer.operation();
    if (step.where == Where::kShared) step.operation = common_drawer.operation();
    steps.push_back(step);
  }
  return steps;
}

/// Every task's records, in order, and nothing else.
void check_records(Vfs& vfs, const char* path, const std::vector<Job>& jobs,
                   uint8_t Job::* written) {
  const auto file = vfs.open(path, clay::kOpenRead);
  KILN_CHECK(file.ok(), "%s is gone", path);
  uint8_t next[kMostTasks] = {};
  unsigned tasks = 0;
  for (;;) {
    Record record{};
    const auto read = file.value()->read({reinterpret_cast<uint8_t*>(&record), sizeof(record)});
    KILN_CHECK(read.ok(), "%s cannot be read", path);
    if (read.value() == 0) break;
    KILN_CHECK(read.value() == sizeof(record) && record.task < jobs.size(),
               "%s holds what nobody wrote", path);
    const uint8_t number = next[record.task]++;
    const Record right = record_of(record.task, number);
    KILN_CHECK(std::equal(bytes_of(right).begin(), bytes_of(right).end(), bytes_of(record).begin()),
               "%s: record %u of task %u is not where it belongs", path, number, record.task);
    if (number == 0) ++tasks;
  }
  for (const Job& job : jobs) {
    KILN_CHECK(next[job.number] == job.*written, "%s holds %u of task %u's %u records", path,
               next[job.number], job.number, job.*written);
  }
  if (tasks == kMostTasks) kRecords.hit();
}

void check_contested(Vfs& vfs, const Shared& shared) {
  for (unsigned which = 0; which < kContested; ++which) {
    const bool there = vfs.stat(kContestedPaths[which]).ok();
    KILN_CHECK(shared.there[which] == (there ? 1 : 0),
               "%s was made %d times more often than removed, and is %s", kContestedPaths[which],
               shared.there[which], there ? "there" : "not there");
  }
}

} // namespace

void run_vfs_tasks(sim::Run& run, VfsWorld& world) {
  Vfs& vfs = *world.vfs;
  auto data = run.tape.data();
  sync::Shape shape{static_cast<unsigned>(data.between(1, 3)), false, false,
                    run.tape.fault().below(6) == 5};
  run.machine.set_cpus(shape.cpus);
  for (const char* path : {"/d", "/f", "/h"}) {
    KILN_CHECK(vfs.make_directory(path).ok(), "the tree cannot be begun");
  }
  constexpr uint32_t kNewFile = clay::kOpenWrite | clay::kOpenCreate;
  KILN_CHECK(vfs.open("/g", kNewFile).ok(), "the tree cannot be begun");
  Shared shared{world, vfs.open("/e", kNewFile).take()};
  std::vector<Job> jobs(data.between(2, kMostTasks));
  for (size_t i = 0; i < jobs.size(); ++i) {
    sim::Span span(run.tape, "task");
    Job& job = jobs[i];
    job.shared = &shared;
    job.number = static_cast<uint8_t>(i);
    const std::string below = "/" + std::string(gen::fs_name(job.number));
    KILN_CHECK(vfs.make_directory(below.c_str()).ok(), "the tree cannot be begun");
    auto root = world.root->root().take()->lookup(name_of(job.number));
    job.own.emplace(vfs, world.shape, root.take(), below);
    job.common.emplace(vfs, "/h");
    job.steps = draw_steps(run);
  }
  const sim::Exhibit exhibit(show_jobs, &jobs);
  if (shape.may_fail) world.failure.arm(run.tape.fault().below(100));
  sync::run_tasks<kMostTasks>(shape, "fs", run_job, jobs);
  world.failure.disarm();
  shared.stream.reset();
  for (Job& job : jobs) {
    job.own->check_all();
    job.own->let_go();
  }
  check_records(vfs, "/g", jobs, &Job::appended);
  check_records(vfs, "/e", jobs, &Job::streamed);
  check_contested(vfs, shared);
  unmount_all(vfs);
  const Ref<clay::Node> root = world.root->root().take();
  const Totals totals = check_tree(*root);
  const clay::FileSystemStat stat = world.root->stat();
  KILN_CHECK(stat.nodes - stat.free_nodes == totals.nodes, "%llu nodes are in use, not %llu",
             static_cast<unsigned long long>(stat.nodes - stat.free_nodes),
             static_cast<unsigned long long>(totals.nodes));
}

} // namespace kiln::fs
