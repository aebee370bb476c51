// Operations, and what the kernel answers.

#include <algorithm>

#include "targets/fs/answer.h"
#include "targets/fs/ext2_probes.h"
#include "targets/fs/ext2_world.h"
#include "targets/fs/tree.h"
#include "targets/sync/support.h"

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using worlds::FsError;
using worlds::FsErrors;
using worlds::FsFound;
using worlds::FsHistory;

namespace {

bool is_sync(FsAct act) {
  return act == FsAct::kSync || act == FsAct::kSyncNode || act == FsAct::kSyncHandle;
}

} // namespace

// --- Hands

void Ext2World::take_hold() {
  drivers_.clear();
  for (unsigned task = 0; task < features_.tasks; ++task) {
    auto root = room_.fs().root();
    KILN_CHECK(root.ok(), "there is no root after a mount: %s", text_of(failure_of(root)));
    drivers_.emplace_back(root.take());
  }
  nodes_.emplace();
  struck_ = false;
}

void Ext2World::let_go() {
  for (NodeDriver& driver : drivers_) {
    driver.let_go();
  }
  drivers_.clear();
}

// --- One operation

void Ext2World::step(unsigned task, const FsOperation& operation) {
  if (operation.act == FsAct::kRemount) return remount();
  if (lost_) {
    if (!drivers_[task].is_idle(operation)) drivers_[task].perform(operation);
    return;
  }
  if (history_.now().is_idle(operation)) return;
  history_.begin(task, operation);
  const uint64_t allocations = Failure::before();
  const uint32_t hits = room_.hits();
  const Answer answer = drivers_[task].perform(operation);
  if (failure_.may_have_struck(allocations)) struck_ = true;
  if (!powered()) {
    // It has happened or has not, whatever the kernel says now; but nothing has become durable.
    KILN_CHECK(answer.failure || !is_sync(operation.act) || features_.tasks != 1,
               "\"%s\" succeeds, and the power has gone meanwhile",
               gen::fs_text(operation).c_str());
    is_sync(operation.act) ? probes.cut_in_sync.hit() : probes.cut_in_operation.hit();
    return;
  }
  judge_answer(task, operation, answer, allocations);
  if (!answer.failure) return;
  if (*answer.failure == FsError::kNoMemory) probes.no_memory.hit();
  if (is_sync(operation.act)) probes.sync_fails.hit();
  const bool refused = !history_.now().errors(operation).has(*answer.failure);
  history_.failed(task, refused && room_.hits() != hits);
  if (!refused) return;
  probes.refused.hit();
  if (features_.tasks == 1) check_tree();
}

void Ext2World::judge_answer(unsigned task, const FsOperation& operation, const Answer& answer,
                             uint64_t allocations) {
  const FsErrors expected = history_.now().errors(operation);
  if (features_.tasks == 1) operation_probes.note(history_.now(), operation, answer.failure);
  if (answer.failure) {
    const bool right = expected.has(*answer.failure) ||
                       tolerated(operation, *answer.failure, allocations).has(*answer.failure);
    KILN_CHECK(right, "\"%s\" gives %s, not %s", gen::fs_text(operation).c_str(),
               text_of(answer.failure), expected.text().c_str());
    return;
  }
  KILN_CHECK(expected.empty(), "\"%s\" succeeds where %s is right", gen::fs_text(operation).c_str(),
             expected.text().c_str());
  judge_success(task, operation, answer);
}

void Ext2World::judge_success(unsigned task, const FsOperation& operation, const Answer& answer) {
  const auto made = history_.succeeded(task);
  const worlds::FsModel& model = history_.now();
  if (made) {
    KILN_CHECK(answer.node, "\"%s\" gives no node", gen::fs_text(operation).c_str());
    nodes_->check_node(model, *made, *answer.node);
    history_.set_number(*made, answer.node->stat().number);
    return;
  }
  const auto id = gen::fs_of_handle(operation.act) ? model.opened(operation.handle)
                                                   : model.find(operation.path);
  switch (operation.act) {
  case FsAct::kRead:
  case FsAct::kReadHandle:
    KILN_CHECK(answer.count == model.readable(*id, operation.offset, operation.length),
               "\"%s\" gives %lu bytes", gen::fs_text(operation).c_str(), answer.count);
    return nodes_->check_bytes(model, *id, operation.offset,
                               std::span(answer.bytes).first(answer.count));
  case FsAct::kReadLink:
    return nodes_->check_target(model, *id, answer.count, answer.bytes);
  case FsAct::kStat:
  case FsAct::kStatHandle:
    return nodes_->check_stat(model, *id, answer.stat);
  case FsAct::kList:
    return nodes_->check_entries(model, *id, answer.entries);
  default:
    return;
  }
}

