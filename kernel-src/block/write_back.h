#pragma once
// Writes a cache back by itself: every so often, and soon when much is dirty.
//
//   WriteBack write_back{cache, queue, 5'000'000'000, cache_blocks / 2};
//   write_back.start();
//   ... write_back.look();           // after operations that make blocks dirty
//   write_back.stop();               // before `cache` goes
//
// It is a sync() like any other, in a work item that may take long: give it a queue of its own. An
// error that it meets is nobody's but the block's, which stays dirty: the next sync() of somebody
// who asks hears of it, unless the block could be written by then.

#include <stdint.h>

#include "kernel-src/block/cache.h"
#include "kernel-src/hal/annotate.h"
#include "kernel-src/sync/inline.h"
#include "kernel-src/task/delayed_work.h"

namespace clay {

class WriteBack {
 public:
  WriteBack(BlockCache& cache, WorkQueue& queue, uint64_t period_ns, uint32_t most_dirty);

  /// Task context, as the rest; not in a handler of the queue.
  void start();
  /// Nothing is written by it once this has returned.
  CLAY_INLINE void stop() {
    hal_may_wait("write-back stop");
    static_cast<void>(work_.cancel_sync());
  }
  /// Between start() and stop(): writes soon if more than most_dirty blocks are dirty. Never waits.
  void look();

 private:
  static void run(Work& work, void* self);

  BlockCache& cache_;
  const uint64_t period_ns_;
  const uint32_t most_dirty_;
  DelayedWork work_;
};

} // namespace clay
