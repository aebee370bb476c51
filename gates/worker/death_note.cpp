#include "gates/worker/death_note.h"

#include <cstdio>

namespace kiln::gates {

namespace {

constexpr uint64_t kLongestFrame = 256 << 10;

struct Frame {
  uint64_t caller;
  uint64_t return_address;
};

// Frames lie at ascending addresses, not far apart; anything else is the end of the chain.
bool plausible(uint64_t from, uint64_t to) {
  return to % 8 == 0 && to > from && to - from < kLongestFrame;
}

__attribute__((no_sanitize("address"))) void walk(uint64_t frame_pointer, sim::Stack& stack) {
  uint64_t at = frame_pointer;
  while (stack.count < sim::kStackFrames && at % 8 == 0 && at != 0) {
    const auto* frame = reinterpret_cast<const volatile Frame*>(at);
    uint64_t return_address = frame->return_address;
    if (return_address < 0x1000) return;
    stack.pc[stack.count++] = return_address;
    uint64_t caller = frame->caller;
    if (!plausible(at, caller)) return;
    at = caller;
  }
}

} // namespace

void leave_note(DeathNote& note, sim::Rule rule, const char* headline, uint64_t pc,
                uint64_t frame_pointer) {
  if (note.valid) return;
  note.rule = rule;
  std::snprintf(note.headline, sizeof note.headline, "%s", headline);
  note.stack = {};
  note.stack.pc[0] = pc;
  note.stack.count = 1;
  // Valid before the walk: a fault in it must not lose the rest.
  note.valid = true;
  if (frame_pointer > 0x1000) walk(frame_pointer, note.stack);
}

} // namespace kiln::gates
