#pragma once
// For block/queue: what tasks do, drawn from the tape.

#include <cstdint>
#include <vector>

#include "kernel-src/block/device.h"
#include "sim/tape.h"

namespace kiln::block {

enum class Act : uint8_t {
  kOne,   ///< a request by the device's own function, which waits
  kSome,  ///< several at once; waited for at the end of the step, or of the task
  kChain, ///< each submitted by the end of the one before
  kSleep,
  kDrain,
  kRefused, ///< a request that no device takes
};

struct Step {
  Act act = Act::kOne;
  clay::BlockOp op = clay::BlockOp::kRead;
  bool durable = false;
  bool flush_first = false;
  bool in_a_row = false; ///< of several: each begins where the last one ends
  bool wait = false;     ///< of several: at the end of the step
  uint8_t device = 0;    ///< 0 the disk, 1 a slice, 2 a slice of the slice
  uint8_t count = 1;
  uint16_t at = 0; ///< where; taken modulo what there is
  uint16_t length = 1;
  uint32_t time_ns = 0;
};

/// `most`: sectors of one request, about.
std::vector<Step> draw_steps(sim::Tape& tape, uint64_t count, uint32_t most);

} // namespace kiln::block
