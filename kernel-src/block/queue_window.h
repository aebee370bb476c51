#pragma once
// The requests that a queue looks at: who may start, and who comes next. Private to queue.h; its
// lock guards all of it.

#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/lib/list.h"

namespace clay {

/// What a request waits for.
enum RequestPhase : uint8_t {
  kRequestTransfer,      ///< its sectors
  kRequestFlushBefore,   ///< a flush that begins from now on, and then its sectors
  kRequestFlushAfter,    ///< a flush that begins from now on
  kRequestInFlush,       ///< the flush under way, and nothing else
  kRequestInFlushBefore, ///< the flush under way, and then its sectors
};

using RequestList = List<BlockIo, &BlockIo::link>;

class RequestWindow {
 public:
  /// At most `most` requests; one that `passed` commands have passed comes first.
  constexpr RequestWindow(uint16_t most, uint16_t passed) : most_(most), passed_(passed) {}

  bool full() const { return count_ == most_; }
  bool empty() const { return count_ == 0; }
  BlockIo* oldest() const { return requests_.front(); }

  /// `started`: commands so far. The window is not full.
  void add(BlockIo& io, RequestPhase phase, uint64_t started);
  /// Lets those go on that it blocked.
  void remove(BlockIo& io);

  /// The request whose sectors come next, null when none may start: the one that has been passed
  /// too often, and longest; else that with the lowest sector from `head` on, else the lowest of
  /// all.
  BlockIo* choose(uint64_t head, uint64_t started) const;
  /// Another whose next sector is `sector` and that may be in a command with `first`; null if there
  /// is none.
  BlockIo* adjacent(const BlockIo& first, uint64_t sector) const;

  /// Whether somebody waits for a flush to begin.
  bool wants_flush() const { return flush_waiters_ != 0; }
  void await_flush_after(BlockIo& io);
  /// A flush begins: it is for all who have waited for one.
  void begin_flush();
  /// The first of those whose flush has ended, out of the flush; null when there are no more.
  /// `*before`: its sectors come now.
  BlockIo* end_flush_of_one(bool* before);

 private:
  static bool startable(const BlockIo& io);

  RequestList requests_; ///< in the order in which they were added
  const uint16_t most_;
  const uint16_t passed_;
  uint16_t count_ = 0;
  uint16_t flush_waiters_ = 0;
};

/// The first sector of `io` that is in no command yet.
inline uint64_t next_sector(const BlockIo& io) { return io.sector + io.progress.started; }

/// How a request ends, as far as is known.
inline void set_result(BlockIo& io, Result<> result) {
  io.progress.failed = !result.ok();
  if (!result.ok()) {
    io.progress.error = result.error();
  }
}
inline Result<> result_of(const BlockIo& io) {
  return io.progress.failed ? Result<>(io.progress.error) : Result<>();
}

} // namespace clay
