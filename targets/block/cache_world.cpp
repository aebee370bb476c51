#include "targets/block/cache_world.h"

#include <algorithm>
#include <utility>

#include "kernel-src/task/sleep.h"

namespace kiln::block_cache {

namespace {

constexpr const char* kTarget = "block/cache";
const sim::Probe kPartialBlock{kTarget, "the disk ends in the middle of a block"};
const sim::Probe kBeyond{kTarget, "a block behind the last one is asked for"};
const sim::Probe kReadTogether{kTarget, "a block is asked for that is being read"};
const sim::Probe kFailTogether{kTarget, "a read fails, and somebody else waits for it"};
const sim::Probe kAllPinned{kTarget, "all blocks are pinned"};
const sim::Probe kCannotWrite{kTarget, "no room: what is not pinned cannot be written"};
const sim::Probe kRoomByWriting{kTarget, "a read has to write something first"};
const sim::Probe kEvicted{kTarget, "a block has made room, and is read again"};
const sim::Probe kNoMemory{kTarget, "no memory for a block"};
const sim::Probe kNoCopy{kTarget, "no memory for the copy that an edit needs"};
const sim::Probe kEditTogether{kTarget, "two tasks edit one block"};
const sim::Probe kEditWhileWritten{kTarget, "an edit begins while the block is being written"};
const sim::Probe kEndWhileWritten{kTarget, "an edit ends while the block is being written"};
const sim::Probe kOtherStage{kTarget, "a block is written because it is edited in another stage"};
const sim::Probe kOtherStageFails{kTarget, "... and cannot be"};
const sim::Probe kEditUnflushed{kTarget, "an edit begins of what is written and not flushed"};
const sim::Probe kTwoEdits{kTarget, "a task has two edits open"};
const sim::Probe kFreshDirty{kTarget, "a block becomes fresh that is dirty in another stage"};
const sim::Probe kFreshWhileRead{kTarget, "a block becomes fresh that is being read"};
const sim::Probe kForgetDirty{kTarget, "a dirty block is forgotten"};
const sim::Probe kForgetPinned{kTarget, "a block is forgotten that somebody holds"};
const sim::Probe kForgetWritten{kTarget, "a block is forgotten while it is being written"};
const sim::Probe kSyncOpen{kTarget, "a sync succeeds with an edit open of a dirty block"};
const sim::Probe kSyncStages{kTarget, "a sync writes three stages"};
const sim::Probe kSyncPart{kTarget, "a sync of low stages leaves a higher one"};
const sim::Probe kSyncFails{kTarget, "a sync fails"};
const sim::Probe kSyncAgain{kTarget, "a sync succeeds after one has failed"};
const sim::Probe kSyncTogether{kTarget, "two tasks sync"};
const sim::Probe kSyncLong{kTarget, "others make a sync go on for more than its stages"};
const sim::Probe kReadOnly{kTarget, "an edit is refused: the disk is read-only"};
const sim::Probe kWrittenBack{kTarget, "all is written back without a sync"};
const sim::Probe kHurried{kTarget, "write-back is told that too much is dirty"};
const sim::Probe kCut{kTarget, "the power goes, and not all is durable"};

constexpr uint64_t kPeriodNs = 20'000;
constexpr uint32_t kMostDirty = 3;

/// The longest that a sync may go on while others edit: one round a stage before they have to wait,
/// one after, and one for each edit that was open.
constexpr unsigned kMostRounds = 2 * clay::kBlockStages + 4 * Hands::kEdits;

} // namespace

Step draw_step(sim::Tape& tape) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kActs[] = {8, 6, 16, 4, 6, 6, 4, 6, 2, 2, 3, 4};
  Step step{};
  step.act = static_cast<Act>(data.weighted(kActs));
  step.slot = data.u8();
  step.number = data.u8();
  step.stage = static_cast<uint8_t>(data.weighted({6, 3, 3, 3}));
  return step;
}

// --- The disk

