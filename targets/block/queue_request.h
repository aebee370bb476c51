#pragma once
// For block/queue: a request as the target knows it, and the order of what happens to it.

#include <cstdint>
#include <deque>

#include "kernel-src/block/device.h"

namespace kiln::block {

/// Numbers for all that happens, in the order in which it happens.
using Turn = uint64_t;

struct Request {
  enum class State : uint8_t { kMade, kPending, kOk, kFailed };

  unsigned id = 0; ///< from 1
  clay::BlockOp op = clay::BlockOp::kRead;
  bool durable = false;
  bool flush_first = false;
  bool waits = false;   ///< the submitter waits in the device's own function: its end is seen late
  uint64_t sector = 0;  ///< of the disk, not of a slice
  uint64_t sectors = 0; ///< 0: a flush
  uint8_t* data = nullptr;

  State state = State::kMade;
  clay::Error error = clay::Error::kInvalid; ///< when it has failed
  uint64_t begun_ns = 0;
  Turn begun = 0;    ///< submit() was called
  Turn accepted = 0; ///< submit() has returned, or the request has ended before: 0 until then
  Turn ended = 0;

  // --- What the disk has seen of it
  uint64_t reached = 0;      ///< sectors from the first on that were in commands
  unsigned under_way = 0;    ///< commands that have parts of it
  Turn last_transfer = 0;    ///< the end of the last command that did something of it
  uint64_t moved = 0;        ///< sectors that were transferred
  uint32_t failed_alone = 0; ///< set of errors of commands that were of this request only
  uint32_t may_fail = 0;     ///< set of errors of flushes and resets that may have been of it
  bool must_fail = false;
  bool vague =
      false; ///< a discard that overlaps another: it is not known which one a command is of
  unsigned resets = 0; ///< while it was under way
  unsigned rivals = 0; ///< others that were pending when it could start
  unsigned passed = 0; ///< commands of others that came first since it could have started
  bool torn = false;   ///< a command with it failed, and any sector of it may hold anything

  bool pending() const { return state == State::kPending; }
  bool changes() const { return op == clay::BlockOp::kWrite || op == clay::BlockOp::kDiscard; }
  bool holds(uint64_t at) const { return at >= sector && at - sector < sectors; }
  bool overlaps(const Request& other) const {
    return sectors != 0 && other.sectors != 0 && (holds(other.sector) || other.holds(sector));
  }
};

inline uint32_t error_bit(clay::Error error) { return 1u << static_cast<unsigned>(error); }

/// Whether the queue must have taken `a` before `b`.
inline bool surely_before(const Request& a, const Request& b) {
  return a.accepted != 0 && a.accepted < b.begun;
}

using Requests = std::deque<Request>;

} // namespace kiln::block
