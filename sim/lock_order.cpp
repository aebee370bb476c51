#include "sim/lock_order.h"

#include <bit>
#include <cstring>

#include "sim/lock_search.h"
#include "sim/prng.h"

namespace kiln::sim {
namespace {

using Direction = LockSearch::Direction;

constexpr unsigned kEnabledBits = kEnabledExclusive | kEnabledShared;

unsigned rule_bit(Rule rule) {
  switch (rule) {
  case Rule::kLockRecursion:
    return 1;
  case Rule::kLockOrder:
    return 2;
  case Rule::kLockIrq:
    return 4;
  case Rule::kLockIrqOrder:
    return 8;
  default:
    return 0;
  }
}

} // namespace

uint16_t LockOrder::add_class(const char* name) {
  auto hash = static_cast<uint32_t>(hash_name(name));
  for (uint16_t id = 0; id < classes_; ++id) {
    if (hashes_[id] == hash && (names_[id] == name || std::strcmp(names_[id], name) == 0)) {
      return id;
    }
  }
  if (classes_ == kMaxClasses) {
    return kNoClass;
  }
  names_[classes_] = name;
  hashes_[classes_] = hash;
  return classes_++;
}

bool LockOrder::on(Rule rule) const { return (rules_off_ & rule_bit(rule)) == 0; }

void LockOrder::set_rule(Rule rule, bool on) {
  unsigned off = on ? rules_off_ & ~rule_bit(rule) : rules_off_ | rule_bit(rule);
  rules_off_ = static_cast<uint8_t>(off);
}

bool LockOrder::learn_acquire(const Held& taking, bool is_try, LockContext context,
                              std::span<const Held> held, LockVerdict* broken) {
  for (const Held& lock : held) {
    if (lock.lock_class == taking.lock_class && !judge_same_class(taking, is_try, lock, broken)) {
      return false;
    }
  }
  unsigned usage = usage_bits(taking.mode, is_try, context);
  if (!learn_usages(taking.lock_class, usage, taking.site, broken)) {
    return false;
  }
  if (is_try) {
    return true;
  }
  for (const Held& lock : held) {
    auto fact = static_cast<LockFact>(edge_kind(lock.mode, taking.mode));
    if (lock.lock_class != taking.lock_class &&
        !learn_edge(lock.lock_class, taking.lock_class, fact, lock.site, taking.site, broken)) {
      return false;
    }
  }
  return true;
}

bool LockOrder::judge_same_class(const Held& taking, bool is_try, const Held& held,
                                 LockVerdict* broken) const {
  bool same = held.instance == taking.instance;
  bool readers = held.mode != LockMode::kExclusive && taking.mode != LockMode::kExclusive;
  if (readers && (is_try || taking.mode == LockMode::kSharedRecursive)) {
    return true;
  }
  Rule rule = same ? Rule::kLockRecursion : Rule::kLockOrder;
  if (!on(rule) || (!same && (is_try || taking.nested))) {
    return true;
  }
  auto fact = static_cast<LockFact>(edge_kind(held.mode, taking.mode));
  *broken = {};
  broken->rule = rule;
  broken->fact = fact;
  broken->shared_again = readers;
  broken->taking = broken->other = taking.lock_class;
  broken->site = taking.site;
  broken->other_site = held.site;
  if (!same) {
    LockSearch::append({held.lock_class, taking.lock_class, fact, held.site, taking.site}, broken);
  }
  return false;
}

bool LockOrder::interrupts_enabled(LockContext context, std::span<const Held> held, uintptr_t site,
                                   LockVerdict* broken) {
  for (const Held& lock : held) {
    unsigned usage = usage_bits(lock.mode, false, context) & (kEnabledBits * 0x11U);
    if (!learn_usages(lock.lock_class, usage, site, broken)) {
      broken->at_enable = true;
      return false;
    }
  }
  return true;
}

bool LockOrder::learn_usages(uint16_t lock_class, unsigned bits, uintptr_t site,
                             LockVerdict* broken) {
  for (bits &= ~unsigned{usage_[lock_class]}; bits != 0; bits &= bits - 1) {
    LockFact fact = usage_fact(static_cast<unsigned>(std::countr_zero(bits)));
    if (!learn_usage(lock_class, fact, site, broken)) {
      return false;
    }
  }
  return true;
}

bool LockOrder::learn_usage(uint16_t lock_class, LockFact fact, uintptr_t site,
                            LockVerdict* broken) {
  if ((usage_[lock_class] & usage_bit(fact)) != 0) {
    return true;
  }
  auto id = static_cast<uint8_t>(lock_class);
  LockRecord record{id, id, fact, usage_[lock_class], 0, site, site};
  list(record);
  usage_[lock_class] = static_cast<uint8_t>(usage_[lock_class] | implied(fact));
  any_usage_ = static_cast<uint8_t>(any_usage_ | implied(fact));
  return judge_usage(record, broken) && judge_usage_paths(record, broken);
}

bool LockOrder::learn_edge(uint16_t from, uint16_t to, LockFact fact, uintptr_t held_site,
                           uintptr_t taken_site, LockVerdict* broken) {
  uint64_t* bits = rows_[from].bits[to / 64];
  unsigned before = 0;
  for (unsigned kind = 0; kind < kEdgeKinds; ++kind) {
    before |= edge_known(from, to, kind) ? 1U << kind : 0;
  }
  if ((before >> static_cast<unsigned>(fact) & 1) != 0) {
    return true;
  }
  LockRecord record{static_cast<uint8_t>(from),
                    static_cast<uint8_t>(to),
                    fact,
                    static_cast<uint8_t>(before),
                    0,
                    held_site,
                    taken_site};
  list(record);
  for (unsigned kind = 0; kind < kEdgeKinds; ++kind) {
    bits[kind] |= uint64_t{(implied(fact) >> kind) & 1} << (to % 64);
  }
  return judge_cycle(record, broken) && judge_edge_irq(record, broken);
}

bool LockOrder::judge_cycle(const LockRecord& edge, LockVerdict* broken) const {
  if (!on(Rule::kLockOrder) || !has_edges_from(edge.to)) {
    return true;
  }
  LockSearch search(*this, Direction::kForward, edge.to, taken_recursive(edge.fact));
  int back = search.find_class(edge.from, !held_shared(edge.fact));
  if (back == LockSearch::kNone) {
    return true;
  }
  *broken = {};
  broken->rule = Rule::kLockOrder;
  broken->fact = edge.fact;
  broken->taking = edge.to;
  broken->other = edge.from;
  broken->site = edge.taken_site;
  broken->other_site = search.last_site(back);
  LockSearch::append({edge.from, edge.to, edge.fact, edge.held_site, edge.taken_site}, broken);
  search.append_path(back, broken);
  return false;
}

bool LockOrder::judge_edge_irq(const LockRecord& edge, LockVerdict* broken) const {
  if (!on(Rule::kLockIrqOrder) || !may_conflict()) {
    return true;
  }
  LockSearch behind(*this, Direction::kBackward, edge.from, held_shared(edge.fact));
  LockSearch ahead(*this, Direction::kForward, edge.to, taken_recursive(edge.fact));
  for (unsigned shift = 0; shift <= kSoftShift; shift += kSoftShift) {
    int used = behind.find_usage(kUsedRecursive << shift, kUsedNonRecursive << shift, kNoClass);
    int open = ahead.find_usage(kEnabledShared << shift, kEnabledExclusive << shift, kNoClass);
    if (used == LockSearch::kNone || open == LockSearch::kNone) {
      continue;
    }
    *broken = {};
    broken->rule = Rule::kLockIrqOrder;
    broken->fact = edge.fact;
    broken->soft = shift != 0;
    broken->taking = edge.to;
    broken->other = static_cast<uint16_t>(ahead.class_at(open));
    broken->irq_class = static_cast<uint16_t>(behind.class_at(used));
    broken->site = edge.taken_site;
    broken->other_site = usage_site(broken->irq_class, kUsedNonRecursive << shift);
    behind.append_path(used, broken);
    LockSearch::append({edge.from, edge.to, edge.fact, edge.held_site, edge.taken_site}, broken);
    ahead.append_path(open, broken);
    return false;
  }
  return true;
}

bool LockOrder::judge_usage(const LockRecord& usage, LockVerdict* broken) const {
  unsigned strong = opposite_bit(usage.fact);
  unsigned against = is_strong(usage.fact) ? strong << 1 : strong;
  if (!on(Rule::kLockIrq) || (usage_[usage.from] & against) == 0) {
    return true;
  }
  *broken = {};
  broken->rule = Rule::kLockIrq;
  broken->fact = usage.fact;
  broken->soft = is_soft(usage.fact);
  broken->taking = broken->other = broken->irq_class = usage.from;
  broken->site = usage.taken_site;
  broken->other_site = usage_site(usage.from, strong);
  return false;
}

bool LockOrder::judge_usage_paths(const LockRecord& usage, LockVerdict* broken) const {
  if (!on(Rule::kLockIrqOrder) || !may_conflict()) {
    return true;
  }
  bool used = is_used_in(usage.fact);
  LockSearch search(*this, used ? Direction::kForward : Direction::kBackward, usage.from,
                    !is_strong(usage.fact));
  unsigned strong = opposite_bit(usage.fact);
  int end = search.find_usage(strong << 1, strong, usage.from);
  if (end == LockSearch::kNone) {
    return true;
  }
  auto other = static_cast<uint16_t>(search.class_at(end));
  *broken = {};
  broken->rule = Rule::kLockIrqOrder;
  broken->fact = usage.fact;
  broken->soft = is_soft(usage.fact);
  broken->taking = usage.from;
  broken->other = used ? other : usage.from;
  broken->irq_class = used ? usage.from : other;
  broken->site = usage.taken_site;
  broken->other_site = usage_site(other, strong);
  search.append_path(end, broken);
  return false;
}

} // namespace kiln::sim