World::Shape World::draw_shape(sim::Run& run) {
  auto data = run.tape.data();
  static constexpr uint32_t kBytes[] = {1024, 1024, 512, 2048, 1024, 4096};
  Shape shape{};
  shape.block_bytes = data.pick(kBytes);
  const uint32_t most = shape.block_bytes;
  const uint32_t sectors[] = {512, 512, std::min(1024u, most), most};
  shape.disk.sector_bytes = data.pick(sectors);
  const uint32_t in_block = most / shape.disk.sector_bytes;
  shape.blocks = data.between(10, 24) - (data.below(8) == 7 ? data.below(10) : 0);
  shape.disk.sectors = shape.blocks * in_block + data.below(in_block);
  shape.disk.physical_bytes = shape.disk.sector_bytes;
  shape.disk.volatile_cache = data.below(8) != 7;
  shape.disk.read_only = data.below(64) == 63;
  shape.hot = data.below(3) == 2 ? data.between(2, 6) : shape.blocks;
  shape.hot = std::min(shape.hot, shape.blocks);
  shape.capacity = static_cast<uint32_t>(data.between(8, 11));
  return shape;
}

World::World(sim::Run& run, const Features& features)
    : failure_(run.machine), alone_(!features.together), shape_(draw_shape(run)),
      disk_(shape_.disk), places_(static_cast<size_t>(shape_.blocks), shape_.capacity),
      model_(run.machine, places_, static_cast<size_t>(shape_.blocks), shape_.block_bytes,
             shape_.block_bytes / shape_.disk.sector_bytes),
      tape_(run.tape) {
  if (shape_.disk.sectors % (shape_.block_bytes / shape_.disk.sector_bytes) != 0) {
    kPartialBlock.hit();
  }
  fill_disk(run);
  draw_faults(run, features);
  device_.emplace(run, disk_, model_, features.slow);
  check_refusals();
  auto cache = clay::BlockCache::create(*device_, shape_.block_bytes, shape_.capacity);
  KILN_CHECK(cache.ok(), "a cache is refused");
  cache_ = cache.take();
  KILN_CHECK(cache_->blocks() == shape_.blocks, "%llu blocks of %llu are there",
             static_cast<unsigned long long>(cache_->blocks()),
             static_cast<unsigned long long>(shape_.blocks));
  KILN_CHECK(&cache_->device() == &*device_ && cache_->block_bytes() == shape_.block_bytes,
             "a cache does not know what it is of");
  if (features.write_back) {
    start_write_back();
  }
  if (features.no_memory) {
    failure_.arm(run.tape.fault().below(48));
  }
}

World::~World() = default;

void World::fill_disk(sim::Run& run) {
  image_.resize(static_cast<size_t>(shape_.blocks) * shape_.block_bytes);
  for (uint64_t number = 0; number < shape_.blocks; ++number) {
    fill({&image_[static_cast<size_t>(number) * shape_.block_bytes], shape_.block_bytes},
         Model::first_word(number));
  }
  disk_.lend(image_);
  disk_.log().keep(false);
  static_cast<void>(run);
}

void World::draw_faults(sim::Run& run, const Features& features) {
  if (features.faults) {
    faults_.draw(run.tape, {.kinds = worlds::kHonestFaults,
                            .most_rules = 3,
                            .sectors = shape_.disk.sectors,
                            .horizon = 24});
    disk_.set_faults(&faults_);
  }
  if (features.cut) {
    disk_.cut_after(run.tape.fault().between(1, 40), run.tape);
  }
}

/// Caches that do not fit, now and then.
void World::check_refusals() {
  auto data = tape_.data();
  if (data.below(16) != 15) {
    return;
  }
  const uint32_t bytes[] = {0, 3 * shape_.block_bytes, 3 * 512, 256, 131072};
  const auto wrong = clay::BlockCache::create(*device_, data.pick(bytes), shape_.capacity);
  KILN_CHECK(wrong.failed_with(clay::Error::kInvalid), "blocks of a wrong size are accepted");
  const auto few =
      clay::BlockCache::create(*device_, shape_.block_bytes, static_cast<uint32_t>(data.below(8)));
  KILN_CHECK(few.failed_with(clay::Error::kInvalid), "a cache of so few blocks is accepted");
  if (shape_.disk.sector_bytes > 512) {
    const auto small = clay::BlockCache::create(*device_, 512, shape_.capacity);
    KILN_CHECK(small.failed_with(clay::Error::kUnsupported), "blocks below a sector are accepted");
  }
}

// --- What may be expected

/// Whether the model knows which blocks are in the cache.
bool World::exact() const {
  return alone_ && !model_.any_failure() && disk_.powered() && !failure_.may_have_struck(0);
}

