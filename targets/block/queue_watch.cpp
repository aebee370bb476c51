#include "targets/block/queue_watch.h"

#include <algorithm>

namespace kiln::block {
namespace {

using clay::BlockOp;

bool changes(BlockOp op) { return op == BlockOp::kWrite || op == BlockOp::kDiscard; }

bool conflict(const clay::DiskCommand& a, const clay::DiskCommand& b) {
  if (a.sectors == 0 || b.sectors == 0 || (!changes(a.op) && !changes(b.op))) return false;
  return a.sector <= b.sector ? b.sector - a.sector < a.sectors : a.sector - b.sector < b.sectors;
}

bool needs_flush(const Request& request) {
  return request.op == BlockOp::kFlush || request.flush_first || request.durable;
}

} // namespace

// --- The requests

void Watch::begins(Request& request) {
  request.begun = ++turns_;
  request.begun_ns = machine_.now();
  request.state = Request::State::kPending;
}

void Watch::accepted(Request& request) {
  if (request.accepted != 0) return;
  request.accepted = ++turns_;
  request.rivals = pending();
}

void Watch::ends(Request& request, clay::Result<> result) {
  KILN_CHECK(request.state == Request::State::kPending, "request %u is done, and was not pending",
             request.id);
  KILN_CHECK(request.under_way == 0 || request.vague,
             "request %u is done while the disk has its memory", request.id);
  accepted(request);
  request.ended = ++turns_;
  if (gone_) check_gone(request, result);
  if (result.ok()) {
    check_success(request);
    request.state = Request::State::kOk;
  } else {
    request.error = result.error();
    check_failure(request);
    request.state = Request::State::kFailed;
  }
}

void Watch::check_gone(const Request& request, clay::Result<> result) const {
  KILN_CHECK(!strict_ || result.failed_with(clay::Error::kNoDevice),
             "request %u does not end with kNoDevice, though the device is gone", request.id);
  const uint64_t prompt_ns = std::max({gone_ns_, busy_until_ns_, request.begun_ns});
  KILN_CHECK(machine_.idle_until() <= prompt_ns,
             "request %u ends %llu ns after the device is gone, and the machine was idle meanwhile",
             request.id, static_cast<unsigned long long>(machine_.idle_until() - prompt_ns));
}

void Watch::check_success(const Request& request) const {
  const clay::BlockShape& shape = rules_.shape;
  KILN_CHECK((request.failed_alone == 0 || request.vague) && !request.must_fail,
             "request %u succeeds, though the disk has failed it", request.id);
  // More, when it was carried out in vain before a reset.
  KILN_CHECK(
      (request.resets == 0 ? request.moved == request.sectors : request.moved >= request.sectors) ||
          request.vague,
      "request %u of %llu sectors succeeds, of which the disk has transferred %llu", request.id,
      static_cast<unsigned long long>(request.sectors),
      static_cast<unsigned long long>(request.moved));
  if (!shape.volatile_cache) return;
  KILN_CHECK((request.op != BlockOp::kFlush && !request.flush_first) || good_flush_ > request.begun,
             "request %u wants a flush and succeeds without one", request.id);
  KILN_CHECK(!request.durable || shape.has_durable_write || good_flush_ > request.last_transfer,
             "request %u is to be durable and succeeds without a flush after it", request.id);
}

void Watch::check_failure(const Request& request) const {
  if (request.error == clay::Error::kNoDevice && (gone_ || stopping_)) return;
  constexpr unsigned kBorne = 8; // resets in the middle of a request
  if (request.error == clay::Error::kTimedOut && request.resets > kBorne) return;
  const uint32_t reasons = request.failed_alone | request.may_fail;
  KILN_CHECK((error_bit(request.error) & reasons) != 0 || request.vague,
             "request %u fails with '%s': nothing of it alone has failed so", request.id,
             clay::error_text(request.error));
}

// --- Commands

Flight Watch::starts(const clay::DiskCommand& command, const std::vector<const Flight*>& under_way,
                     Turn chosen_after) {
  check_not_gone();
  Flight flight;
  flight.command = command;
  flight.pieces.assign(command.pieces.begin(), command.pieces.end());
  flight.command.pieces = {flight.pieces.data(), flight.pieces.size()};
  flight.chosen_after = chosen_after;
  flight.begun = ++turns_;
  flight.begun_ns = machine_.now();
  check_limits(command);
  check_conflicts(command, under_way);
  if (command.op == BlockOp::kFlush) {
    begin_flush(flight);
  } else {
    share_out(flight);
    check_flushes(flight);
  }
  if (!gone_) check_fairness(flight);
  for (const Flight::Share& share : flight.shares)
    ++share.request->under_way;
  return flight;
}

/// One may have been chosen when the queue was told, and come still.
void Watch::check_not_gone() {
  if (!told_) return;
  const unsigned most = strict_ ? 0 : 1;
  KILN_CHECK(++after_gone_ <= most, "%u commands come to a disk that is gone", after_gone_);
}

void Watch::check_limits(const clay::DiskCommand& command) const {
  const clay::BlockShape& shape = rules_.shape;
  KILN_CHECK(command.slot < rules_.limits.slots, "a command has slot %u of %u", command.slot,
             rules_.limits.slots);
  KILN_CHECK(command.pieces.size() <= shape.most_segments, "a command has %zu pieces",
             command.pieces.size());
  uint64_t sectors = 0;
  for (const clay::DiskPiece& piece : command.pieces) {
    KILN_CHECK(piece.sectors != 0, "a command has an empty piece");
    sectors += piece.sectors;
  }
  const bool moves = command.op == BlockOp::kRead || command.op == BlockOp::kWrite;
  KILN_CHECK(sectors == (moves ? command.sectors : 0), "a command of %u sectors has %llu in memory",
             command.sectors, static_cast<unsigned long long>(sectors));
  if (command.op == BlockOp::kFlush) {
    KILN_CHECK(shape.volatile_cache, "a disk without a cache is flushed");
    return;
  }
  KILN_CHECK(command.sectors >= 1 && command.sectors <= shape.most_sectors &&
                 command.sector <= shape.sectors &&
                 command.sectors <= shape.sectors - command.sector,
             "a command is for %u sectors from %llu on", command.sectors,
             static_cast<unsigned long long>(command.sector));
  KILN_CHECK(!changes(command.op) || !shape.read_only, "a disk that is read-only is written");
  KILN_CHECK(command.op != BlockOp::kDiscard || shape.has_discard, "a disk cannot discard");
}

void Watch::check_conflicts(const clay::DiskCommand& command,
                            const std::vector<const Flight*>& under_way) const {
  KILN_CHECK(under_way.size() < rules_.limits.slots,
             "%zu commands are under way, and another comes", under_way.size());
  for (const Flight* other : under_way) {
    KILN_CHECK(other->command.slot != command.slot && other->command.tag != command.tag,
               "two commands under way have slot %u or tag %u", command.slot, command.tag);
    KILN_CHECK(!conflict(other->command, command),
               "two commands under way overlap at sector %llu, and one writes",
               static_cast<unsigned long long>(command.sector));
  }
}

/// Finds out whose each sector is.
void Watch::share_out(Flight& flight) {
  const clay::DiskCommand& command = flight.command;
  uint64_t sector = command.sector;
  if (command.op == BlockOp::kDiscard) {
    for (; sector - command.sector < command.sectors; ++sector) {
      claim(flight, owner(flight, nullptr, sector), sector);
    }
    return;
  }
  for (const clay::DiskPiece& piece : flight.pieces) {
    for (uint32_t i = 0; i < piece.sectors; ++i, ++sector) {
      const uint8_t* memory = piece.data + size_t{i} * rules_.shape.sector_bytes;
      claim(flight, owner(flight, memory, sector), sector);
    }
  }
}

Request* Watch::owner(const Flight& flight, const uint8_t* memory, uint64_t sector) {
  Request* found = nullptr;
  for (Request& request : requests_) {
    if (!request.pending() || request.op != flight.command.op || !request.holds(sector)) continue;
    const uint64_t offset = (sector - request.sector) * rules_.shape.sector_bytes;
    if (memory != nullptr && memory != request.data + offset) continue;
    if (found == nullptr) {
      found = &request;
    } else {
      found->vague = request.vague = true;
    }
  }
  return found;
}

void Watch::claim(Flight& flight, Request* request, uint64_t sector) {
  KILN_CHECK(request != nullptr, "nobody has asked for what a command does with sector %llu",
             static_cast<unsigned long long>(sector));
  if (flight.shares.empty() || flight.shares.back().request != request) {
    flight.shares.push_back({request, 0});
  }
  ++flight.shares.back().sectors;
  const uint64_t reached = sector - request->sector + 1;
  if (reached > request->reached) {
    request->reached = reached;
    flight.fresh = true;
  }
}

void Watch::begin_flush(Flight& flight) {
  ++flushes_under_way_;
  for (Request& request : requests_) {
    if (request.pending() && needs_flush(request)) flight.flushed.push_back(&request);
  }
  // With nobody behind the window, all who have been accepted have been looked at.
  flight.all_flushed = pending() <= rules_.limits.most_admitted;
}

void Watch::check_flushes(const Flight& flight) const {
  const clay::BlockShape& shape = rules_.shape;
  for (const Flight::Share& share : flight.shares) {
    const Request& request = *share.request;
    KILN_CHECK(!request.flush_first || !shape.volatile_cache || good_flush_ > request.begun,
               "request %u wants a flush first and is begun without", request.id);
    const bool durable = request.durable && shape.volatile_cache && shape.has_durable_write;
    KILN_CHECK(flight.command.durable == durable, "a command is %sdurable, and request %u is %s",
               flight.command.durable ? "" : "not ", request.id, durable ? "" : "not");
  }
}

// --- Fairness

unsigned Watch::pending() const {
  return static_cast<unsigned>(std::count_if(requests_.begin(), requests_.end(),
                                             [](const Request& r) { return r.pending(); }));
}

/// Whether something that may be before it in the queue keeps it from being started.
bool Watch::blocked(const Request& request) const {
  for (const Request& other : requests_) {
    if (&other != &request && other.pending() && other.overlaps(request) &&
        (other.changes() || request.changes()) && !surely_before(request, other)) {
      return true;
    }
  }
  return false;
}

/// Whether a flush has ended that was for it: the queue has yet to give it back.
bool Watch::was_flushed(const Request& request) const {
  return good_flush_ > request.begun || request.may_fail != 0;
}

/// Whether the queue must look at it: not so many others are there that may be before it.
bool Watch::is_admitted(const Request& request) const {
  const auto before = std::count_if(requests_.begin(), requests_.end(), [&](const Request& other) {
    return &other != &request && other.pending() && !surely_before(request, other);
  });
  return before < rules_.limits.most_admitted;
}

/// Whether it is the queue's turn to start something of it.
bool Watch::could_start(const Request& request) const {
  if (!request.pending() || request.accepted == 0 || request.waits) return false;
  if (!is_admitted(request)) return false;
  if (request.op == BlockOp::kFlush) return flushes_under_way_ == 0 && !was_flushed(request);
  const bool flushed = request.flush_first && rules_.shape.volatile_cache;
  return !flushed && request.under_way == 0 && request.reached < request.sectors &&
         (request.failed_alone | request.may_fail) == 0 && !request.vague && !blocked(request);
}

void Watch::check_fairness(const Flight& flight) {
  const unsigned now_pending = pending();
  for (Request& request : requests_) {
    const auto is_this = [&](const Flight::Share& share) { return share.request == &request; };
    if (!could_start(request) || std::any_of(flight.shares.begin(), flight.shares.end(), is_this)) {
      request.passed = 0;
      request.rivals = now_pending;
    } else if (flight.fresh) {
      ++request.passed;
      check_passed(request);
    }
  }
}

void Watch::check_passed(const Request& request) const {
  // A flush lets one command pass that has waited for the flush before it. And one more: a command
  // is chosen before it is started, and somebody may be accepted in between.
  unsigned most = 2;
  // Once a request is due, each that was there when it began to wait may come before it, once.
  if (request.op != BlockOp::kFlush) most = 1u + rules_.limits.most_passed + request.rivals;
  KILN_CHECK(request.passed <= most, "%u commands of others have passed request %u", request.passed,
             request.id);
}

// --- Answers

void Watch::answered(const Flight& flight, clay::Result<> result, uint64_t sectors) {
  ends_flight(flight);
  if (flight.command.op == BlockOp::kFlush) {
    if (result.ok()) {
      good_flush_ = std::max(good_flush_, flight.begun);
    } else {
      fail_flush(flight, result.error());
    }
    return;
  }
  if (!result.ok() || sectors == 0) {
    const clay::Error error = result.ok() ? clay::Error::kIo : result.error();
    if (flight.shares.size() == 1) blame(flight, error);
    return;
  }
  for (const Flight::Share& share : flight.shares) {
    const uint64_t moved = std::min(sectors, share.sectors);
    share.request->moved += moved;
    share.request->last_transfer = turns_;
    sectors -= moved;
  }
}

void Watch::ends_flight(const Flight& flight) {
  ++turns_;
  for (const Flight::Share& share : flight.shares)
    --share.request->under_way;
}

void Watch::heard(const Flight& flight) {
  if (flight.command.op == BlockOp::kFlush) --flushes_under_way_;
}

void Watch::blame(const Flight& flight, clay::Error error) {
  for (const Flight::Share& share : flight.shares) {
    share.request->failed_alone |= error_bit(error);
  }
}

void Watch::fail_flush(const Flight& flight, clay::Error error) const {
  for (Request* request : flight.flushed) {
    const bool surely = request->op == BlockOp::kFlush && request->pending() &&
                        !was_flushed(*request) && request->accepted != 0 &&
                        request->accepted < flight.chosen_after;
    request->may_fail |= error_bit(error);
    request->must_fail = request->must_fail || (surely && flight.all_flushed);
  }
}

void Watch::doubt(const Flight& flight, bool late) {
  const uint32_t timed_out = late ? error_bit(clay::Error::kTimedOut) : 0;
  for (const Flight::Share& share : flight.shares) {
    Request& request = *share.request;
    request.may_fail |= request.failed_alone | timed_out;
    request.failed_alone = 0;
    ++request.resets;
  }
  for (Request* request : flight.flushed) {
    request->may_fail |= timed_out;
    request->must_fail = false;
    ++request->resets;
  }
}

void Watch::taken_back(const Flight& flight, bool late) {
  ends_flight(flight);
  heard(flight);
  for (const Flight::Share& share : flight.shares)
    ++share.request->resets;
  for (Request* request : flight.flushed)
    ++request->resets;
  if (!late) return;
  // The queue's clock started a little later: whether it is late there is not known.
  for (Request* request : flight.flushed)
    request->may_fail |= error_bit(clay::Error::kTimedOut);
  if (flight.shares.size() != 1) return;
  flight.shares.front().request->may_fail |= error_bit(clay::Error::kTimedOut);
}

void Watch::removed(bool quiet) {
  told_ = true;
  strict_ = quiet;
  gone_ns_ = machine_.now();
}

} // namespace kiln::block
