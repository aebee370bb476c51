// AddressSanitizer's reports of instrumented accesses while an input runs: a finding of the
// machine, in process, with what the machine knows of the address. The linker leads the inline
// checks here
// (--wrap, cmake/hooks.cmake). Accesses inside libc (memcpy and kin) are still reported by the
// sanitizer itself, which ends the worker.

#include "sim/sanitizer.h"

#if KILN_ASAN

#include <cstdint>
#include <cstdio>

#include "sim/core.h"
#include "sim/model_heap.h"

namespace kiln::sim {

namespace {

struct Description {
  char text[300];
  const char* other_label = nullptr;
  uint64_t other_site = 0;
};

const char* plural(uint64_t n) { return n == 1 ? "" : "s"; }

void describe_block(const BlockHeader& chunk, uintptr_t at, Description& d, const char* access) {
  uint64_t first = chunk.user;
  uint64_t last = first + chunk.size;
  d.other_label = "the block was allocated here";
  d.other_site = chunk.site;
  if (chunk.state == kBlockFree) {
    d.other_label = "the block was given back here";
    d.other_site = chunk.freed_site;
    snprintf(d.text, sizeof d.text, "%s inside a block of %u bytes after it was given back", access,
             chunk.size);
  } else if (at >= first && at < last) {
    snprintf(d.text, sizeof d.text, "%s that an allocator of the kernel has not handed out",
             access);
  } else if (at == last) {
    snprintf(d.text, sizeof d.text, "%s just past the end of a block of %u bytes", access,
             chunk.size);
  } else if (at > last) {
    snprintf(d.text, sizeof d.text, "%s %llu byte%s past the end of a block of %u bytes", access,
             static_cast<unsigned long long>(at - last), plural(at - last), chunk.size);
  } else {
    snprintf(d.text, sizeof d.text, "%s %llu byte%s before a block of %u bytes", access,
             static_cast<unsigned long long>(first - at), plural(first - at), chunk.size);
  }
}

bool on_a_stack(uintptr_t at) {
  return at >= kStackBase && at < kStackBase + kMaxActors * kStackSlotBytes;
}

void describe_elsewhere(uintptr_t at, Description& d, const char* access) {
  char name[128] = "";
  void* start = nullptr;
  size_t size = 0;
  const char* kind =
      __asan_locate_address(reinterpret_cast<void*>(at), name, sizeof name, &start, &size);
  if (on_a_stack(at)) {
    unsigned slot = static_cast<unsigned>((at - kStackBase) / kStackSlotBytes);
    snprintf(d.text, sizeof d.text, "%s outside of the variables on the stack of task '%s'", access,
             actors[slot].name == nullptr ? "?" : actors[slot].name);
  } else if (model_heap.owns(reinterpret_cast<void*>(at))) {
    snprintf(d.text, sizeof d.text, "%s outside of the live blocks of the models' heap", access);
  } else if (name[0] != 0) {
    snprintf(d.text, sizeof d.text, "%s outside of %s variable '%s' of %zu bytes", access, kind,
             name, size);
  } else {
    snprintf(d.text, sizeof d.text, "%s memory that is nobody's (%s)", access, kind);
  }
}

[[noreturn]] void report(uintptr_t at, uint64_t size, bool write, uint64_t frame) {
  char access[64];
  snprintf(access, sizeof access, "%s %llu byte%s", write ? "writes" : "reads",
           static_cast<unsigned long long>(size), plural(size));
  Description d;
  const BlockHeader* chunk =
      at >= kArenaBase && at < kArenaBase + kArenaBytes ? core.arena.chunk_around(at) : nullptr;
  if (chunk != nullptr) {
    BlockHeader copy;
    raw_copy(&copy, chunk, sizeof copy);
    describe_block(copy, at, d, access);
  } else {
    describe_elsewhere(at, d, access);
  }
  fail_with_stack(Rule::kAddress, capture_stack(frame), d.other_label, d.other_site, d.text);
}

} // namespace

} // namespace kiln::sim

// NOLINTBEGIN(bugprone-reserved-identifier)
/// Instrumented code is about to leave its frames for good. Inside a run a reset or the next owner
/// sweeps the stack (sweep_stack); the sanitizer's own way costs a system call at each task's end.
extern "C" void __real___asan_handle_no_return();
extern "C" void __wrap___asan_handle_no_return() {
  if (!kiln::sim::core.running) {
    __real___asan_handle_no_return();
  }
}

#define FRAME reinterpret_cast<uint64_t>(__builtin_frame_address(0))

#define KILN_REPORT(suffix, size, write)                                                           \
  extern "C" void __real___asan_report_##suffix(uintptr_t at);                                     \
  extern "C" void __wrap___asan_report_##suffix(uintptr_t at) {                                    \
    if (kiln::sim::core.running) {                                                                 \
      kiln::sim::report(at, size, write, FRAME);                                                   \
    }                                                                                              \
    __real___asan_report_##suffix(at);                                                             \
  }
#define KILN_REPORT_N(suffix, write)                                                               \
  extern "C" void __real___asan_report_##suffix(uintptr_t at, size_t size);                        \
  extern "C" void __wrap___asan_report_##suffix(uintptr_t at, size_t size) {                       \
    if (kiln::sim::core.running) {                                                                 \
      kiln::sim::report(at, size, write, FRAME);                                                   \
    }                                                                                              \
    __real___asan_report_##suffix(at, size);                                                       \
  }

KILN_REPORT(load1, 1, false)
KILN_REPORT(load2, 2, false)
KILN_REPORT(load4, 4, false)
KILN_REPORT(load8, 8, false)
KILN_REPORT(load16, 16, false)
KILN_REPORT_N(load_n, false)
KILN_REPORT(store1, 1, true)
KILN_REPORT(store2, 2, true)
KILN_REPORT(store4, 4, true)
KILN_REPORT(store8, 8, true)
KILN_REPORT(store16, 16, true)
KILN_REPORT_N(store_n, true)
// NOLINTEND(bugprone-reserved-identifier)

#endif
