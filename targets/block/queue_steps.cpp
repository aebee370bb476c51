#include "targets/block/queue_steps.h"

namespace kiln::block {

std::vector<Step> draw_steps(sim::Tape& tape, uint64_t count, uint32_t most) {
  static constexpr clay::BlockOp kOps[] = {clay::BlockOp::kRead, clay::BlockOp::kWrite,
                                           clay::BlockOp::kDiscard, clay::BlockOp::kFlush};
  std::vector<Step> steps;
  for (uint64_t i = 0; i < count; ++i) {
    const sim::Span span(tape, "step");
    auto data = tape.data();
    Step step;
    step.act = static_cast<Act>(data.weighted({6, 12, 2, 2, 1, 1}));
    step.op = kOps[data.weighted({6, 8, 1, 2})];
    step.durable = data.below(6) == 5;
    step.flush_first = data.below(8) == 7;
    step.in_a_row = data.boolean();
    step.wait = data.boolean();
    step.device = static_cast<uint8_t>(data.weighted({8, 2, 1}));
    step.count = static_cast<uint8_t>(data.between(1, 6));
    step.at = static_cast<uint16_t>(data.below(64));
    step.length = static_cast<uint16_t>(data.between(1, most));
    step.time_ns = static_cast<uint32_t>(data.below(60'000));
    steps.push_back(step);
  }
  return steps;
}

} // namespace kiln::block
