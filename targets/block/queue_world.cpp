#include "targets/block/queue_world.h"

#include <cstring>

#include "kernel-src/hal/memory.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/block/queue_refused.h"
#include "targets/sync/support.h"

namespace kiln::block {
namespace {

using clay::BlockOp;

constexpr const char* kTarget = "block/queue";
const sim::Probe split{kTarget, "a request is larger than a command"};
const sim::Probe failed{kTarget, "a request fails"};
const sim::Probe timed_out{kTarget, "a request times out"};
const sim::Probe refused_gone{kTarget, "a request comes after the device is gone"};
const sim::Probe stopped_busy{kTarget, "the queue is stopped with requests under way"};
const sim::Probe refused_stopped{kTarget, "a request comes after the queue was stopped"};
const sim::Probe submitted_by_end{kTarget, "the end of a request in an interrupt submits another"};
const sim::Probe done_in_submit{kTarget, "a request is done before submit has returned"};
const sim::Probe backlog{kTarget, "there are more requests than the queue looks at"};
const sim::Probe overlapping{kTarget, "a request overlaps one that is under way, and one writes"};
const sim::Probe by_slice{kTarget, "a slice of a slice is written"};
const sim::Probe drained{kTarget, "a drain has to wait"};
const sim::Probe emulated_durable{kTarget, "a durable write is followed by a flush"};
const sim::Probe real_durable{kTarget, "a durable write is one command"};
const sim::Probe flushed_first{kTarget, "a write gets the flush that it wants first"};
const sim::Probe discarded{kTarget, "sectors are discarded"};
const sim::Probe no_memory{kTarget, "there is no memory for a queue"};
const sim::Probe cut_loses{kTarget, "a write that was not durable is lost in a cut"};
const sim::Probe removed_judged{kTarget, "the disk is judged after it was removed"};

/// The part of the used sectors that a slice has.
constexpr uint64_t kSliceFirst = 2;
constexpr uint64_t kInnerFirst = 1;

} // namespace

QueueWorld::QueueWorld(sim::Run& run, const WorldShape& shape)
    : run_(run), shape_(shape),
      model_(requests_, shape.first, shape.sectors, shape.rules.shape.sector_bytes,
             shape.rules.shape.volatile_cache),
      watch_(run.machine, shape.rules, requests_, turns_),
      disk_(run, shape.temper, watch_, shape.rules) {}

QueueWorld::~QueueWorld() = default;

bool QueueWorld::make() {
  auto queue = clay::RequestQueue::create(disk_, shape_.rules.shape, shape_.rules.limits);
  if (!queue.ok()) {
    KILN_CHECK(shape_.may_fail && queue.failed_with(clay::Error::kNoMemory),
               "a queue cannot be made: %s", clay::error_text(queue.error()));
    no_memory.hit();
    return false;
  }
  queue_ = queue.take();
  disk_.attach(queue_.get());
  if (shape_.sectors == 0) return true;
  auto slice = clay::BlockSlice::create(*queue_, shape_.first + kSliceFirst,
                                        shape_.sectors - kSliceFirst - 1);
  if (!slice.ok()) return true;
  slice_ = slice.take();
  auto inner = clay::BlockSlice::create(*slice_, kInnerFirst, shape_.sectors - 5);
  if (inner.ok()) inner_ = inner.take();
  return true;
}

// --- Requests

/// A place on one of the devices, inside the sectors that are used.
QueueWorld::Place QueueWorld::place(const Step& step, uint64_t at, uint64_t length) const {
  if (shape_.sectors == 0) return {queue_.get(), 0, 0, 0};
  Place place{queue_.get(), shape_.first, 0, 0};
  uint64_t first = shape_.first; // of the device's own numbers
  uint64_t sectors = shape_.sectors;
  uint64_t shift = 0;
  if (step.device == 1 && slice_) {
    place.device = slice_.get();
    first = 0;
    sectors = slice_->shape().sectors;
    shift = shape_.first + kSliceFirst;
  } else if (step.device == 2 && inner_) {
    place.device = inner_.get();
    first = 0;
    sectors = inner_->shape().sectors;
    shift = shape_.first + kSliceFirst + kInnerFirst;
  }
  place.shift = shift;
  place.sector = first + at % sectors;
  const uint64_t left = sectors - at % sectors;
  place.sectors = length < left ? length : left;
  return place;
}

bool QueueWorld::can(BlockOp op) const {
  const clay::BlockShape& shape = shape_.rules.shape;
  return op == BlockOp::kRead || op == BlockOp::kFlush ||
         (!shape.read_only && (op == BlockOp::kWrite || shape.has_discard));
}

Request& QueueWorld::make_request(const Step& step, const Place& place) {
  requests_.emplace_back();
  Request& request = requests_.back();
  request.id = static_cast<unsigned>(requests_.size());
  request.op = can(step.op) ? step.op : BlockOp::kRead;
  if (request.op == BlockOp::kFlush) return request;
  request.sector = place.sector + place.shift;
  request.sectors = place.sectors;
  request.durable = step.durable && request.op == BlockOp::kWrite;
  request.flush_first = step.flush_first && request.op == BlockOp::kWrite;
  if (request.sectors > shape_.rules.shape.most_sectors) split.hit();
  return request;
}

/// False when there is none; the request is as if it had never been.
bool QueueWorld::give_memory(Request& request) const {
  if (request.op == BlockOp::kFlush || request.op == BlockOp::kDiscard) return true;
  const uint32_t sector_bytes = shape_.rules.shape.sector_bytes;
  const size_t bytes = request.sectors * sector_bytes;
  request.data = static_cast<uint8_t*>(hal_alloc(bytes, 8, kHalAllocMayWait));
  if (request.data == nullptr) return false;
  for (uint64_t i = 0; i < request.sectors && request.op == BlockOp::kWrite; ++i) {
    put_stamp(request.data + i * sector_bytes, sector_bytes, request.id, request.sector + i);
  }
  return true;
}

void QueueWorld::note_begin(Request& request) {
  watch_.begins(request);
  if (request.changes()) model_.add(request);
  unsigned pending = 0;
  for (const Request& other : requests_) {
    if (!other.pending() || &other == &request) continue;
    ++pending;
    if (other.overlaps(request) && (other.changes() || request.changes())) overlapping.hit();
  }
  if (pending > shape_.rules.limits.most_admitted) backlog.hit();
}

/// The request is done; its memory is the submitter's again.
void QueueWorld::note_end(Request& request, clay::Result<> result) {
  watch_.ends(request, result);
  if (!result.ok()) {
    (result.failed_with(clay::Error::kTimedOut) ? timed_out : failed).hit();
    if (request.error == clay::Error::kNoDevice) (stopped_ ? refused_stopped : refused_gone).hit();
  } else if (request.op == BlockOp::kRead) {
    model_.check_read(request, request.data);
  } else if (request.op == BlockOp::kDiscard) {
    discarded.hit();
  }
  const clay::BlockShape& shape = shape_.rules.shape;
  if (result.ok() && shape.volatile_cache) {
    if (request.durable) (shape.has_durable_write ? real_durable : emulated_durable).hit();
    if (request.flush_first) flushed_first.hit();
  }
  run_.machine.digest(request.id * 4u + (result.ok() ? 1u : 0u));
}

// --- Steps that wait in the device

clay::Result<> QueueWorld::call(const Place& where, const Request& request) {
  const HostileDisk::Inside inside(disk_);
  const size_t bytes = request.sectors * shape_.rules.shape.sector_bytes;
  if (request.op == BlockOp::kFlush) return where.device->flush();
  if (request.op == BlockOp::kRead) return where.device->read(where.sector, {request.data, bytes});
  return where.device->write(where.sector, {request.data, bytes}, request.durable);
}

void QueueWorld::do_one(const Step& step) {
  const Place where = place(step, step.at, step.length);
  Request& request = make_request(step, where);
  request.flush_first = false;
  request.waits = true;
  if (request.op == BlockOp::kDiscard) request.op = BlockOp::kRead;
  if (!give_memory(request)) return;
  uint8_t* const data = request.data;
  note_begin(request);
  const clay::Result<> result = call(where, request);
  note_end(request, result);
  hal_free(data);
}

// --- Steps that do not

QueueWorld::Async* QueueWorld::make_async(const Step& step, const Place& where,
                                          clay::WaitGroup& group) {
  Request& request = make_request(step, where);
  auto* io = clay::heap_new<clay::BlockIo>(kHalAllocMayWait);
  if (io == nullptr || !give_memory(request)) {
    clay::heap_delete(io);
    return nullptr;
  }
  io->op = request.op;
  io->durable = request.durable;
  io->flush_first = request.flush_first;
  io->sector = where.sector;
  io->sectors = request.sectors;
  io->data = request.data;
  io->done = done;
  asyncs_.push_back({this, &request, where.device, where.sector, io, &group, nullptr});
  io->arg = &asyncs_.back();
  if (step.device == 2 && inner_ && request.op == BlockOp::kWrite) by_slice.hit();
  return &asyncs_.back();
}

void QueueWorld::submit(Async& async) {
  Request& request = *async.request;
  note_begin(request);
  {
    const HostileDisk::Inside inside(disk_);
    async.device->submit(*async.io);
  }
  if (!request.pending()) done_in_submit.hit();
  watch_.accepted(request);
}

void QueueWorld::done(clay::BlockIo& io, clay::Result<> result) {
  auto& async = *static_cast<Async*>(io.arg);
  async.world->done(async, result);
}

void QueueWorld::done(Async& async, clay::Result<> result) {
  Request& request = *async.request;
  const clay::BlockIo& io = *async.io;
  KILN_CHECK(io.sector == async.sector && io.sectors == request.sectors && io.data == request.data,
             "request %u comes back with sector %llu", request.id,
             static_cast<unsigned long long>(io.sector));
  note_end(request, result);
  hal_free(request.data);
  clay::heap_delete(async.io);
  clay::WaitGroup& group = *async.group;
  if (async.next != nullptr) {
    if (sync::in_interrupt()) submitted_by_end.hit();
    submit(*async.next);
  }
  group.done();
}

void QueueWorld::do_some(const Step& step, clay::WaitGroup& group) {
  uint64_t at = step.at;
  Async* first = nullptr;
  Async* last = nullptr;
  for (unsigned i = 0; i < step.count; ++i) {
    const Place where = place(step, at, step.length);
    at += step.in_a_row ? where.sectors : 7;
    Async* async = make_async(step, where, group);
    if (async == nullptr) break;
    group.add();
    if (step.act != Act::kChain) {
      submit(*async);
    } else if (last == nullptr) {
      first = last = async;
    } else {
      last->next = async;
      last = async;
    }
  }
  if (first != nullptr) submit(*first);
  if (step.wait) group.wait();
}

void QueueWorld::do_drain() {
  const Turn turn = turns_;
  bool busy = false;
  for (const Request& request : requests_)
    busy = busy || request.pending();
  if (busy) drained.hit();
  queue_->drain();
  check_done(turn, "a drain");
}

/// What was accepted by then is done now. The ends of those who wait in the device are seen later.
void QueueWorld::check_done(Turn accepted_by, const char* what) const {
  for (const Request& request : requests_) {
    KILN_CHECK(!request.pending() || request.waits || request.accepted == 0 ||
                   request.accepted > accepted_by,
               "%s has come back, and request %u is not done", what, request.id);
  }
}

void QueueWorld::do_refused(const Step& step) const {
  const Place where = place(step, step.at, step.length);
  check_refused(*where.device, where.sector, where.sectors);
}

void QueueWorld::run_steps(const std::vector<Step>& steps) {
  clay::WaitGroup group{"requests"};
  for (const Step& step : steps) {
    switch (step.act) {
    case Act::kOne:
      do_one(step);
      break;
    case Act::kSleep:
      clay::sleep_for(step.time_ns);
      break;
    case Act::kDrain:
      do_drain();
      break;
    case Act::kRefused:
      check_refused_slices(*queue_, step.at, step.length);
      do_refused(step);
      break;
    default:
      do_some(step, group);
      break;
    }
  }
  group.wait();
}

void QueueWorld::run_without_medium(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    uint8_t sector[512];
    const clay::Result<> read = queue_->read(step.at, {sector, sizeof(sector)});
    KILN_CHECK(!read.ok(), "sector %u of a disk that has none is read", step.at);
    const clay::Result<> written = queue_->write(step.at, {sector, sizeof(sector)}, step.durable);
    KILN_CHECK(!written.ok(), "sector %u of a disk that has none is written", step.at);
    if (step.op == BlockOp::kFlush) do_one(step);
  }
}

