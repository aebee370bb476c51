#include "kernel-src/block/write_back.h"

#include "kernel-src/task/sleep.h"

namespace clay {

WriteBack::WriteBack(BlockCache& cache, WorkQueue& queue, uint64_t period_ns, uint32_t most_dirty)
    : cache_(cache), period_ns_(period_ns), most_dirty_(most_dirty),
      work_(queue, "write-back", run, this) {}

void WriteBack::start() { static_cast<void>(work_.queue_at(deadline_after(period_ns_))); }

void WriteBack::look() {
  if (cache_.dirty() > most_dirty_) {
    static_cast<void>(work_.queue_now());
  }
}

void WriteBack::run(Work&, void* self) {
  auto& write_back = *static_cast<WriteBack*>(self);
  static_cast<void>(write_back.cache_.sync()); // see above
  write_back.start();                          // refused while stop() waits
}

} // namespace clay
