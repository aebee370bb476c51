#pragma once
// For block/queue: what the commands that come to the disk say about the queue, judged at each of
// them.
//
// Limits: no command is larger, or consists of more pieces, than the disk takes; no more are under
// way than there are slots; none overlaps another that writes; none comes to a disk that is gone or
// is being reset. Shadow: each sector of each command belongs to a request that is pending, with
// the memory of that sector. Flushes: those that a request needs have begun and ended in time.
// Fairness: no request is passed by more later ones than the limits say. Errors: a request fails if
// a command of it alone has failed, and then for that reason, and otherwise not.

#include <cstdint>
#include <vector>

#include "kernel-src/block/driver.h"
#include "sim/machine.h"
#include "targets/block/queue_request.h"

namespace kiln::block {

/// A command that the disk has been given.
struct Flight {
  clay::DiskCommand command; ///< with its pieces copied
  std::vector<clay::DiskPiece> pieces;
  struct Share {
    Request* request;
    uint64_t sectors;
  };
  std::vector<Share> shares;     ///< whose sectors they are, in their order
  bool fresh = false;            ///< sectors are in it that were in no command before
  std::vector<Request*> flushed; ///< of a flush: for whom it may be
  bool all_flushed = false;      ///< and it must be for all of them that were accepted
  Turn chosen_after = 0;
  Turn begun = 0;
  uint64_t begun_ns = 0;
};

struct WatchRules {
  clay::BlockShape shape;
  clay::QueueLimits limits;
};

class Watch {
 public:
  Watch(sim::Machine& machine, const WatchRules& rules, Requests& requests, Turn& turns)
      : machine_(machine), rules_(rules), requests_(requests), turns_(turns) {}

  // --- The requests
  void begins(Request& request);
  void accepted(Request& request);
  void ends(Request& request, clay::Result<> result);

  // --- The disk
  /// A command comes; `under_way`: those that the disk has.
  /// It was chosen at that turn or later.
  Flight starts(const clay::DiskCommand& command, const std::vector<const Flight*>& under_way,
                Turn chosen_after);
  /// It is answered so; `sectors`: how many can be relied on.
  void answered(const Flight& flight, clay::Result<> result, uint64_t sectors);
  /// And the queue knows.
  void heard(const Flight& flight);
  /// That answer came when a reset had begun, or was about to: it may not count.
  static void doubt(const Flight& flight, bool late);
  /// It was under way at a reset; `late`: longer than it may be.
  void taken_back(const Flight& flight, bool late);

  // --- What is the matter with the device
  /// The queue is about to be told that it is gone.
  Turn being_removed() {
    gone_ = true;
    return ++turns_;
  }
  /// It has been told; `quiet`: nobody else was in the queue.
  void removed(bool quiet);
  void stopping() { stopping_ = true; }
  bool gone() const { return gone_; }
  Turn next_turn() { return ++turns_; }
  /// The queue's work on what is gone may begin only at that time.
  void busy_until(uint64_t ns) { busy_until_ns_ = ns; }

 private:
  void check_not_gone();
  void check_limits(const clay::DiskCommand& command) const;
  void check_conflicts(const clay::DiskCommand& command,
                       const std::vector<const Flight*>& under_way) const;
  void share_out(Flight& flight);
  Request* owner(const Flight& flight, const uint8_t* memory, uint64_t sector);
  static void claim(Flight& flight, Request* request, uint64_t sector);
  void begin_flush(Flight& flight);
  void check_flushes(const Flight& flight) const;
  unsigned pending() const;
  bool blocked(const Request& request) const;
  bool was_flushed(const Request& request) const;
  bool could_start(const Request& request) const;
  bool is_admitted(const Request& request) const;
  void check_fairness(const Flight& flight);
  void check_passed(const Request& request) const;

  void ends_flight(const Flight& flight);
  static void blame(const Flight& flight, clay::Error error);
  void fail_flush(const Flight& flight, clay::Error error) const;

  void check_failure(const Request& request) const;
  void check_success(const Request& request) const;
  void check_gone(const Request& request, clay::Result<> result) const;

  sim::Machine& machine_;
  const WatchRules rules_;
  Requests& requests_;
  Turn& turns_;
  Turn good_flush_ = 0;            ///< the latest begin of a flush that has succeeded
  unsigned flushes_under_way_ = 0; ///< as far as the queue has heard
  bool gone_ = false;              ///< nothing comes and nothing succeeds any more
  bool told_ = false;              ///< and the queue knows
  bool strict_ = false;            ///< nobody was in the queue when it went
  unsigned after_gone_ = 0;        ///< commands that came when it knew
  bool stopping_ = false;
  uint64_t gone_ns_ = UINT64_MAX;
  uint64_t busy_until_ns_ = 0;
};

} // namespace kiln::block
