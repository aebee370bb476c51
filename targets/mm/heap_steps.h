#pragma once
// For mm/heap and mm/heap-smp: the steps of a program, and how they are drawn.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tape.h"

namespace kiln::mm {

enum class HeapAct : uint8_t {
  kAllocate,
  kFree,
  kZeroed,
  kMany,
  kFreeMany,
  kResize,
  kTouch,
  kTrim,
  kTakeObject,
  kManyObjects,
  kTrimPool,
  kHoldPages,
  kRaise,
  kBreathe,
};

struct HeapStep {
  HeapAct act;
  uint8_t which;
  uint8_t count;
  size_t size;
  size_t align;
};

HeapStep draw_heap_step(sim::Tape& tape);
std::vector<HeapStep> draw_heap_steps(sim::Tape& tape, uint64_t count);

/// A size of 1 to a page, and a power of two up to a page.
size_t draw_object_size(sim::Tape::View& data);
size_t draw_object_align(sim::Tape::View& data);

} // namespace kiln::mm