/// A call that had `number` brought, with what it cost.
void World::check_places(const Call& call, uint64_t number, bool was_here, bool refused) {
  if (was_here) {
    KILN_CHECK(!refused && call.reads + call.writes + call.flushes == 0,
               "block %llu is in the cache, and the disk is asked",
               static_cast<unsigned long long>(number));
    return;
  }
  if (!model_[number].exclusive) {
    KILN_CHECK(refused || call.reads == 1, "block %llu is not in the cache, and is not read",
               static_cast<unsigned long long>(number));
  }
  const bool entered = places_.enter(number);
  KILN_CHECK(entered != refused, "block %llu %s", static_cast<unsigned long long>(number),
             refused ? "is refused, and there is room" : "is given, and there is no room");
}

void World::check_refused_read(const Before& before, const Call& call, uint64_t number,
                               bool together, clay::Error error) {
  if (error == clay::Error::kNoMemory) {
    KILN_CHECK(failure_.may_have_struck(before.allocations), "out of memory for no reason");
    return kNoMemory.hit();
  }
  if (error == clay::Error::kBusy) {
    const size_t held = places_.pinned() + model_.dirty();
    KILN_CHECK(held >= shape_.capacity || !before.operation.alone(),
               "there is no room for block %llu, and only %zu blocks are pinned or dirty",
               static_cast<unsigned long long>(number), held);
    return places_.pinned() >= shape_.capacity ? kAllPinned.hit() : kCannotWrite.hit();
  }
  KILN_CHECK(error == clay::Error::kIo || error == clay::Error::kNoDevice,
             "a read is refused with '%s'", clay::error_text(error));
  KILN_CHECK(
      model_[number].read_failed > call.began || (together && model_[number].read_failed != 0),
      "block %llu cannot be read, and no read failed", static_cast<unsigned long long>(number));
}

void World::check_refused_edit(const Before& before, const Call& call, clay::Error error) {
  if (error == clay::Error::kReadOnly) {
    KILN_CHECK(shape_.disk.read_only, "an edit is refused: the disk is read-only, which it is not");
    return kReadOnly.hit();
  }
  if (error == clay::Error::kNoMemory) {
    KILN_CHECK(failure_.may_have_struck(before.allocations), "out of memory for no reason");
    return kNoCopy.hit();
  }
  KILN_CHECK(error == clay::Error::kIo || error == clay::Error::kNoDevice,
             "an edit is refused with '%s'", clay::error_text(error));
  model_.check_write_error(call, "an edit");
  kOtherStageFails.hit();
}

/// Nobody else has an edit of it open that this task might wait for with one of its own.
bool World::may_edit(const Hands& hands, uint64_t number) const {
  for (const auto& edit : hands.edits) {
    if (edit.has_value() && edit->number >= number) {
      return false;
    }
  }
  return !model_[number].exclusive;
}

// --- Reading

void World::look(const clay::BlockRef& ref) const {
  const ModelBlock& block = model_[ref.number()];
  if (block.open || block.exclusive || block.unknown) {
    return;
  }
  const clay::Bytes bytes = ref.bytes();
  KILN_CHECK(bytes.size() == shape_.block_bytes, "a block of %zu bytes", bytes.size());
  const uint64_t word = word_of({bytes.data(), bytes.size()});
  KILN_CHECK(word == block.latest().word, "block %llu holds %llx, and %llx was put there",
             static_cast<unsigned long long>(ref.number()), static_cast<unsigned long long>(word),
             static_cast<unsigned long long>(block.latest().word));
}

clay::BlockRef World::read(uint64_t number) {
  const bool is_there = number < shape_.blocks;
  const bool was_here = is_there && places_.here(number);
  const bool together = is_there && model_[number].readers != 0;
  if (together) kReadTogether.hit();
  Before before{mm::Operation(traffic_), failure_.before(), exact()};
  Call& call = model_.begin(CallKind::kRead);
  clay::Result<clay::BlockRef> got = cache_->read(number);
  const Call made = call;
  model_.end(call);
  if (!is_there) {
    KILN_CHECK(got.failed_with(clay::Error::kOutOfRange), "a block behind the last one is given");
    kBeyond.hit();
    return {};
  }
  model_[number].readers -= made.reads;
  if (made.writes != 0) kRoomByWriting.hit();
  if (before.exact && exact()) {
    check_places(made, number, was_here, !got.ok());
    if (!was_here && model_[number].versions.size() > 1) kEvicted.hit();
  }
  if (!got.ok()) {
    check_refused_read(before, made, number, together, got.error());
    if (together && got.error() != clay::Error::kBusy) kFailTogether.hit();
    return {};
  }
  KILN_CHECK(got.value().number() == number, "another block is given");
  places_.pin(number);
  look(got.value());
  return got.take();
}

