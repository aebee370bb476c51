#pragma once
// A disk with a volatile cache, faults and a power switch. Knows no kernel: it takes commands on
// sectors and answers them. A target's port (targets/block/disk_port.h) gives it to a kernel's
// driver and says when an answer comes.
//
// The disk is two things: what is on the medium, and the writes that were answered but are only in
// its cache. Reading sees both. A flush puts the cache on the medium; a cut of the power takes any
// subset of what is in the cache, sector by sector, as the tape or an enumeration says, and drops
// the rest.
//
// It keeps a ledger of the promises that it has broken on purpose (a write that it dropped, a flush
// that it lied about), so that oracles relax for those sectors alone, and a log of all commands
// with who asked for them.
//
// Everything lies in the model heap: it goes with the input.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/tape.h"

namespace kiln::worlds {

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
};

enum class DiskOp : uint8_t { kRead, kWrite, kFlush, kDiscard };

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
  kOutOfRange,  ///< refused: beyond the end, or too long
  kUnsupported, ///< refused: a discard on a disk without, a write on one that is read-only
  kGone,        ///< removed, or without power
};

/// How many sectors of the medium can be kept: larger disks are sparse, their other sectors read as
/// a fixed pattern.
class Disk {
 public:
  /// All zeros.
  explicit Disk(const DiskShape& shape);
  ~Disk();

  const DiskShape& shape() const;

  // --- Commands. The data of a read or write is `data`: sectors * sector_bytes.

  /// Does the command at once, without a fault: the fast way for targets that cut the power and
  /// fail nothing.
  DiskAnswer perform(const DiskCommand& command, std::span<uint8_t> data);

  // --- What a judge may look at

  /// What a read would see; sectors * sector_bytes.
  void peek(uint64_t sector, std::span<uint8_t> out) const;
  /// All of a small disk, as a read would see it.
  std::vector<uint8_t> image() const;
  /// Puts bytes on the medium: images that the target begins with.
  void preload(uint64_t sector, std::span<const uint8_t> bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kiln::worlds
