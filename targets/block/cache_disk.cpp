#include "targets/block/cache_disk.h"

namespace kiln::block_cache {

namespace {

constexpr unsigned kLine = 13;

worlds::DiskCommand command_of(const clay::BlockIo& io) {
  return {static_cast<worlds::DiskOp>(io.op), io.sector, io.sectors, io.durable, io.flush_first};
}

} // namespace

clay::BlockShape kernel_shape(const worlds::DiskShape& shape) {
  return {.sectors = shape.sectors,
          .sector_bytes = shape.sector_bytes,
          .physical_bytes = shape.physical_bytes,
          .most_sectors = shape.most_sectors,
          .most_segments = shape.most_segments,
          .volatile_cache = shape.volatile_cache,
          .has_durable_write = shape.has_durable_write,
          .has_discard = shape.has_discard,
          .read_only = shape.read_only};
}

CacheDisk::CacheDisk(sim::Run& run, worlds::Disk& disk, Model& model, bool slow)
    : BlockDevice(kernel_shape(disk.shape())), run_(run), disk_(disk), model_(model), slow_(slow),
      handler_{[](unsigned, void* self) { static_cast<CacheDisk*>(self)->interrupt(); }, this} {
  if (slow_) {
    KILN_CHECK(clay::connect_interrupt(kLine, handler_).ok(), "the line has a handler already");
    for (unsigned cpu = 0; cpu < run_.machine.cpus(); ++cpu) {
      run_.machine.allow_irq(cpu, kLine);
    }
  }
}

CacheDisk::~CacheDisk() {
  KILN_CHECK(pending_.empty(), "%zu commands are under way when the cache has gone",
             pending_.size());
  if (slow_) {
    clay::disconnect_interrupt(kLine);
  }
}

void CacheDisk::answer(clay::BlockIo& io, worlds::DiskAnswer answer) {
  const bool ok = answer == worlds::DiskAnswer::kOk &&
                  (io.op == clay::BlockOp::kFlush || disk_.moved() == io.sectors);
  model_.answered(io, ok);
  const clay::Error error =
      answer == worlds::DiskAnswer::kGone ? clay::Error::kNoDevice : clay::Error::kIo;
  clay::finish_io(io, ok ? clay::Result<>() : clay::Result<>(error));
}

void CacheDisk::submit(clay::BlockIo& io) {
  const clay::Result<> sound = clay::check_io(shape(), io);
  KILN_CHECK(sound.ok(), "a command is asked for that the device cannot take");
  model_.submitted(io);
  const std::span<uint8_t> data(
      io.data,
      io.op == clay::BlockOp::kFlush ? 0 : static_cast<size_t>(io.sectors * shape().sector_bytes));
  if (!slow_) {
    return answer(io, disk_.perform(command_of(io), data));
  }
  auto world = run_.tape.world();
  const uint64_t due_ns = run_.machine.now() + 500 * world.between(1, 16);
  pending_.push_back({&io, disk_.begin(command_of(io), data), due_ns});
  // The answer may come before; then nothing of this device may be touched when the time is there.
  const uintptr_t cpu = pending_.size() % run_.machine.cpus();
  run_.machine.at(
      due_ns,
      [](void* on) {
        sim::machine().raise_irq(static_cast<unsigned>(reinterpret_cast<uintptr_t>(on)), kLine);
      },
      reinterpret_cast<void*>(cpu));
}

void CacheDisk::finish_one() {
  size_t first = 0;
  for (size_t i = 1; i < pending_.size(); ++i) {
    first = pending_[i].due_ns < pending_[first].due_ns ? i : first;
  }
  const Pending done = pending_[first];
  pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(first));
  answer(*done.io, disk_.finish(done.id));
}

/// The one that is due first, perhaps too early, and all that are due.
void CacheDisk::interrupt() {
  const auto is_due = [this] {
    for (const Pending& pending : pending_) {
      if (pending.due_ns <= run_.machine.now()) {
        return true;
      }
    }
    return false;
  };
  if (!pending_.empty()) {
    finish_one();
  }
  while (is_due()) {
    finish_one();
  }
}

} // namespace kiln::block_cache
