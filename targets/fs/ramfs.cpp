// A ramfs by its nodes.
//
// Alone: a program of operations against the model (worlds/fs/model.h), with a filesystem that is
// short of blocks, nodes or links now and then, with one that turns read-only, and with an
// allocation that fails. Every answer is compared; what was refused has changed nothing; the
// filesystem's books are those of its nodes.
//
// Several tasks: each has a directory of its own, whose part of the program is judged as above, and
// all work in one that they share, where answers must be possible ones and the tree is sound in the
// end. One file is written from end to end by all: every read finds it as one of them left it.
//
// Deep: a chain of directories that ends with the filesystem, or is taken down by hand, on the
// stack that any task has.

#include "kernel-src/fs/ramfs.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/target.h"
#include "targets/fs/failure.h"
#include "targets/fs/fs_probes.h"
#include "targets/fs/node_judge.h"
#include "targets/fs/shared_tree.h"
#include "targets/sync/support.h"

namespace kiln::fs {
namespace {

using clay::Node;
using clay::NodeKind;
using clay::RamFs;
using clay::Ref;
using gen::FsAct;
using gen::FsOperation;
using worlds::FsError;
using worlds::FsErrors;

constexpr const char* kTarget = "fs/ramfs";
const FsProbes probes{kTarget};
const sim::Probe kNoBlocks{kTarget, "no blocks are left"};
const sim::Probe kNoNodes{kTarget, "no nodes are left"};
const sim::Probe kNoMemoryForName{kTarget, "no memory for a new name"};
const sim::Probe kNoMemoryForData{kTarget, "no memory for data"};
const sim::Probe kNoMemoryForTree{kTarget, "no memory for the filesystem"};
const sim::Probe kAtOnce{kTarget, "three tasks are in it at once"};
const sim::Probe kLost{kTarget, "two tasks want one name"};
const sim::Probe kDeepUnmount{kTarget, "a deep tree goes with its filesystem"};
const sim::Probe kDeepEmpty{kTarget, "a deep tree is taken down from below"};
const sim::Probe kBothHalves{kTarget, "a file that several write is read"};

constexpr unsigned kMostTasks = 3;
constexpr size_t kStripe = 1500; ///< bytes of the file that all write

bool makes_node(FsAct act) {
  return act == FsAct::kCreate || act == FsAct::kMakeDirectory || act == FsAct::kSymlink;
}

/// The blocks that a write can need.
uint64_t blocks_of(const FsOperation& operation) {
  if (operation.length == 0 || operation.offset > RamFs::kMostBytes) return 0;
  const uint64_t last = operation.offset + operation.length - 1;
  return last / RamFs::kBlockBytes - operation.offset / RamFs::kBlockBytes + 1;
}

struct World {
  RamFs::Shape shape;
  clay::Box<RamFs> ramfs;
  Failure failure;

  worlds::FsLimits limits() const {
    return {RamFs::kMostBytes, shape.most_links, shape.most_target, 255};
  }
  bool is_tight() const { return shape.blocks != UINT64_MAX || shape.nodes != UINT64_MAX; }