void World::drop(clay::BlockRef& ref) {
  if (ref) {
    mm::Operation operation(traffic_);
    places_.unpin(ref.number(), model_[ref.number()].dirty());
    ref = clay::BlockRef();
  }
}

void World::put(Hands& hands, unsigned slot, clay::BlockRef ref) {
  clay::BlockRef& place = hands.refs[slot % Hands::kRefs];
  drop(place);
  place = std::move(ref);
}

// --- Edits

void World::edit(Hands& hands, const clay::BlockRef& ref, unsigned stage, bool leave_open) {
  const uint64_t number = ref.number();
  ModelBlock& block = model_[number];
  if (!may_edit(hands, number)) {
    return;
  }
  if (block.editors != 0) kEditTogether.hit();
  if (block.under_way != 0) kEditWhileWritten.hit();
  if (block.written > block.durable) kEditUnflushed.hit();
  const bool other_stage = block.dirty() && block.latest().stage != stage;
  Before before{mm::Operation(traffic_), failure_.before(), exact()};
  ++block.editors;
  Call& call = model_.begin(CallKind::kEdit);
  clay::Result<clay::BlockEdit> begun = ref.edit(stage);
  const Call made = call;
  model_.end(call);
  if (!begun.ok()) {
    --block.editors;
    look(ref);
    return check_refused_edit(before, made, begun.error());
  }
  KILN_CHECK(!shape_.disk.read_only, "an edit is granted on a read-only disk");
  KILN_CHECK(!block.open, "block %llu is edited by two at the same time",
             static_cast<unsigned long long>(number));
  KILN_CHECK(!block.dirty() || block.latest().stage == stage,
             "block %llu is dirty in stage %u, and an edit begins in stage %u",
             static_cast<unsigned long long>(number), block.latest().stage, stage);
  KILN_CHECK(other_stage || made.writes + made.flushes == 0 || !alone_,
             "an edit has written something, and need not");
  if (other_stage) kOtherStage.hit();
  look(ref);
  begin_change(hands, ref, begun.take(), stage, leave_open);
}

void World::begin_change(Hands& hands, const clay::BlockRef& ref, clay::BlockEdit edit,
                         unsigned stage, bool leave_open) {
  const uint64_t number = ref.number();
  ModelBlock& block = model_[number];
  places_.pin(number);
  block.open = true;
  const clay::MutableBytes bytes = edit.bytes();
  KILN_CHECK(bytes.data() == ref.bytes().data() && bytes.size() == shape_.block_bytes,
             "an edit is of something else");
  const uint64_t word = model_.new_word(number);
  fill({bytes.data(), bytes.size() / 2}, word);
  sync::breathe();
  fill({bytes.data() + bytes.size() / 2, bytes.size() / 2}, word);
  std::optional<Hands::Edit> own;
  for (auto& place : hands.edits) {
    if (leave_open && !place.has_value()) {
      place.emplace(Hands::Edit{std::move(edit), number, stage, word});
      if (&place != &hands.edits[0] && hands.edits[0].has_value()) kTwoEdits.hit();
      return;
    }
  }
  own.emplace(Hands::Edit{std::move(edit), number, stage, word});
  end_edit(own);
}

void World::end_edit(std::optional<Hands::Edit>& edit) {
  if (!edit.has_value()) {
    return;
  }
  const uint64_t number = edit->number;
  ModelBlock& block = model_[number];
  mm::Operation operation(traffic_);
  if (block.under_way != 0) kEndWhileWritten.hit();
  block.open = false;
  model_.offer(number, edit->word, edit->stage);
  edit.reset();
  model_.own(number);
  --block.editors;
  places_.unpin(number, block.dirty());
}

