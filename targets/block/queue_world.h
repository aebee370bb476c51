#pragma once
// For block/queue: a request queue over a hostile disk, and the tasks' side of it.

#include <cstdint>
#include <vector>

#include "kernel-src/block/queue.h"
#include "kernel-src/block/slice.h"
#include "kernel-src/sync/wait_group.h"
#include "sim/target.h"
#include "targets/block/queue_disk.h"
#include "targets/block/queue_model.h"
#include "targets/block/queue_steps.h"
#include "targets/block/queue_watch.h"

namespace kiln::block {

struct WorldShape {
  WatchRules rules;
  Temper temper;
  uint64_t first;   ///< the sectors that are used lie here
  uint64_t sectors; ///< and are so many
  bool may_fail;    ///< an allocation fails: there may be no queue, and no memory
};

class QueueWorld {
 public:
  QueueWorld(sim::Run& run, const WorldShape& shape);
  ~QueueWorld();

  /// False where there was no memory for it.
  bool make();

  void run_steps(const std::vector<Step>& steps);
  /// Everything but a flush is refused.
  void run_without_medium(const std::vector<Step>& steps);
  sim::Machine& machine() { return run_.machine; }
  void remove_at(uint64_t ns) { disk_.remove_at(ns); }
  /// Task context: everything that was accepted is done then.
  void stop();
  /// The queue has been stopped, and no task is left.
  void destroy();
  /// Is all that was written where it belongs, and all that was durable there after a cut?
  void judge();

 private:
  /// A request with memory of its own, which goes the moment that it is done.
  struct Async {
    QueueWorld* world;
    Request* request;
    clay::BlockDevice* device;
    uint64_t sector; ///< of the device
    clay::BlockIo* io;
    clay::WaitGroup* group;
    Async* next; ///< to be submitted when this one is done
  };
  struct Place {
    clay::BlockDevice* device;
    uint64_t shift;
    uint64_t sector; ///< of the device
    uint64_t sectors;
  };

  Place place(const Step& step, uint64_t at, uint64_t length) const;
  bool can(clay::BlockOp op) const;
  Request& make_request(const Step& step, const Place& where);
  bool give_memory(Request& request) const;
  void note_begin(Request& request);
  void note_end(Request& request, clay::Result<> result);

  clay::Result<> call(const Place& where, const Request& request);
  void do_one(const Step& step);
  Async* make_async(const Step& step, const Place& where, clay::WaitGroup& group);
  void submit(Async& async);
  static void done(clay::BlockIo& io, clay::Result<> result);
  void done(Async& async, clay::Result<> result);
  void do_some(const Step& step, clay::WaitGroup& group);
  void do_drain();
  void check_done(Turn accepted_by, const char* what) const;
  void do_refused(const Step& step) const;

  sim::Run& run_;
  const WorldShape shape_;
  Requests requests_;
  Turn turns_ = 0;
  SectorModel model_;
  Watch watch_;
  HostileDisk disk_;
  std::deque<Async> asyncs_;
  bool stopped_ = false;
  clay::Box<clay::RequestQueue> queue_;
  clay::Box<clay::BlockSlice> slice_;
  clay::Box<clay::BlockSlice> inner_;
};

} // namespace kiln::block
