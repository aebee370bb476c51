#pragma once
// What the worlds with page tables share: how their machines are drawn, and the borders that the
// addresses of x86-64 with four levels have (Intel SDM volume 1, 3.3.7.1).

#include "kernel-src/mm/page_entry.h"
#include "targets/mm/memory.h"
#include "targets/mm/mmu.h"

namespace kiln::mm {

using ull = unsigned long long;

inline constexpr uint64_t kLowerHalfEnd = uint64_t{1} << 47;
inline constexpr uint64_t kUpperHalf = 0xFFFF'8000'0000'0000;

inline clay::PageRights kernel_rights(const Rights& rights) {
  return {.write = rights.write, .execute = rights.execute, .user = rights.user};
}

/// Memory that is mapped directly: `few` to `some` frames in half of the runs, else up to `many`.
inline MemoryShape draw_direct_memory(sim::Run& run, uint64_t few, uint64_t some, uint64_t many) {
  auto data = run.tape.data();
  const size_t lead = static_cast<size_t>(data.below(8));
  const size_t frames =
      static_cast<size_t>(data.boolean() ? data.between(few, some) : data.between(some, many));
  return {frames, true, 0, lead};
}

inline unsigned draw_physical_bits(sim::Run& run) {
  static constexpr unsigned kBits[] = {46, 46, 52, 48};
  return run.tape.data().pick(kBits);
}

} // namespace kiln::mm
