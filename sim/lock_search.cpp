#include "sim/lock_search.h"

#include <bit>

namespace kiln::sim {
namespace {

// Edge kinds, by what they lead to; the strongest first.
constexpr unsigned kEN = static_cast<unsigned>(LockFact::kEdgeEN);
constexpr unsigned kER = static_cast<unsigned>(LockFact::kEdgeER);
constexpr unsigned kSN = static_cast<unsigned>(LockFact::kEdgeSN);
constexpr unsigned kSR = static_cast<unsigned>(LockFact::kEdgeSR);

} // namespace

LockSearch::LockSearch(const LockOrder& order, Direction direction, unsigned start, bool weak)
    : order_(order), direction_(direction) {
  meet(start, weak, 0, 0);
  for (unsigned position = 0; position < count_; ++position) {
    if (direction == Direction::kForward) {
      expand_forward(position);
    } else {
      expand_backward(position);
    }
  }
}

void LockSearch::meet(unsigned lock_class, bool weak, unsigned kind, unsigned parent) {
  if (met(lock_class, false) || met(lock_class, weak)) {
    return;
  }
  seen_[weak][lock_class / 64] |= uint64_t{1} << (lock_class % 64);
  if (weak) {
    weak_[count_ / 64] |= uint64_t{1} << (count_ % 64);
  }
  met_[count_] = {static_cast<uint8_t>(lock_class), static_cast<uint8_t>(kind),
                  static_cast<uint16_t>(parent)};
  ++count_;
}

void LockSearch::expand_forward(unsigned position) {
  const LockOrder::Row& row = order_.rows_[met_[position].lock_class];
  bool arrived_weak = weak(position);
  for (unsigned word = 0; word * 64 < order_.classes_; ++word) {
    const uint64_t* bits = row.bits[word];
    uint64_t todo = arrived_weak ? bits[kEN] | bits[kER] : bits[kSN] | bits[kSR];
    for (; todo != 0; todo &= todo - 1) {
      unsigned bit = static_cast<unsigned>(std::countr_zero(todo));
      auto has = [&](unsigned kind) { return ((bits[kind] >> bit) & 1) != 0; };
      unsigned kind = has(kEN) ? kEN : has(kSN) && !arrived_weak ? kSN : has(kER) ? kER : kSR;
      meet(word * 64 + bit, kind == kER || kind == kSR, kind, position);
    }
  }
}

void LockSearch::expand_backward(unsigned position) {
  unsigned to = met_[position].lock_class;
  bool leaves_weak = weak(position);
  for (unsigned from = 0; from < order_.classes_; ++from) {
    auto has = [&](unsigned kind) { return order_.edge_known(from, to, kind); };
    if (!has(leaves_weak ? kSN : kSR)) {
      continue; // a weaker edge is implied by every stronger one
    }
    unsigned kind = has(kEN) ? kEN : has(kER) && !leaves_weak ? kER : has(kSN) ? kSN : kSR;
    meet(from, kind == kSN || kind == kSR, kind, position);
  }
}

int LockSearch::find_class(unsigned lock_class, bool weak_too) const {
  for (unsigned position = 0; position < count_; ++position) {
    if (met_[position].lock_class == lock_class && (weak_too || !weak(position))) {
      return static_cast<int>(position);
    }
  }
  return kNone;
}

int LockSearch::find_usage(unsigned strong_mask, unsigned weak_mask, unsigned not_class) const {
  for (unsigned position = 0; position < count_; ++position) {
    unsigned lock_class = met_[position].lock_class;
    unsigned mask = weak(position) ? weak_mask : strong_mask;
    if (lock_class != not_class && (order_.usage_[lock_class] & mask) != 0) {
      return static_cast<int>(position);
    }
  }
  return kNone;
}

LockStep LockSearch::step_into(unsigned position) const {
  unsigned here = met_[position].lock_class;
  unsigned parent = met_[met_[position].parent].lock_class;
  bool forward = direction_ == Direction::kForward;
  unsigned from = forward ? parent : here;
  unsigned to = forward ? here : parent;
  LockStep step{static_cast<uint16_t>(from), static_cast<uint16_t>(to),
                static_cast<LockFact>(met_[position].fact), 0, 0};
  if (const LockRecord* record = order_.find(from, to, step.fact)) {
    step.fact = record->fact;
    step.held_site = record->held_site;
    step.taken_site = record->taken_site;
  }
  return step;
}

uintptr_t LockSearch::last_site(int position) const {
  return position == 0 ? 0 : step_into(static_cast<unsigned>(position)).taken_site;
}

void LockSearch::append(const LockStep& step, LockVerdict* verdict) {
  if (verdict->length == kLongestChain) {
    verdict->truncated = true;
    return;
  }
  verdict->chain[verdict->length++] = step;
}

void LockSearch::append_path(int position, LockVerdict* verdict) const {
  auto at = static_cast<unsigned>(position);
  if (direction_ == Direction::kBackward) {
    for (; at != 0; at = met_[at].parent) {
      append(step_into(at), verdict);
    }
    return;
  }
  unsigned length = 0;
  for (unsigned walk = at; walk != 0; walk = met_[walk].parent) {
    ++length;
  }
  for (unsigned depth = 1; depth <= length; ++depth) {
    unsigned walk = at;
    for (unsigned up = length; up > depth; --up) {
      walk = met_[walk].parent;
    }
    append(step_into(walk), verdict);
  }
}

} // namespace kiln::sim