clay::BlockRef World::fresh(const Hands& hands, uint64_t number, unsigned stage) {
  if (number >= shape_.blocks) {
    KILN_CHECK(cache_->fresh(number, stage).failed_with(clay::Error::kOutOfRange),
               "a block behind the last one is given");
    return {};
  }
  ModelBlock& block = model_[number];
  // Two versions of zeros could not be told apart.
  if (!may_edit(hands, number) || block.editors != 0 ||
      (block.dirty() && block.latest().word == 0)) {
    return {};
  }
  const bool was_here = places_.here(number);
  const bool other_stage = block.dirty() && block.latest().stage != stage;
  if (other_stage) kFreshDirty.hit();
  if (block.reading) kFreshWhileRead.hit();
  block.exclusive = true;
  Before before{mm::Operation(traffic_), failure_.before(), exact()};
  Call& call = model_.begin(CallKind::kFresh);
  model_.offer(number, 0, stage);
  clay::Result<clay::BlockRef> got = cache_->fresh(number, stage);
  const Call made = call;
  model_.end(call);
  block.exclusive = false;
  KILN_CHECK(made.reads == 0, "a fresh block is read");
  if (!got.ok()) {
    model_.retract(number);
    if (got.error() == clay::Error::kBusy || made.writes + made.flushes == 0) {
      block.exclusive = true; // not read, whatever becomes of it
      if (got.error() == clay::Error::kReadOnly) {
        check_refused_edit(before, made, got.error());
      } else {
        check_refused_read(before, made, number, false, got.error());
      }
      block.exclusive = false;
    } else {
      check_refused_edit(before, made, got.error());
    }
    return {};
  }
  model_.own(number);
  if (before.exact && exact() && !was_here) {
    block.exclusive = true;
    check_places(made, number, false, false);
    block.exclusive = false;
  }
  places_.pin(number);
  look(got.value());
  return got.take();
}

// --- Forgetting, syncing

void World::forget(uint64_t number) {
  if (number >= shape_.blocks) {
    return cache_->forget(number);
  }
  ModelBlock& block = model_[number];
  if (block.exclusive || block.editors != 0) {
    return;
  }
  if (block.dirty()) kForgetDirty.hit();
  if (block.under_way != 0) kForgetWritten.hit();
  if (places_.pins(number) != 0) kForgetPinned.hit();
  block.exclusive = true;
  mm::Operation operation(traffic_);
  Call& call = model_.begin(CallKind::kForget, 0);
  cache_->forget(number);
  KILN_CHECK(call.reads + call.writes + call.flushes == 0, "to forget a block, the disk is asked");
  model_.end(call);
  model_.forgotten(number);
  block.exclusive = false;
  if (places_.pins(number) == 0) {
    places_.leave(number);
  }
}

void World::check_sync(const Before& before, const Call& call, const std::vector<size_t>& owed,
                       bool succeeded) {
  KILN_CHECK(call.flushes <= kMostRounds, "a sync goes on for %u rounds", call.flushes);
  if (call.flushes > clay::kBlockStages) kSyncLong.hit();
  if (!before.exact || !exact() || !succeeded) {
    return;
  }
  unsigned writes = 0;
  bool stages[clay::kBlockStages] = {};
  for (size_t number = 0; number < owed.size(); ++number) {
    if (owed[number] != 0) {
      ++writes;
      stages[model_[number].versions[owed[number]].stage] = true;
    }
  }
  const auto flushes = static_cast<unsigned>(std::count(stages, std::end(stages), true));
  if (flushes >= 3) kSyncStages.hit();
  KILN_CHECK(call.writes == writes && call.flushes == flushes,
             "%u blocks in %u stages are dirty, and a sync writes %u and flushes %u times", writes,
             flushes, call.writes, call.flushes);
}

void World::sync(unsigned last) {
  if (model_.syncs() != 0) kSyncTogether.hit();
  const std::vector<size_t> owed = model_.owed(last);
  const bool failed_before = model_.any_failure();
  Before before{mm::Operation(traffic_), failure_.before(), exact()};
  Call& call = model_.begin(CallKind::kSync, last);
  const clay::Result<> synced = cache_->sync(last);
  const Call made = call;
  model_.end(call);
  check_sync(before, made, owed, synced.ok());
  if (!synced.ok()) {
    const clay::Error error = synced.error();
    KILN_CHECK(error == clay::Error::kIo || error == clay::Error::kNoDevice,
               "a sync fails with '%s'", clay::error_text(error));
    model_.check_write_error(made, "a sync");
    return kSyncFails.hit();
  }
  model_.check_synced(owed);
  if (failed_before && made.writes != 0) kSyncAgain.hit();
  if (model_.dirty() != 0 && alone_) kSyncPart.hit();
  for (uint64_t number = 0; number < shape_.blocks; ++number) {
    if (model_[number].open && owed[static_cast<size_t>(number)] != 0) kSyncOpen.hit();
  }
}

