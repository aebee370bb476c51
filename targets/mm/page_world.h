#pragma once
// For mm/pages and mm/pages-smp: programs over the page allocator and the page caches, and what
// both owe. Every program, and interrupts, give back what any of them took.

#include <cstdint>
#include <vector>

#include "kernel-src/mm/page_cache.h"
#include "sim/probe.h"
#include "targets/mm/memory.h"
#include "targets/mm/operation.h"
#include "targets/mm/shadow.h"
#include "targets/sync/support.h"

namespace kiln::mm {

/// States that both targets must reach.
struct PageProbes {
  explicit PageProbes(const char* target);
  sim::Probe largest;     ///< a block of the largest order
  sim::Probe refused;     ///< no run of free frames was there
  sim::Probe fragmented;  ///< ... though enough frames were free
  sim::Probe last;        ///< nothing is left
  sim::Probe odd_run;     ///< a run whose rest was given back
  sim::Probe aligned_run; ///< a run more aligned than its size asks for
  sim::Probe long_run;    ///< one of many blocks comes back
  sim::Probe joined;      ///< two ranges make up one block
  sim::Probe frame_zero;  ///< in a range
  sim::Probe overlap;     ///< a range refused because a part was there
  sim::Probe outside;     ///< a range refused because of the window
  sim::Probe overflow;    ///< a cache gave a batch back
  sim::Probe in_the_way;  ///< a block is there once the caches are drained
  sim::Probe failed;      ///< an allocation was made to fail
  sim::Probe crossed;     ///< from the cache, and back to the allocator
};

enum class PageAct : uint8_t {
  kBlock,
  kFree,
  kRun,
  kCached,
  kFreeToCache,
  kTouch,
  kDrain,
  kAddRange,
  kMany,
  kFreeAll,
  kRaise,
  kBreathe,
  kBurst,
  kBatch,
};

struct PageStep {
  PageAct act;
  uint8_t order;
  uint8_t which;
  uint16_t pages;
  uint16_t place;
};

/// Whose step it is.
enum class By : uint8_t { kTask, kInterrupt };
PageStep draw_page_step(sim::Tape& tape, By by);
std::vector<PageStep> draw_page_steps(sim::Tape& tape, uint64_t count, By by);

class PageWorld {
 public:
  PageWorld(sim::Run& run, const PageProbes& probes);

  void do_step(const PageStep& step, bool in_task);
  /// Everything is given back, and nothing is left.
  void finish();

  sim::Machine& machine() { return machine_; }
  Failure& failure() { return failure_; }
  const Traffic& traffic() const { return traffic_; }

 private:
  struct Held {
    clay::PageFrame* frame;
    size_t pages;
    unsigned order;
    bool is_run;
    bool from_cache;
  };

  MemoryShape draw_shape(sim::Run& run);
  void add_first_ranges(sim::Run& run);

  void add_range(const PageStep& step);
  void take_block(unsigned order);
  void take_run(size_t pages, unsigned align_order);
  void take_cached();
  void free_one(unsigned which, bool to_cache);
  void free_run(const Held& held);
  void take_and_free(unsigned count);
  void take_batch(size_t most);
  void use_another_cache();
  void check_cache(size_t cached, size_t free, size_t left) const;
  void drain();
  void touch(unsigned which);
  void took(const Held& held, unsigned align_order);
  void check_window();
  bool refused_rightly(const Operation& operation, uint64_t before, unsigned order);
  void check();
  uint64_t draw_number(const PageStep& step) const;

  sim::Machine& machine_;
  const PageProbes& probes_;
  Memory memory_;
  clay::PageCache cache_;
  Shadow shadow_;
  Failure failure_;
  Traffic traffic_;
  bool adding_ = false;
  std::vector<Held> held_;
};

} // namespace kiln::mm
