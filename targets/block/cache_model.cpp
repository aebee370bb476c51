#include "targets/block/cache_model.h"

#include <algorithm>
#include <cstring>

namespace kiln::block_cache {

namespace {

unsigned long long number_of(uint64_t value) { return value; }

} // namespace

uint64_t word_of(std::span<const uint8_t> bytes) {
  uint64_t first = 0;
  memcpy(&first, bytes.data(), sizeof(first));
  // All words are the first one, if each byte is the one 8 before it.
  return memcmp(bytes.data(), bytes.data() + sizeof(first), bytes.size() - sizeof(first)) == 0
             ? first
             : kNever;
}

void fill(std::span<uint8_t> bytes, uint64_t word) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(word)) {
    memcpy(&bytes[at], &word, sizeof(word));
  }
}

Model::Model(sim::Machine& machine, Places& places, size_t blocks, uint32_t block_bytes,
             uint32_t block_sectors)
    : machine_(machine), places_(places), blocks_(blocks), block_bytes_(block_bytes),
      block_sectors_(block_sectors) {
  tasks_.reserve(kMostTasks); // calls stay where they are
  for (size_t number = 0; number < blocks; ++number) {
    blocks_[number].versions.push_back({first_word(number), 0, 0, 0});
  }
}

size_t Model::dirty() const {
  size_t count = 0;
  for (const ModelBlock& block : blocks_) {
    count += block.dirty();
  }
  return count;
}

// --- Calls

Call& Model::current() {
  HalTask* const task = hal_task_current();
  for (Task& each : tasks_) {
    if (each.task == task && each.call.kind != CallKind::kNone) {
      return each.call;
    }
  }
  stranger_ = {};
  return stranger_;
}

void Model::add_task(HalTask* task) {
  KILN_CHECK(tasks_.size() < kMostTasks, "a task too many for the model");
  tasks_.push_back({task, {}});
}

Call& Model::begin(CallKind kind, unsigned most_stage) {
  HalTask* const task = hal_task_current();
  for (Task& each : tasks_) {
    if (each.task == task) {
      each.call = {kind, ++now_, most_stage, 0, 0, 0};
      return each.call;
    }
  }
  machine_.fail(sim::Rule::kOracle, "a task that the model does not know");
}

void Model::offer(uint64_t number, uint64_t word, unsigned stage) {
  (*this)[number].versions.push_back({word, stage});
}

void Model::own(uint64_t number) {
  ModelBlock& block = (*this)[number];
  block.versions.back().ended = ++now_;
  block.unknown = false;
}

void Model::retract(uint64_t number) {
  ModelBlock& block = (*this)[number];
  KILN_CHECK(block.latest().formed == kNever, "block %llu: what was refused has been written",
             number_of(number));
  block.versions.pop_back();
}

void Model::forgotten(uint64_t number) {
  ModelBlock& block = (*this)[number];
  KILN_CHECK(block.under_way == 0, "block %llu is forgotten while it is being written",
             number_of(number));
  block.dropped = block.versions.size();
  block.durable = block.last();
  block.written = block.last();
  block.covered = block.last();
  block.promised = 0;
  block.unknown = true;
  block.damaged = true;
}

std::vector<size_t> Model::owed(unsigned last) const {
  std::vector<size_t> owed(blocks_.size());
  for (size_t number = 0; number < blocks_.size(); ++number) {
    const ModelBlock& block = blocks_[number];
    for (size_t version = block.last(); version > block.durable; --version) {
      if (block.versions[version].ended != kNever && block.versions[version].stage <= last) {
        owed[number] = version;
        break;
      }
    }
  }
  return owed;
}

void Model::check_synced(const std::vector<size_t>& owed) {
  for (size_t number = 0; number < blocks_.size(); ++number) {
    ModelBlock& block = blocks_[number];
    if (owed[number] < block.dropped) {
      continue;
    }
    KILN_CHECK(block.durable >= owed[number] || block.exclusive,
               "a sync has succeeded, and block %zu, dirty in stage %u before it, is not durable",
               number, block.versions[owed[number]].stage);
    block.promised = owed[number] > block.promised ? owed[number] : block.promised;
  }
}

void Model::check_write_error(const Call& call, const char* what) const {
  KILN_CHECK(failed_ > call.began, "%s returns an error, and no write or flush has failed", what);
}

// --- Commands

