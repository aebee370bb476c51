#pragma once
// What is going on in the allocators at the moment. A check of what they owe in all is exact only
// when nobody is in the middle of anything; of one operation, when none ran beside it.

#include <cstdint>

namespace kiln::mm {

struct Traffic {
  unsigned under_way = 0;
  uint64_t begun = 0;

  bool quiet() const { return under_way == 0; }
};

/// One operation, while it lives.
class Operation {
 public:
  explicit Operation(Traffic& traffic) : traffic_(traffic), alone_(traffic.quiet()) {
    ++traffic_.under_way;
    number_ = ++traffic_.begun;
  }
  ~Operation() { --traffic_.under_way; }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  /// Whether no other was under way at any moment of this one.
  bool alone() const { return alone_ && traffic_.begun == number_; }

 private:
  Traffic& traffic_;
  bool alone_;
  uint64_t number_;
};

} // namespace kiln::mm
