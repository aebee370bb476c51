#pragma once
// A second opinion on sim/lock_order.h: deadlocks by plain enumeration of who would wait for whom.
// Slow, and with no idea of strong paths: it knows only which holder blocks which waiter.

#include <set>
#include <vector>

#include "sim/lock_order.h"

namespace kiln::sim {

class LockModel {
 public:
  void add_edge(unsigned from, unsigned to, LockFact fact);
  void add_usage(unsigned lock_class, LockFact fact);
  /// Kinds of deadlocks that are possible: lock-order, lock-irq, lock-irq-order.
  std::set<Rule> deadlocks() const;

 private:
  /// A context that holds one lock and waits for another: a task, or an interrupt on top of one.
  struct Wait {
    unsigned held;
    unsigned wanted;
    bool held_shared;
    bool recursive;
    bool interrupt;
    auto operator<=>(const Wait&) const = default;
  };
  struct Usage {
    unsigned lock_class;
    LockFact fact;
    auto operator<=>(const Usage&) const = default;
  };

  /// Does whoever holds for `holder` keep out whoever waits for `waiter`?
  static bool blocks(const Wait& waiter, const Wait& holder) {
    return waiter.wanted == holder.held && !(waiter.recursive && holder.held_shared);
  }
  void extend(std::vector<Wait>& circle, const std::vector<Wait>& all, std::set<Rule>& out) const;
  std::vector<Wait> interrupts(bool soft) const;

  std::set<Wait> tasks_;
  std::set<Usage> usages_;
};

} // namespace kiln::sim
