#include "tests/sim/lock_graph_model.h"

#include <algorithm>

namespace kiln::sim {

void LockModel::add_edge(unsigned from, unsigned to, LockFact fact) {
  bool shared = fact == LockFact::kEdgeSN || fact == LockFact::kEdgeSR;
  bool recursive = fact == LockFact::kEdgeER || fact == LockFact::kEdgeSR;
  tasks_.insert({from, to, shared, recursive, false});
}

void LockModel::add_usage(unsigned lock_class, LockFact fact) {
  usages_.insert({lock_class, fact});
}

// Every lock held with interrupts on may be interrupted by every taking in an interrupt.
std::vector<LockModel::Wait> LockModel::interrupts(bool soft) const {
  LockFact used_n = soft ? LockFact::kUsedInSoftN : LockFact::kUsedInIrqN;
  LockFact used_r = soft ? LockFact::kUsedInSoftR : LockFact::kUsedInIrqR;
  LockFact on_e = soft ? LockFact::kSoftOnE : LockFact::kIrqsOnE;
  LockFact on_s = soft ? LockFact::kSoftOnS : LockFact::kIrqsOnS;
  std::vector<Wait> out;
  for (const Usage& open : usages_) {
    for (const Usage& used : usages_) {
      bool is_open = open.fact == on_e || open.fact == on_s;
      if (is_open && (used.fact == used_n || used.fact == used_r)) {
        out.push_back(
            {open.lock_class, used.lock_class, open.fact == on_s, used.fact == used_r, true});
      }
    }
  }
  return out;
}

void LockModel::extend(std::vector<Wait>& circle, const std::vector<Wait>& all,
                       std::set<Rule>& out) const {
  auto interrupts =
      std::count_if(circle.begin(), circle.end(), [](const Wait& wait) { return wait.interrupt; });
  if (interrupts > 1) {
    return;
  }
  if (blocks(circle.back(), circle.front())) {
    out.insert(interrupts == 0      ? Rule::kLockOrder
               : circle.size() == 1 ? Rule::kLockIrq
                                    : Rule::kLockIrqOrder);
    return;
  }
  for (const Wait& next : all) {
    bool met = std::any_of(circle.begin(), circle.end(),
                           [&](const Wait& wait) { return wait.held == next.held; });
    if (!met && blocks(circle.back(), next)) {
      circle.push_back(next);
      extend(circle, all, out);
      circle.pop_back();
    }
  }
}

std::set<Rule> LockModel::deadlocks() const {
  std::set<Rule> out;
  for (bool soft : {false, true}) {
    std::vector<Wait> all(tasks_.begin(), tasks_.end());
    std::vector<Wait> more = interrupts(soft);
    all.insert(all.end(), more.begin(), more.end());
    for (const Wait& first : all) {
      std::vector<Wait> circle{first};
      extend(circle, all, out);
    }
  }
  return out;
}

} // namespace kiln::sim
