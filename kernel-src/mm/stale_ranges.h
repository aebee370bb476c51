#pragma once
// Ranges of addresses whose translations have changed, collected by an operation on page tables so
// that CPUs are asked once to forget them all.
//
//   StaleRanges stale(table.root());
//   stale.add(first, last);
//   shoot_down(stale);
//
// Those that overlap or touch become one. There is room for a few; what comes when it is used up
// makes the last one longer, over whatever lies between: a CPU may forget too much, never too
// little. Not synchronised.

#include <stdint.h>

namespace clay {

class StaleRanges {
 public:
  static constexpr unsigned kMost = 4;

  /// `root`: the physical address of the top table.
  explicit StaleRanges(uint64_t root) : root_(root) {}

  bool empty() const { return count_ == 0; }
  /// Both ends included.
  void add(uint64_t first, uint64_t last);

  /// The calling CPU, which the caller keeps, forgets them.
  void forget_here() const;

 private:
  struct Range {
    uint64_t first;
    uint64_t last;

    bool meets(const Range& other) const;
    void include(const Range& other);
  };

  void take_out(Range& added);

  uint64_t root_;
  unsigned count_ = 0;
  Range ranges_[kMost] = {}; ///< no two of them meet
};

} // namespace clay
