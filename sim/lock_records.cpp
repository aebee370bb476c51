// LockOrder's list of facts: where each comes from, and the way back to the booted state.

#include <bit>

#include "sim/lock_order.h"

namespace kiln::sim {

bool LockOrder::has_edges_from(unsigned lock_class) const {
  constexpr auto kWeakest = static_cast<unsigned>(LockFact::kEdgeSR);
  uint64_t any = 0;
  for (const auto& word : rows_[lock_class].bits) {
    any |= word[kWeakest];
  }
  return any != 0;
}

// Some class is used in interrupts, and some is held with the same kind on.
bool LockOrder::may_conflict() const {
  unsigned used = any_usage_ & (kUsedRecursive * 0x11U);
  unsigned enabled = any_usage_ & (kEnabledShared * 0x11U);
  return (used & (enabled >> 2)) != 0;
}
static_assert(kEnabledShared >> 2 == kUsedRecursive);

void LockOrder::list(const LockRecord& record) {
  if (records_ == kMaxRecords) {
    unlisted_ += unlisted_ != UINT16_MAX ? 1 : 0;
    return;
  }
  record_list_[records_++] = record;
}

void LockOrder::undo(const LockRecord& record) {
  if (!is_edge(record.fact)) {
    usage_[record.from] = record.before;
    return;
  }
  uint64_t* bits = rows_[record.from].bits[record.to / 64];
  uint64_t mask = uint64_t{1} << (record.to % 64);
  for (unsigned kind = 0; kind < kEdgeKinds; ++kind) {
    bits[kind] = ((record.before >> kind) & 1) != 0 ? bits[kind] | mask : bits[kind] & ~mask;
  }
}

void LockOrder::restore(const LockOrder& booted) {
  if (unlisted_ != booted.unlisted_) {
    *this = booted;
    return;
  }
  while (records_ > booted.records_) {
    LockRecord& record = record_list_[--records_];
    undo(record);
    record = {};
  }
  while (classes_ > booted.classes_) {
    --classes_;
    names_[classes_] = nullptr;
    hashes_[classes_] = 0;
  }
  sealed_ = booted.sealed_;
  any_usage_ = booted.any_usage_;
  rules_off_ = booted.rules_off_;
}

const LockRecord* LockOrder::find(unsigned from, unsigned to, LockFact fact) const {
  auto bit = is_edge(fact) ? 1U << static_cast<unsigned>(fact) : usage_bit(fact);
  for (unsigned i = 0; i < records_; ++i) {
    const LockRecord& record = record_list_[i];
    if (record.from == from && record.to == to && is_edge(record.fact) == is_edge(fact) &&
        (implied(record.fact) & bit) != 0) {
      return &record;
    }
  }
  return nullptr;
}

const LockRecord* LockOrder::find_usage(unsigned lock_class, unsigned strong_bit) const {
  auto index = static_cast<unsigned>(std::countr_zero(strong_bit));
  bool strong = (usage_[lock_class] & strong_bit) != 0;
  return find(lock_class, lock_class, usage_fact(strong ? index : index + 1));
}

uintptr_t LockOrder::usage_site(unsigned lock_class, unsigned strong_bit) const {
  const LockRecord* record = find_usage(lock_class, strong_bit);
  return record != nullptr ? record->taken_site : 0;
}

} // namespace kiln::sim
