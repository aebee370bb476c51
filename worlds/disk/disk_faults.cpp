// What commands do wrong, and what happens to a medium at rest.

#include <algorithm>
#include <cstring>

#include "worlds/disk/disk.h"

namespace kiln::worlds {

DiskAnswer Disk::go_wrong(const UnderWay& work) {
  const uint64_t sectors = work.command.op == DiskOp::kFlush ? 1 : work.command.sectors;
  const uint32_t detail = work.fate.detail;
  switch (work.fate.kind) {
  case FaultKind::kError:
    return DiskAnswer::kError;
  case FaultKind::kErrorPartly:
    return part_of(work, detail % sectors, DiskAnswer::kError);
  case FaultKind::kShort:
    return part_of(work, detail % sectors, DiskAnswer::kOk);
  case FaultKind::kErrorDone:
    do_all(work);
    moved_ = 0;
    return DiskAnswer::kError;
  case FaultKind::kErrorTorn:
    return torn_write(work);
  case FaultKind::kGone: {
    if (work.id == 0) under_way_.push_back(work);
    SeedDice dice(detail);
    cut(dice, TornSectors::kAtomic, &work.command);
    present_ = false;
    note(DiskLog::Kind::kRemoved);
    return DiskAnswer::kGone;
  }
  case FaultKind::kLyingFlush:
    pending_.promise(work.covers);
    return DiskAnswer::kOk;
  case FaultKind::kLyingDurable:
  case FaultKind::kDropped:
  case FaultKind::kMisdirectedWrite:
    return lying_write(work);
  case FaultKind::kUnreadable:
  case FaultKind::kBitRot:
  case FaultKind::kZeroed:
  case FaultKind::kSwapped: {
    const DiskAnswer answer = do_all(work);
    damage(work.fate.kind, work.command.sector + detail % sectors, detail / 7);
    return work.command.op == DiskOp::kRead ? do_read(work) : answer;
  }
  case FaultKind::kMisdirectedRead:
  case FaultKind::kStaleRead:
  case FaultKind::kGarbageRead:
    return lying_read(work);
  default:
    return do_all(work);
  }
}

// The first few sectors, and of a flush nothing but what was oldest.
DiskAnswer Disk::part_of(const UnderWay& work, uint64_t sectors, DiskAnswer answer) {
  UnderWay part = work;
  part.command.sectors = sectors;
  if (work.command.op == DiskOp::kFlush) {
    if (pending_.empty()) return answer;
    const uint64_t first = pending_.versions().front().write;
    if (work.covers > first) do_flush(work, first + work.fate.detail % (work.covers - first));
    return answer;
  }
  if (sectors == 0) return answer;
  if (!part.data.empty()) part.data = part.data.first(sectors * shape_.sector_bytes);
  const DiskAnswer got = do_all(part);
  return got == DiskAnswer::kOk ? answer : got;
}

DiskAnswer Disk::torn_write(const UnderWay& work) {
  const DiskCommand& command = work.command;
  SeedDice dice(work.fate.detail);
  std::vector<uint8_t> noise(shape_.sector_bytes);
  const uint64_t torn = dice.below(command.sectors);
  for (uint64_t i = 0; i < command.sectors; ++i) {
    std::span<const uint8_t> bytes = work.data.subspan(i * shape_.sector_bytes, noise.size());
    if (i == torn) {
      peek(command.sector + i, noise);
      std::copy_n(bytes.begin(), noise.size() / 2, noise.begin());
      bytes = noise;
    } else if (dice.below(2) == 0) {
      continue;
    }
    store(command.sector + i, bytes, work, command.durable);
  }
  return DiskAnswer::kError;
}

// Near its place or far, always another one; if there is room for one.
uint64_t Disk::elsewhere(const DiskCommand& command, uint32_t detail) const {
  const uint64_t places = shape_.sectors - command.sectors + 1;
  if (places < 2) return command.sector;
  SeedDice dice(detail);
  const uint64_t steps[] = {1, uint64_t{1} << dice.below(63), dice.below(places - 1) + 1};
  const uint64_t step = steps[dice.below(3)] % places;
  const uint64_t left = places - 1 - command.sector;
  const uint64_t to = step <= left ? command.sector + step : step - left - 1;
  return to != command.sector ? to : (to + 1) % places;
}

DiskAnswer Disk::lying_write(const UnderWay& work) {
  const DiskCommand& command = work.command;
  const FaultKind kind = work.fate.kind;
  moved_ = command.sectors;
  if (command.flush_first) do_flush(work, work.covers);
  if (kind == FaultKind::kLyingDurable) {
    store(command.sector, work.data, work, false, kind);
    return DiskAnswer::kOk;
  }
  const uint64_t to = elsewhere(command, work.fate.detail);
  if (kind == FaultKind::kMisdirectedWrite) store(to, work.data, work, command.durable);
  const uint64_t number = ++writes_;
  for (uint64_t i = 0; i < command.sectors; ++i) {
    ledger_.enter({command.sector + i, kind, number});
    if (kind == FaultKind::kMisdirectedWrite) ledger_.enter({to + i, kind, number});
  }
  return DiskAnswer::kOk;
}

DiskAnswer Disk::lying_read(const UnderWay& work) {
  const std::span<uint8_t> data = work.data;
  const DiskAnswer answer = do_read(work);
  if (answer != DiskAnswer::kOk) return answer;
  const std::vector<uint8_t> truth(data.begin(), data.end());
  const uint64_t sector = work.command.sector;
  SeedDice dice(work.fate.detail);
  if (work.fate.kind == FaultKind::kMisdirectedRead) {
    peek(elsewhere(work.command, work.fate.detail), data);
  } else if (work.fate.kind == FaultKind::kStaleRead) {
    // What is in the cache is overlooked; or what has just come out of it.
    (pending_.empty() && before_ ? *before_ : medium_).read(sector, data);
  } else {
    const size_t at = static_cast<size_t>(dice.below(work.command.sectors)) * shape_.sector_bytes;
    for (uint32_t i = 0; i < shape_.sector_bytes; ++i) {
      data[at + i] = static_cast<uint8_t>(dice.below(256));
    }
  }
  if (!std::equal(truth.begin(), truth.end(), data.begin())) ledger_.enter_lie_to_reader();
  return DiskAnswer::kOk;
}

void Disk::damage(FaultKind kind, uint64_t sector, uint32_t detail) {
  std::vector<uint8_t> bytes(shape_.sector_bytes);
  medium_.read(sector, bytes);
  const std::vector<uint8_t> before = bytes;
  switch (kind) {
  case FaultKind::kBitRot:
    bytes[detail / 8 % bytes.size()] ^= static_cast<uint8_t>(1u << detail % 8);
    break;
  case FaultKind::kZeroed:
    std::fill(bytes.begin(), bytes.end(), uint8_t{0});
    break;
  case FaultKind::kSwapped: {
    const uint64_t other = sector + 1 < shape_.sectors ? sector + 1 : 0;
    medium_.read(other, bytes);
    if (bytes == before) return;
    medium_.write(other, before);
    ledger_.enter({other, kind, 0});
    break;
  }
  case FaultKind::kUnreadable:
    medium_.spoil(sector);
    ledger_.enter({sector, kind, 0});
    return;
  default:
    return;
  }
  if (bytes == before) return;
  medium_.write(sector, bytes);
  ledger_.enter({sector, kind, 0});
}

} // namespace kiln::worlds
