#pragma once
// Probes: named states that inputs must reach. One object a state, at namespace scope in the
// target:
//
//   static sim::Probe contended{"sync/locks", "a lock is contended"};
//   ...
//   contended.hit();
//
// The gate of that target fails when a probe that it declares was never hit. Counters lie outside
// the machine: a reset does not touch them.

#include <cstdint>

namespace kiln::sim {

inline constexpr unsigned kMaxProbes = 2048;
/// One counter a probe, by Probe::index. The runner may move them into shared memory.
extern uint64_t* probe_counters;

class Probe {
 public:
  /// Both texts must be static. `target` is the full name of the target that must reach it.
  Probe(const char* target, const char* name);
  void hit() const { ++probe_counters[index_]; }
  const char* target() const { return target_; }
  const char* name() const { return name_; }
  unsigned index() const { return index_; }
  const Probe* next() const { return next_; }
  /// All probes, in no order that means anything.
  static const Probe* first();
  static unsigned count();

 private:
  const char* target_;
  const char* name_;
  unsigned index_;
  const Probe* next_;
};

} // namespace kiln::sim
