#pragma once
// For mm/heap and mm/heap-smp: programs over a heap and an object pool that share the pages of one
// machine, and what both owe. Every program, and interrupts, give back what any of them took.

#include <cstdint>
#include <map>
#include <vector>

#include "kernel-src/mm/heap.h"
#include "sim/probe.h"
#include "targets/mm/heap_steps.h"
#include "targets/mm/memory.h"
#include "targets/mm/operation.h"
#include "targets/mm/shadow.h"
#include "targets/sync/support.h"

namespace kiln::mm {

/// States that both targets must reach.
struct HeapProbes {
  explicit HeapProbes(const char* target);
  sim::Probe full_class;    ///< a size is that of a class
  sim::Probe past_class;    ///< ... or one more
  sim::Probe run;           ///< pages
  sim::Probe odd_run;       ///< a number of pages that is no power of two
  sim::Probe aligned_small; ///< a class is left out for its alignment
  sim::Probe aligned_run;   ///< above a page
  sim::Probe too_large;     ///< larger than anything could be
  sim::Probe small_refused; ///< no page for a small block
  sim::Probe run_refused;   ///< no pages in a row
  sim::Probe resized;       ///< grown in place
  sim::Probe not_resized;   ///< did not fit
  sim::Probe second_page;   ///< a pool needs another page
  sim::Probe page_returned; ///< a pool gives a page back that it does not keep
  sim::Probe trimmed;       ///< a trim finds pages
  sim::Probe object_refused;
  sim::Probe failed; ///< an allocation was made to fail
};

class HeapWorld {
 public:
  HeapWorld(sim::Run& run, const HeapProbes& probes);

  void do_step(const HeapStep& step, bool in_task);
  /// Everything is given back, and nothing is left.
  void finish();

  Failure& failure() { return failure_; }
  const Traffic& traffic() const { return traffic_; }

 private:
  enum class Kind : uint8_t { kSmall, kRun, kObject, kPages };
  struct Block {
    void* at;
    size_t size;
    size_t capacity; ///< what the allocator has set aside for it
    Kind kind;
    unsigned order; ///< kPages
  };

  void add_ranges(sim::Run& run);
  void allocate(const HeapStep& step, bool zeroed);
  bool judge_refusal(const Operation& operation, const HeapStep& step, size_t capacity);
  void took_heap_block(void* at, const HeapStep& step, size_t capacity);
  void take_object();
  void took_object(void* at);
  void hold_pages(unsigned order);
  void free_one(unsigned which);
  void give_back(const Block& block);
  void resize(const HeapStep& step);
  void trim();
  void trim_pool();
  void many(const HeapStep& step);
  void check();

  /// What follows from the live blocks for pages.
  void mark_used(PageModel& model) const;
  size_t pages_of(Kind kind) const;
  bool has_room(Kind kind, size_t capacity, size_t per_page) const;
  size_t index_of(const void* at) const;
  std::map<size_t, size_t> blocks_by_page(Kind kind, size_t capacity) const;

  sim::Machine& machine_;
  const HeapProbes& probes_;
  Memory memory_;
  clay::PageCache cache_;
  clay::Heap heap_;
  clay::ObjectPool::Shape object_;
  clay::ObjectPool pool_;
  Shadow shadow_;
  Failure failure_;
  Traffic traffic_;
  std::vector<Block> blocks_;
};

} // namespace kiln::mm
