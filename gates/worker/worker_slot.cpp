#include "gates/worker/worker_slot.h"

#include <new>
#include <sys/mman.h>

namespace kiln::gates {

WorkerSlot* map_slot() {
  void* memory =
      mmap(nullptr, sizeof(WorkerSlot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) WorkerSlot{};
}

void unmap_slot(WorkerSlot* slot) {
  if (slot != nullptr) munmap(slot, sizeof(WorkerSlot));
}

} // namespace kiln::gates
