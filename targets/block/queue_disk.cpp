#include "targets/block/queue_disk.h"

#include <algorithm>
#include <cstring>

#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/sync/support.h"

namespace kiln::block {
namespace {

using clay::BlockOp;

constexpr const char* kTarget = "block/queue";
const sim::Probe merged{kTarget, "requests are merged"};
const sim::Probe merged_failed{kTarget, "a command of several requests fails"};
const sim::Probe out_of_order{kTarget, "commands are answered in another order"};
const sim::Probe at_once{kTarget, "a command is answered before start has returned"};
const sim::Probe refused{kTarget, "the driver refuses a command"};
const sim::Probe short_count{kTarget, "less is transferred than was asked for"};
const sim::Probe nothing_moved{kTarget, "nothing is transferred, without an error"};
const sim::Probe boasted{kTarget, "more is said to be transferred than was asked for"};
const sim::Probe answered_twice{kTarget, "a command is answered twice"};
const sim::Probe nonsense{kTarget, "an answer comes to what nobody asked"};
const sim::Probe flush_failed{kTarget, "a flush fails"};
const sim::Probe torn_write{kTarget, "a write fails and leaves garbage"};
const sim::Probe silent_write{kTarget, "a command that is never answered touches memory"};
const sim::Probe was_reset{kTarget, "the disk is reset"};
const sim::Probe reset_bystander{kTarget, "a reset interrupts commands that are not late"};
const sim::Probe answered_in_reset{kTarget, "a command is answered during a reset"};
const sim::Probe reset_failed{kTarget, "a reset fails"};
const sim::Probe late_answer{kTarget, "a command that was taken back is answered"};
const sim::Probe removed_busy{kTarget, "the disk is removed with commands under way"};
const sim::Probe removed_quiet{kTarget, "the disk is removed while nobody is in the queue"};
const sim::Probe removed_in_reset{kTarget, "the disk is removed during a reset"};

constexpr const char* kOpNames[] = {"read", "write", "flush", "discard"};

worlds::DiskShape world_shape(const clay::BlockShape& shape) {
  worlds::DiskShape out;
  out.sectors = shape.sectors;
  out.sector_bytes = shape.sector_bytes;
  out.physical_bytes = shape.physical_bytes;
  out.most_sectors = shape.most_sectors;
  out.most_segments = shape.most_segments;
  out.volatile_cache = shape.volatile_cache;
  out.has_durable_write = shape.has_durable_write;
  out.has_discard = shape.has_discard;
  out.read_only = shape.read_only;
  return out;
}

worlds::DiskCommand world_command(const clay::DiskCommand& command) {
  static constexpr worlds::DiskOp kOps[] = {worlds::DiskOp::kRead, worlds::DiskOp::kWrite,
                                            worlds::DiskOp::kFlush, worlds::DiskOp::kDiscard};
  worlds::DiskCommand out;
  out.op = kOps[static_cast<size_t>(command.op)];
  out.sector = command.sector;
  out.sectors = command.sectors;
  out.durable = command.durable;
  return out;
}

/// The one of this run, while it lives: what it has planned may come later.
HostileDisk* current = nullptr;

} // namespace

HostileDisk::HostileDisk(sim::Run& run, const Temper& temper, Watch& watch, const WatchRules& rules)
    : run_(run), temper_(temper), watch_(watch), rules_(rules), disk_(world_shape(rules.shape)),
      handler_{on_interrupt, this} {
  worlds::FaultMenu menu;
  menu.kinds = worlds::kHonestFaults;
  menu.most_rules = 3;
  menu.horizon = 16;
  faults_.draw(run.tape, menu);
  disk_.set_faults(&faults_);
  disk_.log().keep(false);
  current = this;
}

HostileDisk::~HostileDisk() { current = nullptr; }

void HostileDisk::attach(clay::RequestQueue* queue) {
  queue_ = queue;
  KILN_CHECK(clay::connect_interrupt(sync::kDeviceLine, handler_).ok(), "the line is taken");
}

void HostileDisk::detach() {
  clay::disconnect_interrupt(sync::kDeviceLine);
  queue_ = nullptr;
}

// --- Commands

clay::Result<> HostileDisk::start(const clay::DiskCommand& command) {
  KILN_CHECK(queue_ != nullptr, "a command comes to a disk whose queue has been stopped");
  KILN_CHECK(starting_ == 0, "two commands are started at the same time");
  KILN_CHECK(!resetting_ && !reset_has_failed_, "a command comes in the middle of a reset");
  std::vector<const Flight*> under_way;
  for (const Active& active : flights_)
    under_way.push_back(&active.flight);
  Active active;
  // By one of those who are inside, or the recovery.
  const Turn chosen_after = inside_.empty() || was_reset_ ? 0 : inside_.front();
  active.flight = watch_.starts(command, under_way, chosen_after);
  if (active.flight.shares.size() > 1) merged.hit();
  const Request* first = active.flight.shares.empty() ? nullptr : active.flight.shares[0].request;
  run_.machine.note("disk: %s %llu + %u, request %u", kOpNames[static_cast<size_t>(command.op)],
                    static_cast<unsigned long long>(command.sector), command.sectors,
                    first == nullptr ? 0 : first->id);
  if (removed_) return refuse(active, clay::Error::kNoDevice);
  decide(active);
  if (active.refused) {
    refused.hit();
    return refuse(active, clay::Error::kNoMemory);
  }
  const bool moves = command.op == BlockOp::kRead || command.op == BlockOp::kWrite;
  active.data.resize(moves ? size_t{command.sectors} * rules_.shape.sector_bytes : 0);
  active.id = disk_.begin(world_command(command), active.data);
  const bool now = active.at_once;
  const uint64_t due_ns = active.due_ns;
  flights_.push_back(std::move(active));
  if (now) {
    at_once.hit();
    ++starting_;
    answer(flights_.size() - 1);
    --starting_;
  } else {
    call_at(due_ns);
  }
  return {};
}

clay::Result<> HostileDisk::refuse(const Active& active, clay::Error error) {
  if (active.flight.shares.size() > 1) merged_failed.hit();
  watch_.answered(active.flight, error, 0);
  watch_.heard(active.flight);
  return error;
}

/// What is to become of a command.
void HostileDisk::decide(Active& active) {
  auto fault = run_.tape.fault();
  active.due_ns = run_.machine.now() + run_.tape.world().below(temper_.delay_ns + uint64_t{1});
  const uint64_t command_ns = rules_.limits.command_ns;
  enum { kPlain, kAtOnce, kRefused, kSilent, kLate, kTwice, kBoasts, kJunk };
  switch (fault.weighted({24, 6, 2, 2, 2, 3, 1, 2})) {
  case kAtOnce:
    active.at_once = temper_.at_once;
    break;
  case kRefused:
    active.refused = temper_.refuses;
    break;
  case kSilent:
    active.answers = !temper_.silent;
    active.due_ns += fault.below(2 * command_ns);
    break;
  case kLate:
    // Often when the queue has just noticed.
    if (temper_.late)
      active.due_ns += command_ns + fault.below(fault.boolean() ? 1'000 : command_ns);
    break;
  case kTwice:
    active.twice = temper_.twice;
    break;
  case kBoasts:
    active.boasts = temper_.nonsense;
    break;
  case kJunk:
    active.junk = temper_.nonsense ? 1 + static_cast<uint32_t>(fault.below(511)) : 0;
    if (temper_.nonsense) draw_nonsense();
    break;
  default:
    break;
  }
}

/// An answer to a command that there never was.
void HostileDisk::draw_nonsense() {
  auto fault = run_.tape.fault();
  const uint32_t tag = fault.u32() | 0x80000000; // no command has started as often as that
  echo(
      {tag, 0, fault.boolean() ? clay::Result<>() : clay::Error::kIo, fault.below(100'000), false});
}

void HostileDisk::echo(Echo echo) {
  echo.due_ns = run_.machine.now() + run_.tape.world().below(2 * temper_.delay_ns + uint64_t{1});
  echoes_.push_back(echo);
  call_at(echo.due_ns);
}

// --- The device's side

void HostileDisk::gather(Active& active) const {
  uint8_t* to = active.data.data();
  if (active.flight.command.op != BlockOp::kWrite) return;
  for (const clay::DiskPiece& piece : active.flight.pieces) {
    const size_t bytes = size_t{piece.sectors} * rules_.shape.sector_bytes;
    memcpy(to, piece.data, bytes);
    to += bytes;
  }
}

void HostileDisk::scatter(const Active& active, size_t left) const {
  const uint8_t* from = active.data.data();
  if (active.flight.command.op != BlockOp::kRead) return;
  for (const clay::DiskPiece& piece : active.flight.pieces) {
    const size_t bytes = std::min(left, size_t{piece.sectors} * rules_.shape.sector_bytes);
    memcpy(piece.data, from, bytes);
    from += bytes;
    left -= bytes;
  }
}

/// The command as a whole, memory and medium.
void HostileDisk::carry_out(Active& active) {
  gather(active);
  const bool torn = disk_.fate(active.id) == worlds::FaultKind::kErrorTorn;
  active.answer = disk_.finish(active.id);
  active.carried_out = true;
  active.moved = disk_.moved();
  if (active.flight.command.op == BlockOp::kDiscard && active.answer == worlds::DiskAnswer::kOk) {
    active.moved = active.flight.command.sectors;
  }
  // A read that fails may have put anything there.
  const bool ok = active.answer == worlds::DiskAnswer::kOk;
  scatter(active, ok ? active.moved * rules_.shape.sector_bytes : active.data.size());
  for (const Flight::Share& share : active.flight.shares)
    share.request->torn |= torn;
  if (torn) torn_write.hit();
}

void HostileDisk::answer(size_t index) {
  Active active = std::move(flights_[index]);
  flights_.erase(flights_.begin() + static_cast<ptrdiff_t>(index));
  if (index != 0) out_of_order.hit();
  if (resetting_) answered_in_reset.hit();
  if (!active.carried_out) carry_out(active);
  const clay::DiskCommand& command = active.flight.command;
  const bool ok = active.answer == worlds::DiskAnswer::kOk;
  const bool moves = command.op == BlockOp::kRead || command.op == BlockOp::kWrite;
  size_t bytes = moves ? active.moved * rules_.shape.sector_bytes : active.junk; // means nothing
  uint64_t sure = active.moved;
  if (ok && moves) {
    if (active.moved < command.sectors) {
      (active.moved == 0 ? nothing_moved : short_count).hit();
      bytes += active.junk;
    } else if (active.boasts) {
      boasted.hit();
      bytes += rules_.shape.sector_bytes;
      sure = 0;
    }
  }
  run_.machine.note("disk: answer to %u: %s, %zu bytes", command.tag >> 8, ok ? "ok" : "error",
                    bytes);
  if (!ok && active.flight.shares.size() > 1) merged_failed.hit();
  if (!ok && command.op == BlockOp::kFlush) flush_failed.hit();
  const clay::Result<> result = ok ? clay::Result<>() : clay::Error::kIo;
  watch_.answered(active.flight, result, ok ? sure : 0);
  const uint32_t tag = command.tag;
  if (active.twice) {
    answered_twice.hit();
    echo({tag, 0, result, bytes, true});
  }
  if (resetting_) watch_.doubt(active.flight, is_late(active));
  answering_.push_back(&active);
  const bool taken = complete(tag, result, bytes);
  std::erase(answering_, &active);
  watch_.heard(active.flight);
  KILN_CHECK(taken || active.twice || removed_ || is_late(active) || reset_may_be_due(),
             "the queue does not know a command that is under way");
  if (!taken) watch_.doubt(active.flight, is_late(active));
  if (is_late(active)) late_ns_ = run_.machine.now(); // perhaps the queue has seen that, too
}

bool HostileDisk::complete(uint32_t tag, clay::Result<> result, size_t bytes) {
  const Inside inside(*this);
  return queue_->complete(tag, result, bytes);
}

// --- Interrupts

void HostileDisk::call_at(uint64_t ns) { run_.machine.at(ns, on_time, this); }

/// Outside the kernel: what the device does by itself.
void HostileDisk::on_time(void* self) {
  if (self != current) return;
  auto& disk = *current;
  for (Active& active : disk.flights_) {
    if (!active.answers && !active.carried_out && active.due_ns <= disk.run_.machine.now()) {
      silent_write.hit();
      disk.carry_out(active);
    }
  }
  disk.run_.machine.raise_irq(disk.next_cpu_++ % disk.run_.machine.cpus(), sync::kDeviceLine);
}

void HostileDisk::on_interrupt(unsigned, void* self) {
  static_cast<HostileDisk*>(self)->interrupt();
}

void HostileDisk::interrupt() {
  if (removal_due_ns_ <= run_.machine.now() && !removed_) remove();
  bool any = false;
  while (answer_one_due() || echo_one_due())
    any = true;
  if (any || !temper_.eager || flights_.empty()) return;
  const size_t index = static_cast<size_t>(run_.tape.world().below(2 * flights_.size()));
  if (index < flights_.size() && flights_[index].answers) answer(index);
}

bool HostileDisk::answer_one_due() {
  for (size_t i = 0; i < flights_.size(); ++i) {
    if (flights_[i].answers && flights_[i].due_ns <= run_.machine.now()) {
      answer(i);
      return true;
    }
  }
  return false;
}

bool HostileDisk::echo_one_due() {
  for (size_t i = 0; i < echoes_.size(); ++i) {
    if (echoes_[i].due_ns <= run_.machine.now()) {
      const Echo echo = echoes_[i];
      echoes_.erase(echoes_.begin() + static_cast<ptrdiff_t>(i));
      nonsense.hit();
      const bool taken = complete(echo.tag, echo.result, echo.bytes);
      KILN_CHECK(!taken || echo.second, "the queue takes an answer to what is not under way");
      return true;
    }
  }
  return false;
}

// --- Resets

clay::Result<> HostileDisk::reset() {
  KILN_CHECK(!resetting_ && starting_ == 0, "a reset comes in the middle of something else");
  KILN_CHECK(queue_ != nullptr, "a disk is reset whose queue has been stopped");
  check_reset_is_due();
  was_reset.hit();
  for (const Active* active : answering_)
    watch_.doubt(active->flight, is_late(*active));
  auto fault = run_.tape.fault();
  resetting_ = was_reset_ = true;
  if (temper_.slow_reset) clay::sleep_for(fault.below(rules_.limits.command_ns));
  for (Active& active : flights_) {
    if (!is_late(active)) reset_bystander.hit();
    if (!active.carried_out && fault.boolean()) carry_out(active);
    disk_.abandon(active.id);
    watch_.taken_back(active.flight, is_late(active));
    if (temper_.late && fault.boolean()) {
      late_answer.hit();
      echo({active.flight.command.tag, 0, {}, active.data.size(), false});
    }
  }
  flights_.clear();
  resetting_ = false;
  late_ns_ = run_.machine.now();
  watch_.busy_until(late_ns_);
  reset_has_failed_ = removed_ || (temper_.failing_reset && fault.below(4) == 1);
  if (!reset_has_failed_) return {};
  reset_failed.hit();
  watch_.being_removed();
  if (!removed_) watch_.removed(false);
  return clay::Error::kIo;
}

/// The queue's clock starts a little later than this.
bool HostileDisk::is_late(const Active& active) const {
  return active.flight.begun_ns + rules_.limits.command_ns <= run_.machine.now();
}

/// Whether a command is late, or was when the queue looked.
bool HostileDisk::reset_may_be_due() const {
  const auto late = [this](const Active& active) { return is_late(active); };
  return late_ns_ != 0 || !answering_.empty() ||
         std::any_of(flights_.begin(), flights_.end(), late);
}

void HostileDisk::check_reset_is_due() const {
  for (const Active& active : flights_) {
    // How long the queue took to look at its clock is not known.
    const uint64_t due_ns = active.flight.begun_ns + 3 * rules_.limits.command_ns;
    KILN_CHECK(run_.machine.idle_until() <= due_ns,
               "a command has been late for %llu ns, and the machine was idle",
               static_cast<unsigned long long>(run_.machine.idle_until() - due_ns));
  }
  KILN_CHECK(removed_ || reset_may_be_due(), "the disk is reset, and no command is late");
}

// --- Removal

void HostileDisk::remove_at(uint64_t ns) {
  removal_due_ns_ = ns;
  call_at(ns);
}

void HostileDisk::remove() {
  if (resetting_) removed_in_reset.hit();
  const bool late = std::any_of(flights_.begin(), flights_.end(),
                                [this](const Active& active) { return is_late(active); });
  if (!flights_.empty()) removed_busy.hit();
  for (Active& active : flights_)
    gather(active);
  disk_.remove(run_.tape.fault());
  removed_ = true;
  for (const Active& active : flights_)
    watch_.taken_back(active.flight, false);
  flights_.clear();
  removed_turn_ = watch_.being_removed();
  queue_->removed();
  // Whoever was in the queue before may still start something, or give it back.
  const bool recovered = late_ns_ == 0 || run_.machine.idle_until() > late_ns_;
  const bool quiet = inside_.empty() && !late && !resetting_ && recovered;
  if (quiet) removed_quiet.hit();
  watch_.removed(quiet);
}

} // namespace kiln::block