  /// The filesystem's books against what its nodes say.
  void check_books(const Totals& totals) const {
    const clay::FileSystemStat stat = ramfs->stat();
    KILN_CHECK(std::string_view(ramfs->type()) == "ramfs", "it is of type %s", ramfs->type());
    KILN_CHECK(stat.block_bytes == RamFs::kBlockBytes && stat.blocks == shape.blocks &&
                   stat.nodes == shape.nodes,
               "the filesystem has another shape than it was made with");
    KILN_CHECK(stat.nodes - stat.free_nodes == totals.nodes, "%llu nodes are in use, not %llu",
               static_cast<unsigned long long>(stat.nodes - stat.free_nodes),
               static_cast<unsigned long long>(totals.nodes));
    KILN_CHECK((stat.blocks - stat.free_blocks) * RamFs::kBlockBytes == totals.allocated,
               "%llu blocks are in use, and nodes have %llu bytes",
               static_cast<unsigned long long>(stat.blocks - stat.free_blocks),
               static_cast<unsigned long long>(totals.allocated));
  }
};

void note_no_memory(const FsOperation& operation) {
  if (makes_node(operation.act) || operation.act == FsAct::kLink ||
      operation.act == FsAct::kRename) {
    kNoMemoryForName.hit();
  } else {
    kNoMemoryForData.hit();
  }
}

/// One operation of a program that has its part of the tree for itself.
void judged_step(World& world, NodeJudge& judge, const FsOperation& operation, bool alone) {
  const worlds::FsModel before = judge.model;
  const uint64_t allocations = Failure::before();
  const clay::FileSystemStat space = world.ramfs->stat();
  const FsErrors expected = before.errors(operation);
  const bool names_are_looked_at_first =
      (operation.act == FsAct::kCreate || operation.act == FsAct::kMakeDirectory) && alone;
  const Outcome outcome = judge.step(operation, [&]() -> FsErrors {
    FsErrors tolerated;
    // What is refused for its name is refused before it costs anything.
    if (names_are_looked_at_first && !expected.empty() && expected != FsError::kTooMany) {
      return tolerated;
    }
    if (world.failure.may_have_struck(allocations)) tolerated |= FsError::kNoMemory;
    const bool nodes = makes_node(operation.act) && (!alone || space.free_nodes == 0);
    const bool blocks = (operation.act == FsAct::kWrite || operation.act == FsAct::kWriteHandle) &&
                        (!alone || space.free_blocks < blocks_of(operation));
    if (world.is_tight() && (nodes || blocks)) tolerated |= FsError::kNoSpace;
    return tolerated;
  });
  probes.note(before, operation, outcome.failure);
  if (!outcome.refused()) return;
  if (*outcome.failure == FsError::kNoMemory) return note_no_memory(operation);
  makes_node(operation.act) ? kNoNodes.hit() : kNoBlocks.hit();
}

gen::FsStyle draw_style(sim::Run& run) {
  auto swarm = run.tape.swarm();
  gen::FsStyle style;
  style.names = static_cast<uint8_t>(3 + swarm.below(4));
  style.most_depth = swarm.boolean() ? 3 : 6;
  style.thorough = true;
  if (swarm.below(4) == 3) { // offsets up to the end of all files
    style.most_bytes = 0;
    style.edge_bytes = RamFs::kMostBytes;
  }
  return style;
}

// --- Alone

void run_alone(sim::Run& run, World& world) {
  auto data = run.tape.data();
  const gen::FsStyle style = draw_style(run);
  NodeJudge judge(world.ramfs->root().take(), world.limits());
  judge.checker.block_bytes = RamFs::kBlockBytes;
  const sim::Exhibit exhibit(
      [](sim::Exhibitor& to, void* arg) { static_cast<NodeJudge*>(arg)->show(to, ""); }, &judge);
  gen::FsDrawer drawer(run.tape, style);
  if (run.tape.swarm().below(4) == 3) {
    world.failure.arm(run.tape.fault().below(40));
  }
  for (unsigned step = 0; step < 40 && data.below(40) != 0; ++step) {
    judged_step(world, judge, drawer.operation(), true);
    const auto aside = data.weighted({40, 4, 1});
    if (aside == 1) world.check_books(judge.check_all());
    if (aside == 2) {
      judge.model.read_only = !judge.model.read_only;
      world.ramfs->set_read_only(judge.model.read_only);
      KILN_CHECK(world.ramfs->read_only() == judge.model.read_only, "it is not as it was set");
    }
  }
  world.failure.disarm();
  world.check_books(judge.check_all());
  if (data.boolean() && !judge.model.read_only) {
    judge.driver.close_all();
    empty_out(judge.driver.root());
    world.check_books({1, 0});
  }
  judge.driver.let_go();
}

// --- Several tasks

struct Shared {
  World& world;
  Ref<Node> stripe;
  unsigned inside = 0; ///< tasks that are in an operation
};

enum class Where : uint8_t { kOwn, kShared, kStripeWrite, kStripeRead, kStripeCut };
struct Step {
  Where where;
  FsOperation operation;
};

struct Job {
  Shared* shared;
  unsigned number;
  std::optional<NodeJudge> own;
  std::optional<NodeDriver> common;
  std::vector<Step> steps;
};

void shared_step(Job& job, const FsOperation& operation) {
  if (job.common->is_idle(operation)) return;
  World& world = job.shared->world;
  const uint64_t allocations = Failure::before();
  const Answer answer = job.common->perform(operation);
  if (!answer.failure) return;
  FsErrors right = possible_errors(operation);
  if (world.is_tight()) right |= FsError::kNoSpace;
  if (world.failure.may_have_struck(allocations)) right |= FsError::kNoMemory;
  KILN_CHECK(right.has(*answer.failure), "\"%s\" gives %s, which nothing can be the reason of",
             gen::fs_text(operation).c_str(), text_of(answer.failure));
  if (*answer.failure == FsError::kExists) kLost.hit();
}

/// The file is empty, or all of it comes from one write.
void read_stripe(Node& file) {
  std::array<uint8_t, kStripe + 1> got = {};
  const auto read = file.read(0, got);
  KILN_CHECK(read.ok(), "the shared file cannot be read: %s", text_of(failure_of(read)));
  if (read.value() == 0) return;
  KILN_CHECK(read.value() == kStripe, "the shared file has %zu bytes", read.value());
  std::array<uint8_t, kStripe> whole;
  for (unsigned fill = 0; fill < 256; ++fill) {
    if (gen::fs_byte(static_cast<uint8_t>(fill), 0) != got[0]) continue;
    gen::fs_fill(static_cast<uint8_t>(fill), 0, whole);
    if (std::equal(whole.begin(), whole.end(), got.begin())) return kBothHalves.hit();
  }
  KILN_CHECK(false, "the shared file is a mixture of two writes");
}

void do_step(Job& job, const Step& step) {
  World& world = job.shared->world;
  Node& stripe = *job.shared->stripe;
  switch (step.where) {
  case Where::kOwn:
    return judged_step(world, *job.own, step.operation, false);
  case Where::kShared:
    return shared_step(job, step.operation);
  case Where::kStripeWrite: {
    std::array<uint8_t, kStripe> bytes;
    gen::fs_fill(step.operation.fill, 0, bytes);
    const uint64_t allocations = Failure::before();
    const auto failure = failure_of(stripe.write(0, bytes));
    const bool space = failure == FsError::kNoSpace && world.is_tight();
    const bool memory = failure == FsError::kNoMemory && world.failure.may_have_struck(allocations);
    KILN_CHECK(!failure || space || memory, "the shared file cannot be written: %s",
               text_of(failure));
    return;
  }
  case Where::kStripeRead:
    return read_stripe(stripe);
  case Where::kStripeCut:
    KILN_CHECK(stripe.truncate(0).ok(), "the shared file cannot be cut");
    return;
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
}

std::vector<Step> draw_steps(sim::Run& run) {
  auto data = run.tape.data();
  gen::FsStyle own;
  gen::FsStyle common;
  common.names = 2;
  common.long_names = false;
  common.most_depth = 2;
  common.weights[static_cast<size_t>(FsAct::kMakeDirectory)] = 16;
  common.weights[static_cast<size_t>(FsAct::kRename)] = 24;
  gen::FsDrawer own_drawer(run.tape, own);
  gen::FsDrawer common_drawer(run.tape, common);
  std::vector<Step> steps;
  for (unsigned i = 0; i < 12 && data.below(20) != 0; ++i) {
    static constexpr Where kWhere[] = {Where::kShared, Where::kOwn, Where::kStripeWrite,
                                       Where::kStripeRead, Where::kStripeCut};
    Step step{kWhere[data.weighted({8, 5, 2, 2, 1})], {}};
    if (step.where == Where::kOwn) step.operation = own_drawer.operation();
    if (step.where == Where::kShared) step.operation = common_drawer.operation();
    if (step.where == Where::kStripeWrite) step.operation.fill = data.u8();
    steps.push_back(step);
  }
  return steps;
}

void run_tasks(sim::Run& run, World& world, const sync::Shape& shape) {
  const Ref<Node> root = world.ramfs->root().take();
  const auto make = [&](gen::FsName name, NodeKind kind) {
    auto made = root->create(name_of(name), kind, 0755);
    KILN_CHECK(made.ok(), "the tree cannot be begun: %s", text_of(failure_of(made)));
    return made.take();
  };
  Shared shared{world, make(6, NodeKind::kFile)};
  Ref<Node> common = make(7, NodeKind::kDirectory);
  std::vector<Job> jobs(run.tape.data().between(2, kMostTasks));
  for (size_t i = 0; i < jobs.size(); ++i) {
    sim::Span span(run.tape, "task");
    jobs[i].shared = &shared;
    jobs[i].number = static_cast<unsigned>(i);
    jobs[i].own.emplace(make(static_cast<gen::FsName>(i), NodeKind::kDirectory), world.limits());
    jobs[i].common.emplace(Ref<Node>(*common));
    jobs[i].steps = draw_steps(run);
  }
  const sim::Exhibit exhibit(show_jobs, &jobs);
  if (shape.may_fail) world.failure.arm(run.tape.fault().below(60));
  sync::run_tasks<kMostTasks>(shape, "fs", run_job, jobs);
  world.failure.disarm();
  for (Job& job : jobs) {
    job.own->check_all();
    job.own->driver.let_go();
    job.common->let_go();
  }
  shared.stripe.reset();
  common.reset();
  world.check_books(check_tree(*root));
  if (run.tape.data().boolean()) {
    empty_out(*root);
    world.check_books({1, 0});
  }
}

// --- Deep

void run_deep(sim::Run& run, World& world) {
  auto data = run.tape.data();
  const uint64_t depth = data.between(100, 1500);
  {
    Ref<Node> at = world.ramfs->root().take();
    for (uint64_t i = 0; i < depth; ++i) {
      auto made = at->create("a", NodeKind::kDirectory, 0755);
      KILN_CHECK(made.ok(), "a directory %llu deep cannot be made",
                 static_cast<unsigned long long>(i));
      at = made.take();
    }
  }
  if (data.boolean()) {
    empty_out(*world.ramfs->root().take());
    world.check_books({1, 0});
    kDeepEmpty.hit();
  } else {
    kDeepUnmount.hit();
  }
}

// --- The target

void draw_shape(sim::Run& run, RamFs::Shape& shape) {
  auto swarm = run.tape.swarm();
  const auto tight = swarm.weighted({6, 3, 3, 4});
  auto data = run.tape.data();
  if (tight == 1) shape.blocks = data.below(12);
  if (tight == 2) shape.nodes = data.between(1, 12);
  if (tight == 3) shape.most_links = static_cast<uint32_t>(data.between(2, 5));
}

void run_target(sim::Run& run) {
  World world;
  const auto kind = run.tape.swarm().below(128);
  if (kind >= 40 && kind < 127) {
    draw_shape(run, world.shape);
  }
  sync::Shape shape{1, false, false, false};
  if (kind >= 96 && kind < 127) {
    // What the tasks' directories need.
    world.shape.nodes = std::max<uint64_t>(world.shape.nodes, 6 + run.tape.data().below(6));
    world.shape.most_links = std::max<uint32_t>(world.shape.most_links, 7);
    shape.cpus = static_cast<unsigned>(run.tape.data().between(1, 3));
    shape.may_fail = run.tape.fault().below(6) == 5;
    run.machine.set_cpus(shape.cpus);
  }
  auto made = RamFs::create(world.shape);
  if (run.tape.fault().below(64) == 63) {
    if (made.ok()) static_cast<void>(made.take());
    world.failure.arm(run.tape.fault().below(3));
    made = RamFs::create(world.shape);
    world.failure.disarm();
    if (!made.ok()) {
      KILN_CHECK(made.failed_with(clay::Error::kNoMemory),
                 "a filesystem is refused without reason");
      return kNoMemoryForTree.hit();
    }
  }
  KILN_CHECK(made.ok(), "a filesystem is refused");
  world.ramfs = made.take();
  KILN_CHECK(world.ramfs->root().take()->stat().permissions == 0755, "its root has another mode");
  if (kind < 96) {
    run_alone(run, world);
  } else if (kind < 127) {
    run_tasks(run, world, shape);
  } else {
    run_deep(run, world);
  }
  const auto unmounted = world.ramfs->unmount();
  KILN_CHECK(unmounted.ok(), "it cannot be unmounted: %s", text_of(failure_of(unmounted)));
  world.check_books({0, 0});
}

const sim::Target target{{
    .name = kTarget,
    .purpose =
        "A filesystem in memory by its nodes, against a model; alone and from several tasks.",
    .run = run_target,
    .gate_inputs = 20'000,
    .longest_tape = 2048,
    .tags = "fs",
}};

} // namespace
} // namespace kiln::fs