uint64_t Model::block_of(const clay::BlockIo& io) const {
  const uint64_t number = io.sector / block_sectors_;
  KILN_CHECK(io.sector % block_sectors_ == 0 && io.sectors == block_sectors_ &&
                 number < blocks_.size(),
             "sectors %llu to %llu are asked for: no block", number_of(io.sector),
             number_of(io.sector + io.sectors - 1));
  return number;
}

/// Nothing of a lower stage that was dirty at that moment may be missing.
void Model::check_stages(unsigned stage, uint64_t formed) const {
  for (size_t number = 0; number < blocks_.size(); ++number) {
    const ModelBlock& block = blocks_[number];
    for (size_t version = block.durable + 1; version <= block.last(); ++version) {
      const Version& lower = block.versions[version];
      KILN_CHECK(lower.stage >= stage || lower.ended > formed || block.exclusive,
                 "something of stage %u is written, and block %zu, dirty in stage %u before, is "
                 "not durable",
                 stage, number, lower.stage);
    }
  }
}

/// Whether that version may be written now, by a task that has picked it after `formed`.
void Model::check_write(uint64_t number, size_t version, uint64_t formed) const {
  const ModelBlock& block = (*this)[number];
  KILN_CHECK(version >= block.dropped, "block %llu is written though it is forgotten",
             number_of(number));
  KILN_CHECK(version > block.durable && version > block.written && block.under_way == 0,
             "block %llu is written, and need not be", number_of(number));
  KILN_CHECK(version == block.last() || block.versions[version + 1].ended > formed,
             "block %llu is written as it was before its last edit", number_of(number));
}

/// The newest with that word that has been written, or might have been; SIZE_MAX: none.
size_t Model::version_with(const ModelBlock& block, uint64_t word, bool written) const {
  size_t newest = SIZE_MAX;
  for (size_t version = 0; version <= block.last(); ++version) {
    const Version& each = block.versions[version];
    if (each.word == word && (!written || each.formed != kNever)) {
      newest = version;
    }
  }
  return newest;
}

void Model::submitted(const clay::BlockIo& io) {
  Call& call = current();
  ++now_;
  if (io.op == clay::BlockOp::kFlush) {
    ++call.flushes;
    KILN_CHECK(writing_ == 0 && !flushing_, "a flush is asked for while writes are under way");
    flushing_ = true;
    for (ModelBlock& block : blocks_) {
      block.covered = block.written;
    }
    return;
  }
  const uint64_t number = block_of(io);
  ModelBlock& block = (*this)[number];
  if (io.op == clay::BlockOp::kRead) {
    ++call.reads;
    KILN_CHECK(!block.reading, "block %llu is read twice at the same time", number_of(number));
    block.reading = true;
    ++block.readers;
    KILN_CHECK(!block.dirty() || block.latest().ended == kNever || block.exclusive,
               "block %llu is read from the disk, and what it holds is not there",
               number_of(number));
    return;
  }
  KILN_CHECK(io.op == clay::BlockOp::kWrite, "a command that a cache has no use for");
  ++call.writes;
  ++writing_;
  const uint64_t word = word_of({io.data, block_bytes_});
  KILN_CHECK(word != kNever, "block %llu is written in the middle of an edit", number_of(number));
  const size_t version = version_with(block, word, false);
  KILN_CHECK(version != SIZE_MAX && version + 1 >= block.last(),
             "block %llu is written with %llx, which it does not hold", number_of(number),
             number_of(word));
  const uint64_t formed = flushed_ > call.began ? flushed_ : call.began;
  check_write(number, version, formed);
  const unsigned stage = block.versions[version].stage;
  KILN_CHECK(stage <= call.most_stage, "block %llu of stage %u is written, and nobody asks for it",
             number_of(number), stage);
  check_stages(stage, formed);
  block.under_way = version;
  block.picked = now_;
  if (block.versions[version].formed == kNever) {
    block.versions[version].formed = formed;
  }
}

void Model::flush_answered(bool ok) {
  flushing_ = false;
  flushed_ = now_;
  std::vector<uint64_t> clean;
  for (size_t number = 0; number < blocks_.size(); ++number) {
    ModelBlock& block = blocks_[number];
    if (!ok) {
      block.written = block.durable;
    } else if (block.covered > block.durable) {
      block.durable = block.covered;
      block.damaged = block.damaged && block.write_failed > block.write_done;
      if (!block.dirty()) {
        clean.push_back(number);
      }
    }
  }
  std::sort(clean.begin(), clean.end(),
            [this](uint64_t a, uint64_t b) { return (*this)[a].picked < (*this)[b].picked; });
  for (const uint64_t number : clean) {
    places_.clean(number);
  }
}

