#pragma once
// Block devices as their users see them: a row of sectors that can be read, written and flushed. A
// disk behind a request queue is one (queue.h), and so is a partition of another (slice.h).
//
//   CLAY_TRY(device.read(sector, bytes));          // waits
//   io.start(device);                              // does not; io's `done` is called
//
// What a device promises. A write that succeeded is seen by every read that starts after it. It is
// *durable*, that is it survives a loss of power, once a flush that started after its completion
// has succeeded; or, with `durable` asked of the write itself, when it has succeeded. Writes that
// are not durable yet survive or do not, each sector for itself, in any order. A write that failed
// may have changed any of its sectors. Of requests under way at the same time that overlap, one of
// them a write or a discard, the one that was submitted first is carried out first. What discarded
// sectors hold is unknown until they are written.

#include <stdint.h>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/list.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/sync/inline.h"

namespace clay {

/// What a device is like. Whoever hands one out has checked it (check_shape).
struct BlockShape {
  uint64_t sectors = 0;          ///< 0: a drive without a medium
  uint32_t sector_bytes = 512;   ///< 512, 520, 528, 4096, ...; a multiple of 4 in [512, 65536]
  uint32_t physical_bytes = 512; ///< what the device writes at once; a multiple of sector_bytes
  uint32_t most_sectors = 256;   ///< in one command, at least 1
  uint32_t most_segments = 16;   ///< pieces of memory in one command, at least 1
  bool volatile_cache = true;    ///< writes need a flush to be durable
  bool has_durable_write = true; ///< FUA: it can make a single write durable
  bool has_discard = false;
  bool read_only = false;
};

enum class BlockOp : uint8_t { kRead, kWrite, kFlush, kDiscard };

class BlockDevice;

/// What the layer that has a request notes in it; nothing of the owner's.
struct BlockProgress {
  uint64_t shift = 0;    ///< what slices have added to `sector`
  uint64_t started = 0;  ///< sectors, from the first on, that are in commands or done
  uint64_t born = 0;     ///< commands that had been started when the queue began to look at it
  uint32_t parts = 0;    ///< parts of it in commands
  uint32_t blockers = 0; ///< requests before it that it must not pass
  uint8_t phase = 0;
  bool failed = false;
  Error error = Error::kIo; ///< when failed
};

/// One request: its owner fills it in, starts it and keeps it, and the memory it names, until
/// `done` has been called, once.
struct BlockIo {
  BlockOp op = BlockOp::kRead;
  bool durable = false;     ///< of a write: see above
  bool flush_first = false; ///< of a write: a flush of what came before, then the write
  uint64_t sector = 0;      ///< not of a flush
  uint64_t sectors = 0;     ///< not of a flush; at least 1 and inside the device
  uint8_t* data =
      nullptr; ///< sectors * sector_bytes of them; only read for a write; not of a discard
  /// In the context in which the device completes, interrupts included: never waits, may submit.
  /// May be called before `submit` has returned. The request belongs to its owner again.
  void (*done)(BlockIo& io, Result<> result) = nullptr;
  void* arg = nullptr; ///< for `done`
  // --- The layer's that has the request
  ListLink link;
  BlockProgress progress;
};

/// How a layer gives a request back: with this, not by calling `done`.
void finish_io(BlockIo& io, Result<> result);

class BlockDevice {
 public:
  BlockDevice(const BlockDevice&) = delete;
  BlockDevice& operator=(const BlockDevice&) = delete;

  const BlockShape& shape() const { return shape_; }

  /// Starts a request. A request that is refused (kOutOfRange, kReadOnly, kUnsupported, kInvalid,
  /// kNoDevice) is done at once, with the error. Any context but NMI; does not wait.
  virtual void submit(BlockIo& io) = 0;

  // --- The same and wait for it. Task context, nothing held that forbids waiting. kIo when the
  // device failed, kTimedOut when it did not answer, kNoDevice when it is gone.

  /// `into`: a whole number of sectors.
  CLAY_INLINE Result<> read(uint64_t sector, MutableBytes into) {
    hal_may_wait("disk read");
    return run(BlockOp::kRead, sector, into.data(), into.size(), false);
  }
  CLAY_INLINE Result<> write(uint64_t sector, Bytes from, bool durable = false) {
    hal_may_wait("disk write");
    return run(BlockOp::kWrite, sector, const_cast<uint8_t*>(from.data()), from.size(), durable);
  }
  CLAY_INLINE Result<> flush() {
    hal_may_wait("disk flush");
    return run(BlockOp::kFlush, 0, nullptr, 0, false);
  }

 protected:
  explicit BlockDevice(const BlockShape& shape) : shape_(shape) {}
  ~BlockDevice() = default;

 private:
  Result<> run(BlockOp op, uint64_t sector, uint8_t* data, size_t bytes, bool durable);

  const BlockShape shape_;
};

/// A shape that a device states of itself, checked: kInvalid when it contradicts itself or leaves
/// what BlockShape allows.
Result<> check_shape(const BlockShape& shape);

/// Whether `io` is one that a device of this shape takes; the error it is to be done with if not.
/// Any io may be asked about: sums that wrap, no memory.
Result<> check_io(const BlockShape& shape, const BlockIo& io);

} // namespace clay
