#pragma once
// What a disk can be asked for, and what it says of itself.

#include <cstdint>

namespace kiln::worlds {

/// How a sector looks when the power went while it was written.
enum class TornSectors : uint8_t {
  kAtomic,     ///< old or new, as most disks promise
  kGarbage,    ///< neither: the head of one, the tail of the other, or noise
  kUnreadable, ///< reading it is an error until it is written again
};

/// What the disk says of itself; nothing holds it to the truth.
struct DiskShape {
  uint64_t sectors = 0;
  uint32_t sector_bytes = 512;
  uint32_t physical_bytes = 512;
  uint32_t most_sectors = 256; ///< of one command
  uint32_t most_segments = 16;
  bool volatile_cache = true;
  bool has_durable_write = true;
  bool has_discard = false;
  bool read_only = false;

  bool operator==(const DiskShape&) const = default;
};

enum class DiskOp : uint8_t { kRead, kWrite, kFlush, kDiscard };
inline constexpr unsigned kDiskOps = 4;

struct DiskCommand {
  DiskOp op = DiskOp::kRead;
  uint64_t sector = 0;
  uint64_t sectors = 0;
  bool durable = false;     ///< FUA
  bool flush_first = false; ///< PREFLUSH
};

enum class DiskAnswer : uint8_t {
  kOk,
  kError,       ///< medium or transport; any of its sectors may have been written
  kOutOfRange,  ///< refused: beyond the end, too long, or no sector at all
  kUnsupported, ///< refused: a discard or FUA on a disk without, a write on one that is read-only
  kGone,        ///< removed, or without power
};

/// What discarded sectors are full of, once the discard has been done.
inline constexpr uint8_t kDiscarded = 0xDC;

const char* name_of(DiskOp op);
const char* name_of(DiskAnswer answer);

} // namespace kiln::worlds
