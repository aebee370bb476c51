// Power, books, and what a judge may see. What commands do is disk_commands.cpp's.

#include "worlds/disk/disk.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "worlds/disk/landing.h"

namespace kiln::worlds {

Disk::Disk(const DiskShape& shape) : Disk(shape, Medium(shape.sectors, shape.sector_bytes)) {}

Disk::Disk(const DiskShape& shape, Medium contents)
    : shape_(shape), medium_(std::move(contents)), pending_(shape.sector_bytes) {}

Disk Disk::fork() const {
  Disk out(shape_, medium_);
  out.before_ = before_;
  out.pending_ = pending_;
  out.under_way_ = under_way_;
  out.ledger_ = ledger_;
  out.log_.keep(log_.kept());
  out.faults_ = faults_;
  out.fuse_ = fuse_;
  out.tag_ = tag_;
  out.writes_ = writes_;
  out.epoch_ = epoch_;
  out.commands_ = commands_;
  out.moved_ = moved_;
  out.next_id_ = next_id_;
  out.powered_ = powered_;
  out.present_ = present_;
  return out;
}

void Disk::note(DiskLog::Kind kind, uint64_t a, uint64_t b) {
  log_.add({.kind = kind, .text = tag_, .a = a, .b = b});
}

// --- Power

void Disk::cut(sim::Tape::View tape, TornSectors torn) {
  TapeDice dice(tape);
  cut(dice, torn, nullptr);
}

void Disk::cut(Dice& dice, TornSectors torn, const DiskCommand* inside) {
  std::vector<uint64_t> hurt;
  const uint32_t together = shape_.physical_bytes / shape_.sector_bytes;
  if (!under_way_.empty()) {
    hurt = land_by_chance(medium_, at_stake(), torn, together, dice);
  } else if (!pending_.empty()) {
    hurt = land_by_chance(medium_, pending_, torn, together, dice);
  }
  lose(hurt, inside);
}

void Disk::cut(Medium found) {
  medium_ = std::move(found);
  lose({}, nullptr);
}

void Disk::lose(std::span<const uint64_t> torn, const DiskCommand* inside) {
  uint64_t lost = 0;
  for (const PendingWrites::Version& version : pending_.versions()) {
    if (pending_.newest(version.sector) != &version) continue;
    const uint8_t* there = medium_.at(version.sector);
    // What was said to be durable, or anything later, is there; or a promise is broken.
    const auto* at = &version;
    bool kept = true;
    for (; at != nullptr; at = pending_.older(*at)) {
      kept = std::memcmp(there, at->bytes, shape_.sector_bytes) == 0;
      if (at == &version && !kept) ++lost;
      if (kept || at->promised != FaultKind::kNone) break;
    }
    if (at != nullptr && !kept) ledger_.enter({version.sector, at->promised, writes_});
  }
  for (uint64_t sector : torn) {
    ledger_.enter({sector, FaultKind::kErrorTorn, writes_});
  }
  log_.add({.kind = DiskLog::Kind::kCut,
            .command = inside == nullptr ? DiskCommand{} : *inside,
            .inside = inside != nullptr,
            .a = lost,
            .b = pending_.versions().size()});
  pending_.clear();
  under_way_.clear();
  fuse_.reset();
  powered_ = false;
}

void Disk::cut_after(uint64_t sectors, sim::Tape& tape, sim::Lane lane, TornSectors torn) {
  fuse_ = Fuse{sectors, &tape, lane, torn};
}

void Disk::power_on() {
  if (faults_ != nullptr) faults_->power_cycle();
  powered_ = true;
  note(DiskLog::Kind::kPowerOn);
}

void Disk::power_on(const DiskShape& shape) {
  if (shape.sectors != medium_.sectors() || shape.sector_bytes != medium_.sector_bytes()) {
    medium_ = medium_.resized(shape.sectors, shape.sector_bytes);
    pending_ = PendingWrites(shape.sector_bytes);
    before_.reset();
  }
  shape_ = shape;
  if (faults_ != nullptr) faults_->power_cycle();
  powered_ = true;
  note(DiskLog::Kind::kReopened, shape.sectors);
}

void Disk::remove(sim::Tape::View tape) {
  if (powered_) cut(tape);
  present_ = false;
  note(DiskLog::Kind::kRemoved);
}

void Disk::insert() {
  present_ = true;
  powered_ = true;
  if (faults_ != nullptr) faults_->power_cycle();
  note(DiskLog::Kind::kInserted);
}

// --- Books

void Disk::watch(void (*watch)(const Disk& disk, void* arg), void* arg) {
  watch_ = watch;
  watch_arg_ = arg;
}

PendingWrites Disk::at_stake() const {
  PendingWrites all = pending_;
  uint64_t number = writes_;
  std::vector<uint8_t> discarded;
  for (const UnderWay& work : under_way_) {
    if (work.refused != DiskAnswer::kOk) continue;
    const DiskCommand& command = work.command;
    const PendingWrites::Write write{
        .number = ++number, .epoch = epoch_, .tag = work.tag, .answered = false};
    if (command.op == DiskOp::kWrite) {
      all.add(command.sector, work.data, write);
    } else if (command.op == DiskOp::kDiscard) {
      discarded.assign(static_cast<size_t>(command.sectors) * shape_.sector_bytes, kDiscarded);
      all.add(command.sector, discarded, write);
    }
  }
  return all;
}

void Disk::peek(uint64_t sector, std::span<uint8_t> out) const {
  medium_.read(sector, out);
  if (pending_.empty()) return;
  for (size_t at = 0; at < out.size(); at += shape_.sector_bytes, ++sector) {
    const PendingWrites::Version* newest = pending_.newest(sector);
    if (newest != nullptr) std::memcpy(&out[at], newest->bytes, shape_.sector_bytes);
  }
}

std::vector<uint8_t> Disk::image() const {
  std::vector<uint8_t> out(static_cast<size_t>(shape_.sectors) * shape_.sector_bytes);
  peek(0, out);
  return out;
}

void Disk::preload(uint64_t sector, std::span<const uint8_t> bytes) {
  medium_.preload(sector, bytes);
}

} // namespace kiln::worlds