// --- The end

void QueueWorld::stop() {
  watch_.stopping();
  stopped_ = true;
  for (const Request& request : requests_) {
    if (!request.pending()) continue;
    stopped_busy.hit();
    break;
  }
  queue_->stop();
  check_done(turns_, "a stop");
  KILN_CHECK(disk_.under_way() == 0, "the queue has stopped, and the disk has %zu commands",
             disk_.under_way());
  disk_.detach();
}

void QueueWorld::destroy() {
  inner_.reset();
  slice_.reset();
  queue_.reset();
}

void QueueWorld::judge() {
  worlds::Disk& disk = disk_.disk();
  const size_t bytes = shape_.sectors * shape_.rules.shape.sector_bytes;
  std::vector<uint8_t> image(bytes);
  if (!disk_.is_removed()) {
    disk.peek(shape_.first, image);
    std::vector<bool> readable;
    for (uint64_t i = 0; i < shape_.sectors; ++i) {
      const uint64_t sector = shape_.first + i;
      readable.push_back(disk.medium().readable(sector) ||
                         disk.pending().newest(sector) != nullptr);
    }
    model_.check_settled(image, readable);
    disk.cut(run_.tape.fault());
  } else {
    removed_judged.hit();
  }
  std::vector<uint8_t> found(bytes);
  std::vector<bool> readable;
  disk.medium().read(shape_.first, found);
  for (uint64_t i = 0; i < shape_.sectors; ++i) {
    readable.push_back(disk.medium().readable(shape_.first + i));
  }
  model_.check_cut(found, readable, disk_.removed_turn());
  if (!disk_.is_removed() && found != image) cut_loses.hit();
}

} // namespace kiln::block
