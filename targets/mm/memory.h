#pragma once
// The physical memory of a run: a block of the machine's heap that stands for it, with red zones
// around pages and frames, the page allocator over it, and the model of its frames.

#include <cstddef>
#include <cstdint>

#include "kernel-src/mm/page_allocator.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/target.h"
#include "targets/mm/operation.h"
#include "targets/mm/page_model.h"

namespace kiln::mm {

struct MemoryShape {
  size_t frames;
  bool direct_map; ///< frame numbers follow from addresses
  uint64_t first;  ///< else this is the first
  size_t lead;     ///< pages between an aligned address and the first frame's
};

/// The fault of a run: the k-th allocation fails. Says whether a refusal may be that one's doing.
class Failure {
 public:
  explicit Failure(sim::Machine& machine) : machine_(machine) {}
  void arm(uint64_t k) {
    at_ = machine_.allocations() + k;
    machine_.fail_allocation(k);
  }
  /// None fails from here on.
  void disarm() {
    at_ = UINT64_MAX;
    machine_.fail_allocation(UINT64_MAX);
  }
  /// Allocations so far; may_have_struck(that) afterwards.
  uint64_t before() const { return machine_.allocations(); }
  bool may_have_struck(uint64_t before) const {
    return before <= at_ && at_ <= machine_.allocations();
  }

 private:
  sim::Machine& machine_;
  uint64_t at_ = UINT64_MAX;
};

class Memory {
 public:
  explicit Memory(const MemoryShape& shape);

  uint8_t* address_of(size_t index) { return mapped_at_ + index * clay::kPageBytes; }
  size_t index_of(const clay::PageFrame& frame) const {
    return static_cast<size_t>(allocator.number_of(frame) - model.first());
  }

  /// Judges what add_range says. True when pages were added. One at a time.
  bool add_range(uint64_t first, size_t count);
  /// Frames of the model from `index` on are somebody's now: all were free, and were added.
  void take(size_t index, size_t count);
  void give_back(size_t index, size_t count) { model.set(index, count, Frame::kFree); }
  /// Whether somebody has the page, or the block that begins there, as the allocators see it.
  bool is_taken(size_t index);
  /// Marks in the model which free frames lie in a page cache.
  void note_cached();
  /// The allocator's books against the model's, unless somebody is in the middle of something.
  void check_books(const Traffic& traffic);

 private:
  sim::ExactBlock pages_;
  sim::ExactBlock frames_;
  size_t count_;
  uint8_t* mapped_at_;

 public:
  clay::PageAllocator allocator;
  PageModel model;

 private:
  uint64_t first_number(const MemoryShape& shape) const;
  clay::PageFrame* frame(size_t index) {
    return reinterpret_cast<clay::PageFrame*>(frames_.bytes().data()) + index;
  }
};

} // namespace kiln::mm
