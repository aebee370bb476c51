#include "targets/mm/heap_steps.h"

#include "kernel-src/mm/size_class.h"

namespace kiln::mm {
namespace {

/// `around`, or the number below or above it.
size_t beside(sim::Tape::View& data, size_t around) {
  static constexpr size_t kBeside[] = {1, 0, 2};
  return around + data.pick(kBeside) - 1;
}

size_t draw_size(sim::Tape::View& data) {
  switch (data.weighted({8, 8, 4, 6, 1, 1, 1, 1})) {
  case 0:
    return static_cast<size_t>(data.between(1, 64));
  case 1:
    return beside(data, data.pick(clay::kSizeClasses));
  case 2:
    return static_cast<size_t>(data.between(1, 2100));
  case 3:
    return beside(data, static_cast<size_t>(data.between(1, 6)) * clay::kPageBytes);
  case 4:
    return beside(data, static_cast<size_t>(data.between(1, 40)) * clay::kPageBytes);
  case 5:
    return 0;
  case 6:
    return beside(data, clay::kPageBytes << clay::kMaxOrder);
  default:
    return static_cast<size_t>(data.edge64());
  }
}

size_t draw_align(sim::Tape::View& data) {
  static constexpr size_t kAligns[] = {16,   1,    8,    32,    64,      256,
                                       1024, 4096, 8192, 65536, 4 << 20, 8 << 20};
  return kAligns[data.weighted({24, 2, 2, 4, 4, 3, 2, 3, 2, 1, 1, 1})];
}

} // namespace

HeapStep draw_heap_step(sim::Tape& tape) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kActs[] = {14, 12, 4, 3, 3, 4, 2, 2, 6, 2, 1, 2, 2, 2};
  HeapStep step{};
  step.act = static_cast<HeapAct>(data.weighted(kActs));
  step.which = data.u8();
  step.count = data.u8();
  step.size = draw_size(data);
  step.align = draw_align(data);
  return step;
}

std::vector<HeapStep> draw_heap_steps(sim::Tape& tape, uint64_t count) {
  std::vector<HeapStep> steps;
  steps.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    steps.push_back(draw_heap_step(tape));
  }
  return steps;
}

size_t draw_object_size(sim::Tape::View& data) {
  static constexpr size_t kSizes[] = {64, 1, 16, 17, 48, 100, 1000, 1365, 2048, 2049, 4095, 4096};
  return data.boolean() ? static_cast<size_t>(data.between(1, 700)) : data.pick(kSizes);
}

size_t draw_object_align(sim::Tape::View& data) {
  static constexpr size_t kAligns[] = {8, 1, 16, 32, 64, 128, 512, 4096};
  return data.pick(kAligns);
}

} // namespace kiln::mm