/// Errors that the model knows no reason of, and there may be one.
FsErrors Ext2World::tolerated(const FsOperation& operation, FsError failure, uint64_t allocations) {
  FsErrors out;
  if (faulted()) {
    out |= FsErrors(FsError::kIo) | FsError::kNoDevice | FsError::kTimedOut | FsError::kBusy;
  }
  if (failure_.may_have_struck(allocations)) out |= FsError::kNoMemory;
  if ((faulted() || struck_) && room_.fs().read_only()) out |= FsError::kReadOnly;
  if (failure == FsError::kNoSpace) {
    if (features_.tasks == 1) check_no_space(operation);
    out |= FsError::kNoSpace;
  }
  return out;
}

void Ext2World::check_no_space(const FsOperation& operation) {
  const clay::FileSystemStat stat = room_.fs().stat();
  uint64_t blocks = 3; // a directory that grows, with a block of pointers; a block of its own
  uint64_t nodes = 1;
  if (operation.act == FsAct::kWrite || operation.act == FsAct::kWriteHandle) {
    blocks = operation.length / stat.block_bytes + 2 + 5; // and blocks of pointers
    nodes = 0;
  }
  KILN_CHECK(stat.free_blocks < blocks || stat.free_nodes < nodes,
             "\"%s\" gives kNoSpace, and %lu blocks and %lu inodes are free",
             gen::fs_text(operation).c_str(), stat.free_blocks, stat.free_nodes);
  probes.no_space.hit();
}

// --- The tree

bool Ext2World::look(FsFound& found) {
  const Ext2Disk::Calm calm(room_);
  failure_.disarm();
  const auto root = room_.fs().root();
  clay::Result<> looked = root.ok() ? clay::Result<>() : root.error();
  if (looked.ok()) looked = look_through_kernel(*root.value(), how_to_look(), found);
  if (looked.ok()) return true;
  KILN_CHECK(lost_ || !powered() || has_bad_sectors(), "the tree cannot be read: %s",
             text_of(failure_of(looked)));
  return false;
}

void Ext2World::check_tree() {
  FsFound found;
  if (lost_ || !look(found)) return;
  FsHistory exactly(history_.now(), history_.numbers());
  const worlds::FsVerdict verdict = fs_judge(exactly, exactly.moment(), found);
  KILN_CHECK(verdict.right(), "without a loss of power: %s", verdict.wrong.c_str());
}

// --- Programs

void Ext2World::remount() {
  if (!unmount()) return;
  failure_.disarm();
  hits_at_mount_ = room_.hits();
  const auto mounted = room_.mount({.read_only = history_.now().read_only});
  KILN_CHECK(mounted.ok() || lost_ || faulted(), "what was unmounted cannot be mounted: %s",
             text_of(failure_of(mounted)));
  if (mounted.ok()) take_hold();
}

void Ext2World::work_read_only() {
  probes.mounted_read_only.hit();
  const Ext2Disk::Calm calm(room_);
  const uint64_t hash = room_.disk.medium().hash();
  const auto mounted = room_.mount({.read_only = true});
  KILN_CHECK(mounted.ok(), "it cannot be mounted read-only: %s", text_of(failure_of(mounted)));
  worlds::FsModel model = stock_.model(limits_);
  model.read_only = true;
  history_ = FsHistory(std::move(model), stock_.numbers);
  take_hold();
  work();
  check_tree();
  KILN_CHECK(unmount(), "it cannot be unmounted");
  KILN_CHECK(room_.disk.medium().hash() == hash && room_.disk.pending().empty(),
             "a read-only mount has written something");
  history_ = FsHistory(stock_.model(limits_), stock_.numbers);
}

void Ext2World::work() {
  if (features_.tasks > 1) return work_together();
  auto data = run_.tape.data();
  for (unsigned i = 0; i < 24 && powered() && room_.is_mounted() && data.below(12) != 0; ++i) {
    step(0, drawer_.operation());
  }
}

} // namespace kiln::fs