unsigned Model::syncs() const {
  unsigned syncs = 0;
  for (const Task& task : tasks_) {
    syncs += task.call.kind == CallKind::kSync;
  }
  return syncs;
}

void Model::answered(const clay::BlockIo& io, bool ok) {
  ++now_;
  if (!ok && io.op != clay::BlockOp::kRead) {
    failed_ = now_;
  }
  if (io.op == clay::BlockOp::kFlush) {
    return flush_answered(ok);
  }
  ModelBlock& block = (*this)[block_of(io)];
  if (io.op == clay::BlockOp::kRead) {
    block.reading = false;
    if (!ok) {
      block.read_failed = now_;
      read_failed_ = true;
    }
    return;
  }
  --writing_;
  if (ok) {
    block.written = block.under_way;
    block.write_done = now_;
  } else {
    block.damaged = true;
    block.write_failed = now_;
  }
  block.under_way = 0;
}

// --- What is on the disk

/// Whether the disk has lost a sector of it since it was written: it has said so.
bool Model::spoilt(const worlds::Disk& disk, uint64_t number) const {
  if ((*this)[number].read_failed == 0) {
    return false;
  }
  for (uint64_t part = 0; part < block_sectors_; ++part) {
    if (!disk.medium().readable(number * block_sectors_ + part)) {
      return true;
    }
  }
  return false;
}

/// `number` is there in version `newest`: all that it needs must be there too.
void Model::check_order_on(const std::vector<size_t>& oldest, uint64_t number,
                           size_t newest) const {
  const Version& there = (*this)[number].versions[newest];
  for (size_t other = 0; other < blocks_.size(); ++other) {
    const ModelBlock& block = blocks_[other];
    for (size_t version = block.last(); version > oldest[other]; --version) {
      const Version& lower = block.versions[version];
      KILN_CHECK(lower.ended > there.formed || lower.stage >= there.stage ||
                     version < block.dropped || block.damaged || block.exclusive,
                 "after the loss of power block %llu is there as of stage %u, and block %zu, dirty "
                 "in stage %u before, is not",
                 number_of(number), there.stage, other, lower.stage);
    }
  }
}

void Model::check_medium(const worlds::Disk& disk) const {
  std::vector<size_t> oldest(blocks_.size());
  std::vector<size_t> newest(blocks_.size());
  const uint32_t sector_bytes = block_bytes_ / block_sectors_;
  std::vector<uint8_t> sector(sector_bytes);
  for (size_t number = 0; number < blocks_.size(); ++number) {
    const ModelBlock& block = blocks_[number];
    oldest[number] = block.last();
    if (spoilt(disk, number)) {
      continue;
    }
    for (uint32_t part = 0; part < block_sectors_; ++part) {
      disk.peek(uint64_t{number} * block_sectors_ + part, sector);
      const uint64_t word = word_of(sector);
      const size_t version = version_with(block, word, true);
      if (block.damaged && (version == SIZE_MAX || version < block.promised)) {
        continue;
      }
      KILN_CHECK(version != SIZE_MAX,
                 "after the loss of power block %zu holds %llx, which was never written", number,
                 number_of(word));
      KILN_CHECK(version >= block.promised,
                 "after the loss of power block %zu holds %llx; a sync had promised %llx", number,
                 number_of(word), number_of(block.versions[block.promised].word));
      oldest[number] = version < oldest[number] ? version : oldest[number];
      newest[number] = version > newest[number] ? version : newest[number];
    }
  }
  for (size_t number = 0; number < blocks_.size(); ++number) {
    if (newest[number] != 0) {
      check_order_on(oldest, number, newest[number]);
    }
  }
}

void Model::check_whole(const worlds::Disk& disk) const {
  std::vector<uint8_t> bytes(block_bytes_);
  for (size_t number = 0; number < blocks_.size(); ++number) {
    const ModelBlock& block = blocks_[number];
    KILN_CHECK(!block.dirty(), "block %zu is not durable at the end", number);
    if (block.unknown || spoilt(disk, number)) {
      continue;
    }
    disk.peek(uint64_t{number} * block_sectors_, bytes);
    KILN_CHECK(word_of(bytes) == block.latest().word,
               "block %zu holds %llx at the end, and %llx on the disk", number,
               number_of(block.latest().word), number_of(word_of(bytes)));
  }
}

} // namespace kiln::block_cache
