#include "worlds/disk/faults.h"

#include <bit>

namespace kiln::worlds {
namespace {

uint8_t op_bit(const DiskCommand& command) {
  const auto bit = static_cast<uint8_t>(1u << static_cast<unsigned>(command.op));
  return command.op == DiskOp::kWrite && command.durable ? bit | kOnDurable : bit;
}

bool touches(const DiskCommand& command, const FaultRule& rule) {
  if (command.op == DiskOp::kFlush) return true;
  return command.sector <= rule.last &&
         (command.sector >= rule.first || rule.first - command.sector < command.sectors);
}

/// The n-th set bit; n is below their number.
FaultKind nth_kind(uint32_t kinds, uint64_t n) {
  for (; n != 0; --n) {
    kinds &= kinds - 1;
  }
  return static_cast<FaultKind>(std::countr_zero(kinds));
}

} // namespace

uint8_t ops_of(FaultKind kind) {
  switch (kind) {
  case FaultKind::kUnreadable:
  case FaultKind::kMisdirectedRead:
  case FaultKind::kStaleRead:
  case FaultKind::kGarbageRead:
    return kOnRead;
  case FaultKind::kShort:
    return kOnRead | kOnWrite;
  case FaultKind::kErrorTorn:
  case FaultKind::kDropped:
  case FaultKind::kMisdirectedWrite:
    return kOnWrite;
  case FaultKind::kLyingDurable:
    return kOnDurable;
  case FaultKind::kLyingFlush:
    return kOnFlush;
  case FaultKind::kBitRot:
  case FaultKind::kZeroed:
  case FaultKind::kSwapped:
    return kOnRead | kOnWrite;
  default:
    return kOnAny;
  }
}

void DiskFaults::draw(sim::Tape& tape, const FaultMenu& menu) {
  kinds_ = tape.swarm().u32() & menu.kinds;
  tape_ = &tape;
  if (kinds_ == 0) return;
  luck_ = menu.per_command;
  sim::Tape::View fault = tape.fault();
  const auto kinds = static_cast<uint64_t>(std::popcount(kinds_));
  const uint64_t rules = fault.between(0, menu.most_rules);
  for (uint64_t i = 0; i < rules; ++i) {
    sim::Span span(tape, "fault", sim::Lane::kFault);
    FaultRule rule;
    rule.kind = nth_kind(kinds_, fault.below(kinds));
    rule.ops = ops_of(rule.kind);
    if (rule.ops == kOnAny && fault.boolean()) {
      rule.ops = static_cast<uint8_t>(1u << fault.below(kDiskOps));
    }
    rule.skip = static_cast<uint32_t>(fault.below(menu.horizon));
    if (menu.sectors != 0 && fault.below(3) == 1) {
      rule.first = fault.below(menu.sectors);
      rule.last = rule.first + fault.below(8);
    }
    static constexpr uint32_t kTimes[] = {1, 2, 3, 8, FaultRule::kAlways, FaultRule::kAlways};
    rule.times = fault.pick(kTimes);
    rule.until_power_cycle = rule.times == FaultRule::kAlways;
    add(rule);
  }
}

FaultKind DiskFaults::lucky(const DiskCommand& command) {
  sim::Tape::View fault = tape_->fault();
  if (!fault.chance(luck_, 65536)) return FaultKind::kNone;
  const FaultKind kind =
      nth_kind(kinds_, fault.below(static_cast<uint64_t>(std::popcount(kinds_))));
  return (ops_of(kind) & op_bit(command)) != 0 ? kind : FaultKind::kNone;
}

Fate DiskFaults::next(const DiskCommand& command) {
  if (stopped_) return {};
  Fate fate;
  for (Active& active : rules_) {
    const FaultRule& rule = active.rule;
    if ((rule.ops & op_bit(command)) == 0 || !touches(command, rule)) continue;
    const uint64_t seen = active.seen;
    active.seen += active.seen != UINT32_MAX ? 1 : 0;
    if (seen < rule.skip || fate.kind != FaultKind::kNone) continue;
    if (rule.times == FaultRule::kAlways || seen - rule.skip < rule.times) fate.kind = rule.kind;
  }
  if (luck_ != 0 && fate.kind == FaultKind::kNone) fate.kind = lucky(command);
  if (fate.kind == FaultKind::kNone) return fate;
  ++hits_[static_cast<size_t>(fate.kind)];
  fate.detail = tape_ != nullptr ? tape_->fault().u32() : details_++ * 0x9E3779B9;
  return fate;
}

void DiskFaults::power_cycle() {
  std::erase_if(rules_, [](const Active& active) { return active.rule.until_power_cycle; });
}

bool DiskFaults::may(FaultKind kind) const {
  if (luck_ != 0 && (kinds_ & fault_bit(kind)) != 0) return true;
  for (const Active& active : rules_) {
    if (active.rule.kind == kind) return true;
  }
  return false;
}

bool DiskFaults::any_lie() const {
  for (auto kind = static_cast<size_t>(kFirstLie); kind < std::size(hits_); ++kind) {
    if (hits_[kind] != 0) return true;
  }
  return false;
}

} // namespace kiln::worlds
