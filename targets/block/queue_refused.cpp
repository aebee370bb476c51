#include "targets/block/queue_refused.h"

#include <vector>

#include "kernel-src/block/slice.h"
#include "sim/machine.h"

namespace kiln::block {
namespace {

using clay::BlockOp;

enum class Flaw : uint8_t {
  kNone, ///< the device takes no such requests at all
  kBehindEnd,
  kOneTooMany,
  kWraps,
  kMoreThanMemory,
  kEmpty,
  kMemory, ///< none where some is needed, or the other way round
  kDurable,
  kFlushFirst,
};
constexpr Flaw kFlaws[] = {Flaw::kNone,   Flaw::kBehindEnd,      Flaw::kOneTooMany,
                           Flaw::kWraps,  Flaw::kMoreThanMemory, Flaw::kEmpty,
                           Flaw::kMemory, Flaw::kDurable,        Flaw::kFlushFirst};

struct Outcome {
  unsigned calls = 0;
  clay::Result<> result;
};

void note(clay::BlockIo& io, clay::Result<> result) {
  auto& outcome = *static_cast<Outcome*>(io.arg);
  ++outcome.calls;
  outcome.result = result;
}

bool changes(BlockOp op) { return op == BlockOp::kWrite || op == BlockOp::kDiscard; }

/// Whether `io` has the flaw now: not every request can.
bool spoil(clay::BlockIo& io, Flaw flaw, const clay::BlockShape& shape, uint8_t* memory) {
  switch (flaw) {
  case Flaw::kNone:
    return (changes(io.op) && shape.read_only) ||
           (io.op == BlockOp::kDiscard && !shape.has_discard);
  case Flaw::kBehindEnd:
    io.sector = shape.sectors;
    io.sectors = 1;
    return true;
  case Flaw::kOneTooMany:
    io.sectors = shape.sectors - io.sector + 1;
    return true;
  case Flaw::kWraps:
    io.sector = io.sector < 2 ? 2 : io.sector;
    io.sectors = UINT64_MAX - (io.sector - 2); // ends at sector 1
    return true;
  case Flaw::kMoreThanMemory:
    io.sector = 0;
    io.sectors = shape.sectors;
    return io.op != BlockOp::kDiscard && io.sectors > SIZE_MAX / shape.sector_bytes;
  case Flaw::kEmpty:
    io.sectors = 0;
    return true;
  case Flaw::kMemory:
    io.data = io.op == BlockOp::kDiscard ? memory : nullptr;
    return true;
  case Flaw::kDurable:
    if (io.op == BlockOp::kWrite) io.op = BlockOp::kFlush;
    io.durable = true;
    return true;
  case Flaw::kFlushFirst:
    if (io.op == BlockOp::kWrite) io.op = BlockOp::kFlush;
    io.flush_first = true;
    return true;
  }
  return false;
}

clay::Error error_of(const clay::BlockIo& io, Flaw flaw, const clay::BlockShape& shape) {
  if (flaw == Flaw::kDurable || flaw == Flaw::kFlushFirst) return clay::Error::kInvalid;
  if (changes(io.op) && shape.read_only) return clay::Error::kReadOnly;
  if (io.op == BlockOp::kDiscard && !shape.has_discard) return clay::Error::kUnsupported;
  const bool odd = flaw == Flaw::kEmpty || flaw == Flaw::kMemory;
  return odd ? clay::Error::kInvalid : clay::Error::kOutOfRange;
}

} // namespace

void check_refused(clay::BlockDevice& device, uint64_t sector, uint64_t sectors) {
  const clay::BlockShape& shape = device.shape();
  std::vector<uint8_t> memory(size_t{2} * shape.sector_bytes);
  for (const size_t bytes : {size_t{0}, size_t{4}, memory.size() - 4}) {
    const clay::Result<> odd = device.read(sector, {memory.data(), bytes});
    KILN_CHECK(odd.failed_with(clay::Error::kInvalid), "%zu bytes are read", bytes);
  }
  for (const BlockOp op : {BlockOp::kRead, BlockOp::kWrite, BlockOp::kDiscard}) {
    for (const Flaw flaw : kFlaws) {
      Outcome outcome;
      clay::BlockIo io;
      io.op = op;
      io.sector = sector;
      io.sectors = sectors;
      io.data = op == BlockOp::kDiscard ? nullptr : memory.data();
      io.done = note;
      io.arg = &outcome;
      if (!spoil(io, flaw, shape, memory.data())) continue;
      const uint64_t first = io.sector;
      device.submit(io);
      KILN_CHECK(
          outcome.calls == 1 && outcome.result.failed_with(error_of(io, flaw, shape)) &&
              io.sector == first,
          "a request (operation %u, flaw %u) for %llu sectors from %llu on is done %u times, "
          "%s, with sector %llu",
          static_cast<unsigned>(op), static_cast<unsigned>(flaw),
          static_cast<unsigned long long>(io.sectors), static_cast<unsigned long long>(first),
          outcome.calls, outcome.result.ok() ? "well" : clay::error_text(outcome.result.error()),
          static_cast<unsigned long long>(io.sector));
    }
  }
}

void check_refused_slices(clay::BlockDevice& whole, uint64_t at, unsigned longer) {
  const uint64_t sectors = whole.shape().sectors;
  const uint64_t first = at < sectors ? sectors - at : sectors;
  static constexpr uint64_t kTooMany[] = {1, 2, 1000, uint64_t{1} << 63};
  const uint64_t more = kTooMany[longer % 4];
  const uint64_t left = sectors - first;
  const uint64_t count = UINT64_MAX - left < more ? UINT64_MAX : left + more;
  const uint64_t wraps = first == 0 ? count : UINT64_MAX - (first - 1); // ends at sector 0
  for (const uint64_t beyond : {count, wraps}) {
    const auto slice = clay::BlockSlice::create(whole, first, beyond);
    KILN_CHECK(slice.failed_with(clay::Error::kOutOfRange),
               "a slice of %llu sectors from %llu on lies inside a disk of %llu",
               static_cast<unsigned long long>(beyond), static_cast<unsigned long long>(first),
               static_cast<unsigned long long>(sectors));
  }
}

} // namespace kiln::block