// --- Steps

void World::do_step(Hands& hands, const Step& step) {
  clay::BlockRef& ref = hands.refs[step.slot % Hands::kRefs];
  switch (step.act) {
  case Act::kRead:
    put(hands, step.slot, read(wild(step.number)));
    break;
  case Act::kDrop:
    drop(ref);
    break;
  case Act::kEdit:
  case Act::kOpen:
    if (ref && step.number % 2 == 0) {
      edit(hands, ref, step.stage, step.act == Act::kOpen);
    } else if (clay::BlockRef block = read(tame(step.number))) {
      edit(hands, block, step.stage, step.act == Act::kOpen);
      drop(block);
    }
    break;
  case Act::kClose:
    end_edit(hands.edits[step.slot % Hands::kEdits]);
    break;
  case Act::kFresh:
    put(hands, step.slot, fresh(hands, wild(step.number), step.stage));
    break;
  case Act::kForget:
    forget(wild(step.number));
    break;
  case Act::kSync:
    sync(clay::kBlockStages - 1 - step.stage);
    break;
  case Act::kLook:
    for (const clay::BlockRef& held : hands.refs) {
      if (held) look(held);
    }
    break;
  case Act::kBreathe:
    sync::breathe(step.slot % 8);
    break;
  case Act::kMany:
    for (uint8_t i = 0; i < Hands::kRefs; ++i) {
      clay::BlockRef block = read((step.number / 2u + i) % shape_.blocks);
      step.slot % 2 == 0 ? drop(block) : put(hands, i, std::move(block));
    }
    break;
  case Act::kOpenDirty:
    if (clay::BlockRef block = read(tame(step.number))) {
      edit(hands, block, step.stage, false);
      edit(hands, block, step.stage, true);
      drop(block);
    }
    break;
  }
  if (write_back_.has_value()) {
    if (cache_->dirty() > kMostDirty) kHurried.hit();
    write_back_->look();
  }
  check_books();
}

// --- Write-back

void World::start_write_back() {
  KILN_CHECK(queue_.start().ok(), "there is no room for the task of write-back");
  write_back_.emplace(*cache_, queue_, kPeriodNs, kMostDirty);
  write_back_->start();
}

/// If the disk works, everything becomes durable by itself in the end.
void World::stop_write_back() {
  if (!write_back_.has_value()) {
    return;
  }
  const bool works = disk_.powered() && !model_.any_failure();
  if (works && tape_.data().boolean()) {
    if (model_.dirty() != 0) kWrittenBack.hit();
    disk_.cut_never();
    faults_.stop();
    // The clock may jump over a period while the disk has not answered yet: not over many.
    for (unsigned period = 0; period < 100 && model_.dirty() != 0; ++period) {
      clay::sleep_for(kPeriodNs);
    }
    KILN_CHECK(model_.dirty() == 0, "%zu blocks are not written back in time", model_.dirty());
  }
  write_back_->stop();
  const uint64_t commands = disk_.commands();
  clay::sleep_for(2 * kPeriodNs);
  KILN_CHECK(disk_.commands() == commands, "write-back goes on after it was stopped");
  write_back_.reset();
  queue_.stop();
}

void World::check_books() const {
  const uint32_t dirty = cache_->dirty();
  KILN_CHECK(!traffic_.quiet() || !alone_ || dirty == model_.dirty(),
             "%u blocks are said to be dirty, and %zu are", dirty, model_.dirty());
}

void World::let_go(Hands& hands) {
  for (auto& edit : hands.edits) {
    end_edit(edit);
  }
  for (clay::BlockRef& ref : hands.refs) {
    drop(ref);
  }
}

void World::finish() {
  stop_write_back();
  KILN_CHECK(cache_->dirty() == model_.dirty(), "%u blocks are said to be dirty, and %zu are",
             cache_->dirty(), model_.dirty());
  failure_.disarm();
  if (disk_.powered() && tape_.fault().below(3) != 2) {
    // Once the disk works, everything can be written: nothing has been lost on the way.
    disk_.cut_never();
    faults_.stop();
    sync(clay::kBlockStages - 1);
    model_.check_whole(disk_);
  } else {
    if (disk_.powered()) {
      disk_.cut(tape_.fault());
    }
    if (model_.dirty() != 0) kCut.hit();
    model_.check_medium(disk_);
  }
  cache_.reset();
  device_.reset();
}

} // namespace kiln::block_cache
