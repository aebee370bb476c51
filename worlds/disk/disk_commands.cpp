// What commands do when nothing goes wrong.

#include <algorithm>

#include "sim/machine.h"
#include "worlds/disk/disk.h"

namespace kiln::worlds {

DiskAnswer Disk::refusal(const DiskCommand& command) const {
  if (!powered_ || !present_) return DiskAnswer::kGone;
  if (command.op == DiskOp::kFlush) return DiskAnswer::kOk;
  if (command.sectors == 0 || command.sectors > shape_.most_sectors ||
      command.sectors > shape_.sectors || command.sector > shape_.sectors - command.sectors) {
    return DiskAnswer::kOutOfRange;
  }
  if (command.op == DiskOp::kRead) return DiskAnswer::kOk;
  const bool lacks = (command.durable && !shape_.has_durable_write) ||
                     (command.op == DiskOp::kDiscard && !shape_.has_discard);
  return shape_.read_only || lacks ? DiskAnswer::kUnsupported : DiskAnswer::kOk;
}

Disk::UnderWay Disk::accept(CommandId id, const DiskCommand& command, std::span<uint8_t> data) {
  UnderWay work{id, command, data, tag_, writes_, refusal(command)};
  if (work.refused != DiskAnswer::kOk) return work;
  const bool moves = command.op == DiskOp::kRead || command.op == DiskOp::kWrite;
  const uint64_t want = moves ? command.sectors * shape_.sector_bytes : data.size();
  KILN_CHECK(data.size() == want, "a disk command of %lu sectors comes with %lu bytes",
             command.sectors, data.size());
  if (faults_ != nullptr) work.fate = faults_->next(command);
  return work;
}

DiskAnswer Disk::answer(const UnderWay& work, DiskAnswer answer) {
  ++commands_;
  log_.add({.answer = answer, .fault = work.fate.kind, .command = work.command, .text = work.tag});
  return answer;
}

DiskAnswer Disk::perform(const DiskCommand& command, std::span<uint8_t> data) {
  moved_ = 0;
  const UnderWay work = accept(0, command, data);
  return answer(work, carry_out(work));
}

Disk::CommandId Disk::begin(const DiskCommand& command, std::span<uint8_t> data) {
  under_way_.push_back(accept(next_id_, command, data));
  return next_id_++;
}

Disk::UnderWay* Disk::find(CommandId id) {
  const auto found = std::find_if(under_way_.begin(), under_way_.end(),
                                  [id](const UnderWay& work) { return work.id == id; });
  return found == under_way_.end() ? nullptr : &*found;
}

FaultKind Disk::fate(CommandId id) const {
  const UnderWay* work = const_cast<Disk*>(this)->find(id);
  return work == nullptr ? FaultKind::kNone : work->fate.kind;
}

DiskAnswer Disk::finish(CommandId id) {
  moved_ = 0;
  const UnderWay* found = find(id);
  if (found == nullptr) return DiskAnswer::kGone;
  const UnderWay work = *found;
  const DiskAnswer got = answer(work, carry_out(work));
  abandon(id);
  return got;
}

void Disk::abandon(CommandId id) {
  std::erase_if(under_way_, [id](const UnderWay& work) { return work.id == id; });
}

DiskAnswer Disk::carry_out(const UnderWay& work) {
  if (work.refused != DiskAnswer::kOk) return work.refused;
  if (fuse_ && fuse_blows(work)) return DiskAnswer::kGone;
  return work.fate.kind == FaultKind::kNone ? do_all(work) : go_wrong(work);
}

bool Disk::fuse_blows(const UnderWay& work) {
  const DiskOp op = work.command.op;
  const uint64_t cost = op == DiskOp::kRead ? 0 : op == DiskOp::kFlush ? 1 : work.command.sectors;
  if (fuse_->sectors != 0 && cost <= fuse_->sectors) {
    fuse_->sectors -= cost;
    return false;
  }
  if (work.id == 0) under_way_.push_back(work);
  TapeDice dice(fuse_->tape->in(fuse_->lane));
  const DiskCommand inside = work.command;
  cut(dice, fuse_->torn, &inside);
  return true;
}

DiskAnswer Disk::do_all(const UnderWay& work) {
  const DiskCommand& command = work.command;
  if (command.op == DiskOp::kFlush || command.flush_first) do_flush(work, work.covers);
  if (command.op == DiskOp::kRead) return do_read(work);
  moved_ = command.op == DiskOp::kFlush ? 0 : command.sectors;
  if (command.op == DiskOp::kWrite) store(command.sector, work.data, work, command.durable);
  if (command.op == DiskOp::kDiscard) do_discard(work, command.durable);
  return DiskAnswer::kOk;
}

bool Disk::reads_at(uint64_t sector) const {
  return medium_.readable(sector) || pending_.newest(sector) != nullptr;
}

DiskAnswer Disk::do_read(const UnderWay& work) {
  peek(work.command.sector, work.data);
  moved_ = work.command.sectors;
  if (!medium_.any_spoilt()) return DiskAnswer::kOk;
  for (uint64_t i = 0; i < work.command.sectors; ++i) {
    if (reads_at(work.command.sector + i)) continue;
    moved_ = i;
    return DiskAnswer::kError;
  }
  return DiskAnswer::kOk;
}

void Disk::do_discard(const UnderWay& work, bool durable) {
  const std::vector<uint8_t> bytes(static_cast<size_t>(work.command.sectors) * shape_.sector_bytes,
                                   kDiscarded);
  store(work.command.sector, bytes, work, durable);
}

void Disk::do_flush(const UnderWay& work, uint64_t last) {
  if (!pending_.empty()) {
    look(work);
    if (faults_ != nullptr && faults_->may(FaultKind::kStaleRead)) before_ = medium_;
    pending_.land(last, medium_, [this](const PendingWrites::Version& version) {
      ledger_.heal(version.sector, version.write);
    });
  }
  ++epoch_;
}

void Disk::look(const UnderWay& work) {
  if (watch_ == nullptr) return;
  if (work.id == 0) under_way_.push_back(work);
  watch_(*this, watch_arg_);
  if (work.id == 0) under_way_.pop_back();
}

void Disk::store(uint64_t sector, std::span<const uint8_t> bytes, const UnderWay& work,
                 bool durable, FaultKind promised) {
  const uint64_t number = ++writes_;
  if (shape_.volatile_cache && !durable) {
    pending_.add(sector, bytes, {number, epoch_, work.tag, true, promised});
    return;
  }
  look(work);
  medium_.write(sector, bytes);
  for (uint64_t i = 0; i < bytes.size() / shape_.sector_bytes; ++i) {
    pending_.forget(sector + i, number);
    ledger_.heal(sector + i, number);
  }
}

} // namespace kiln::worlds
