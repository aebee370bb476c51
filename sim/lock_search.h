#pragma once
// Strong paths through the lock graph: breadth first over (class, how it is met).
//
// Forwards, a class is met strongly when the path arrives by an N edge (any edge may follow) and
// weakly by an R edge (only E edges may follow). Backwards the same holds with "leaves by E" (any
// edge may come before) and "leaves by S" (only N edges). Internal to lock_order.cpp; about 2 KiB,
// made on the stack and only for facts not seen before.

#include <cstdint>

#include "sim/lock_order.h"

namespace kiln::sim {

class LockSearch {
 public:
  enum class Direction { kForward, kBackward };
  static constexpr int kNone = -1;

  LockSearch(const LockOrder& order, Direction direction, unsigned start, bool weak);

  /// Position (in order of discovery) of `lock_class`; weak meetings count when `weak_too`.
  int find_class(unsigned lock_class, bool weak_too) const;
  /// Position of the first class met strongly with a usage of `strong_mask`, or weakly with one of
  /// `weak_mask`; `not_class` does not count.
  int find_usage(unsigned strong_mask, unsigned weak_mask, unsigned not_class) const;
  unsigned class_at(int position) const { return met_[position].lock_class; }

  /// Where the class at the end of a path (forwards) was taken.
  uintptr_t last_site(int position) const;
  /// Appends the path between the start and `position`, in the direction of its edges.
  void append_path(int position, LockVerdict* verdict) const;
  /// Appends one edge, if there is room.
  static void append(const LockStep& step, LockVerdict* verdict);

 private:
  struct Met {
    uint8_t lock_class;
    uint8_t fact;    ///< kind of the edge by which it was met
    uint16_t parent; ///< position it was met from
  };

  void expand_forward(unsigned position);
  void expand_backward(unsigned position);
  void meet(unsigned lock_class, bool weak, unsigned kind, unsigned parent);
  bool met(unsigned lock_class, bool weak) const {
    return ((seen_[weak][lock_class / 64] >> (lock_class % 64)) & 1) != 0;
  }
  bool weak(unsigned position) const {
    return ((weak_[position / 64] >> (position % 64)) & 1) != 0;
  }
  LockStep step_into(unsigned position) const;

  const LockOrder& order_;
  Direction direction_;
  unsigned count_ = 0;
  uint64_t seen_[2][LockOrder::kWords] = {};
  uint64_t weak_[2 * LockOrder::kWords] = {};
  Met met_[2 * LockOrder::kMaxClasses];
};

} // namespace kiln::sim
