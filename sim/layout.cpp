#include "sim/layout.h"

#include <sys/mman.h>

namespace kiln::sim {

static bool map_at(uintptr_t base, size_t bytes) {
  void* wanted = reinterpret_cast<void*>(base);
  void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return got == wanted;
}

bool map_machine_memory(const char** error) {
  if (!map_at(kArenaBase, kArenaBytes) || !map_at(kModelBase, kModelBytes) ||
      !map_at(kStackBase, kMaxActors * kStackSlotBytes)) {
    *error = "the machine's memory at 0x200000000000 cannot be mapped; free that address range or "
             "raise the limit on address space (ulimit -v unlimited)";
    return false;
  }
  for (unsigned slot = 0; slot < kMaxActors; ++slot) {
    if (mprotect(reinterpret_cast<void*>(kStackBase + slot * kStackSlotBytes), kStackGuardBytes,
                 PROT_NONE) != 0) {
      *error = "the guard pages of the task stacks cannot be protected; raise vm.max_map_count";
      return false;
    }
  }
  return true;
}

} // namespace kiln::sim
