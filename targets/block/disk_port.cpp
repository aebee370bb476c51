#include "targets/block/disk_port.h"

#include <algorithm>
#include <utility>

#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/sleep.h"
#include "targets/block/direct_device.h"

namespace kiln::block {
namespace {

using clay::BlockOp;
using clay::Error;
using clay::Result;
using worlds::DiskAnswer;
using worlds::FaultKind;

} // namespace

/// Events of the machine cannot be called off: they find out here that nobody waits for them.
struct DiskPort::Hub {
  DiskPort* port;
};

namespace {

struct Event {
  void* hub;
  uint64_t number; ///< of a flight
};

} // namespace

/// A command that the device has got.
struct DiskPort::Flight {
  uint64_t number;
  uint32_t tag;
  uint16_t slot;
  worlds::DiskCommand command;
  worlds::Disk::CommandId id = 0;
  std::vector<clay::DiskPiece> pieces;
  std::vector<uint8_t> gathered; ///< when there are several pieces

  bool overlaps(const clay::DiskCommand& other) const {
    return other.op != BlockOp::kFlush && command.op != worlds::DiskOp::kFlush &&
           other.sector < command.sector + command.sectors &&
           command.sector < other.sector + other.sectors;
  }

  std::span<uint8_t> memory(size_t sector_bytes) {
    if (pieces.empty()) return {};
    if (pieces.size() == 1) return {pieces[0].data, pieces[0].sectors * sector_bytes};
    gathered.resize(static_cast<size_t>(command.sectors) * sector_bytes);
    return gathered;
  }
  void gather(size_t sector_bytes) {
    auto* to = gathered.data();
    for (const clay::DiskPiece& piece : pieces) {
      to = std::copy_n(piece.data, piece.sectors * sector_bytes, to);
    }
  }
  void scatter(size_t sector_bytes) const {
    const auto* from = gathered.data();
    for (const clay::DiskPiece& piece : pieces) {
      std::copy_n(from, piece.sectors * sector_bytes, piece.data);
      from += piece.sectors * sector_bytes;
    }
  }
};

DiskPort::DiskPort(worlds::Disk& disk, sim::Run& run, const Manner& manner)
    : disk_(disk), run_(run), manner_(manner), hub_(new Hub{this}) {}

DiskPort::~DiskPort() {
  KILN_CHECK(queue_ == nullptr, "a disk's driver goes while it is connected");
  hub_->port = nullptr;
}

void DiskPort::connect(clay::RequestQueue& queue) {
  queue_ = &queue;
  KILN_CHECK(clay::connect_interrupt(manner_.line, {on_interrupt, this}).ok(), "line %u is taken",
             manner_.line);
}

void DiskPort::disconnect() {
  clay::disconnect_interrupt(manner_.line);
  queue_ = nullptr;
}

// --- Commands begin

void DiskPort::check(const clay::DiskCommand& command) const {
  const worlds::DiskShape& shape = disk_.shape();
  KILN_CHECK(!starting_, "start() is called while another start() runs");
  KILN_CHECK(!resetting_, "start() is called while reset() runs");
  for (const auto& flight : flights_) {
    KILN_CHECK(flight->slot != command.slot, "slot %u is used by two commands", command.slot);
    KILN_CHECK(flight->tag != command.tag, "tag %u is used by two commands", command.tag);
    const bool orders = command.op != BlockOp::kRead || flight->command.op != worlds::DiskOp::kRead;
    KILN_CHECK(!flight->overlaps(command) || !orders,
               "a command for sector %lu begins while another is under way there", command.sector);
  }
  if (command.op == BlockOp::kFlush) {
    KILN_CHECK(command.pieces.empty() && !command.durable, "a flush that carries data");
    return;
  }
  KILN_CHECK(command.sectors >= 1 && command.sectors <= shape.most_sectors,
             "a command of %u sectors on a disk that takes %u", command.sectors,
             shape.most_sectors);
  KILN_CHECK(command.sectors <= shape.sectors && command.sector <= shape.sectors - command.sectors,
             "a command for %u sectors from %lu on a disk of %lu", command.sectors, command.sector,
             shape.sectors);
  KILN_CHECK(!command.durable || (command.op == BlockOp::kWrite && shape.has_durable_write),
             "FUA where the disk has none");
  KILN_CHECK(command.op == BlockOp::kRead || !shape.read_only, "a write to a read-only disk");
  uint64_t sectors = 0;
  for (const clay::DiskPiece& piece : command.pieces) {
    KILN_CHECK(piece.sectors >= 1 && piece.data != nullptr, "an empty piece of memory");
    sectors += piece.sectors;
  }
  if (command.op == BlockOp::kDiscard) {
    KILN_CHECK(shape.has_discard && sectors == 0,
               "a discard where the disk has none, or with data");
    return;
  }
  KILN_CHECK(sectors == command.sectors && command.pieces.size() <= shape.most_segments,
             "%zu pieces of %lu sectors for a command of %u", command.pieces.size(), sectors,
             command.sectors);
}

Result<> DiskPort::start(const clay::DiskCommand& command) {
  check(command);
  if (manner_.may_refuse && run_.tape.fault().chance(1, 64)) {
    ++counts_.refused;
    return Error::kBusy;
  }
  starting_ = true;
  take_off(command);
  starting_ = false;
  return {};
}

void DiskPort::take_off(const clay::DiskCommand& command) {
  ++counts_.started;
  const size_t sector_bytes = disk_.shape().sector_bytes;
  auto flight = std::make_unique<Flight>();
  flight->number = next_number_++;
  flight->tag = command.tag;
  flight->slot = command.slot;
  flight->command.op = op_of(command.op);
  flight->command.sector = command.sector;
  flight->command.sectors = command.sectors;
  flight->command.durable = command.durable;
  flight->pieces.assign(command.pieces.begin(), command.pieces.end());
  const std::span<uint8_t> memory = flight->memory(sector_bytes);
  if (command.op == BlockOp::kWrite && command.pieces.size() > 1) flight->gather(sector_bytes);
  flight->id = disk_.begin(flight->command, memory);
  const uint64_t number = flight->number;
  const FaultKind fate = disk_.fate(flight->id);
  flights_.push_back(std::move(flight));
  if (fate == FaultKind::kNever) {
    ++counts_.never;
    return;
  }
  const uint64_t delay = delay_for(fate);
  if (delay != 0) {
    schedule(delay, number);
    return;
  }
  ++counts_.at_once;
  const Answer at_once = land(*flights_.back());
  flights_.pop_back();
  deliver(at_once);
}

/// 0: within start().
uint64_t DiskPort::delay_for(FaultKind fate) {
  auto world = run_.tape.world();
  if (fate == FaultKind::kLate) {
    ++counts_.late;
    return manner_.late_ns + world.below(manner_.late_ns / 2);
  }
  switch (world.weighted({8, 4, 1, 1})) {
  case 1:
    return 1 + world.below(256) * (manner_.usual_ns / 64);
  case 2:
    return 0;
  case 3:
    return manner_.usual_ns * (1 + world.below(1000));
  default:
    return manner_.usual_ns;
  }
}

void DiskPort::schedule(uint64_t delay_ns, uint64_t number) {
  run_.machine.at(run_.machine.now() + delay_ns, on_event, new Event{hub_, number});
}

// --- Commands end

void DiskPort::on_event(void* arg) {
  const auto* event = static_cast<Event*>(arg);
  DiskPort* port = static_cast<Hub*>(event->hub)->port;
  if (port != nullptr) port->answer(event->number);
}

void DiskPort::answer(uint64_t number) {
  const auto found = std::find_if(flights_.begin(), flights_.end(),
                                  [number](const auto& it) { return it->number == number; });
  if (found == flights_.end()) return; // a reset has ended it
  if (found != flights_.begin()) ++counts_.overtaken;
  const bool twice = disk_.fate((*found)->id) == FaultKind::kTwice;
  const Answer got = land(**found);
  flights_.erase(found);
  answers_.push_back(got);
  if (twice) {
    ++counts_.twice;
    answers_.push_back(got);
  }
  raise();
}

DiskPort::Answer DiskPort::land(Flight& flight) {
  const size_t sector_bytes = disk_.shape().sector_bytes;
  const bool several = flight.pieces.size() > 1;
  if (several && flight.command.op == worlds::DiskOp::kWrite) flight.gather(sector_bytes);
  const DiskAnswer answer = disk_.finish(flight.id);
  if (several && flight.command.op == worlds::DiskOp::kRead) flight.scatter(sector_bytes);
  if (!disk_.present() || !disk_.powered()) {
    gone_ = true;
    raise();
  }
  const auto bytes = static_cast<size_t>(disk_.moved()) * sector_bytes;
  counts_.errors += answer == DiskAnswer::kError ? 1 : 0;
  counts_.shorter += answer == DiskAnswer::kOk && disk_.moved() < flight.command.sectors &&
                             flight.command.op != worlds::DiskOp::kFlush
                         ? 1
                         : 0;
  return {flight.tag, answer, bytes};
}

void DiskPort::raise() { run_.machine.raise_irq(manner_.cpu, manner_.line); }

void DiskPort::deliver(const Answer& answer) {
  ++counts_.answered;
  queue_->complete(answer.tag, result_of(answer.answer), answer.bytes);
}

void DiskPort::on_interrupt(unsigned, void* self) {
  auto& port = *static_cast<DiskPort*>(self);
  while (!port.answers_.empty()) {
    const Answer answer = port.answers_.front();
    port.answers_.erase(port.answers_.begin());
    port.deliver(answer);
  }
  if (port.gone_ && !port.told_) {
    port.told_ = true;
    port.queue_->removed();
  }
}

// --- Trouble

// Whatever was under way has been done, or not; nobody hears of it.
Result<> DiskPort::reset() {
  KILN_CHECK(!starting_ && !resetting_, "reset() is called while start() or reset() runs");
  resetting_ = true;
  ++counts_.resets;
  auto fault = run_.tape.fault();
  clay::disconnect_interrupt(manner_.line); // no handler runs from here on
  if (fault.boolean()) clay::sleep_for(manner_.usual_ns);
  counts_.lost += answers_.size();
  answers_.clear();
  for (auto& flight : flights_) {
    if (fault.boolean()) {
      land(*flight);
    } else {
      disk_.abandon(flight->id);
    }
  }
  flights_.clear();
  const bool fails = manner_.may_refuse && fault.below(8) == 1;
  KILN_CHECK(clay::connect_interrupt(manner_.line, {on_interrupt, this}).ok(), "the line is taken");
  if (gone_) raise();
  resetting_ = false;
  return fails ? Result<>(Error::kIo) : Result<>();
}

void DiskPort::pull() {
  disk_.remove(run_.tape.fault());
  flights_.clear();
  gone_ = true;
  raise();
}

void DiskPort::cut_power(worlds::TornSectors torn) {
  if (disk_.powered()) disk_.cut(run_.tape.fault(), torn);
  flights_.clear();
  gone_ = true;
  raise();
}

} // namespace kiln::block
