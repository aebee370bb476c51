#include "targets/block/queue_model.h"

#include <algorithm>
#include <cstring>

#include "sim/machine.h"
#include "worlds/disk/command.h"

namespace kiln::block {
namespace {

constexpr uint64_t kMagic = 0x51ec70000000;

Stamp discarded() {
  constexpr uint64_t kBytes = uint64_t{0x0101010101010101} * worlds::kDiscarded;
  return {kBytes, kBytes};
}

Stamp left_by(const Request* write, uint64_t sector) {
  if (write != nullptr && write->op == clay::BlockOp::kDiscard) return discarded();
  return stamp_of(write == nullptr ? 0 : write->id, sector);
}

} // namespace

Stamp stamp_in(const uint8_t* bytes, uint32_t sector_bytes) {
  Stamp stamp{};
  memcpy(&stamp.first, bytes, sizeof(stamp.first));
  memcpy(&stamp.last, bytes + sector_bytes - sizeof(stamp.last), sizeof(stamp.last));
  return stamp;
}

Stamp stamp_of(unsigned id, uint64_t sector) {
  const uint64_t value = id == 0 ? 0 : (kMagic + id) << 16 ^ sector;
  return {value, value};
}

void put_stamp(uint8_t* bytes, uint32_t sector_bytes, unsigned id, uint64_t sector) {
  const Stamp stamp = stamp_of(id, sector);
  memset(bytes, static_cast<int>(id & 0x7F), sector_bytes);
  memcpy(bytes, &stamp.first, sizeof(stamp.first));
  memcpy(bytes + sector_bytes - sizeof(stamp.last), &stamp.last, sizeof(stamp.last));
}

void SectorModel::add(const Request& request) {
  for (uint64_t i = 0; i < request.sectors; ++i) {
    writers_[static_cast<size_t>(request.sector + i - first_)].push_back(&request);
  }
}

/// Whether `read` may see what `write` (null: nobody) has left.
bool SectorModel::visible(const Request* write, const Request& read, const Writers& writers) const {
  if (write != nullptr && surely_before(read, *write)) return false;
  for (const Request* later : writers) {
    if (later != write && later->state == Request::State::kOk && surely_before(*later, read) &&
        (write == nullptr || surely_before(*write, *later))) {
      return false;
    }
  }
  return true;
}

void SectorModel::check_sector(const Request& read, uint64_t sector, Stamp found,
                               const char* who) const {
  const Writers& writers = writers_[static_cast<size_t>(sector - first_)];
  if (found == left_by(nullptr, sector) && visible(nullptr, read, writers)) return;
  for (const Request* write : writers) {
    const bool garbage = write->torn && write->state != Request::State::kOk;
    const bool could_be = found == left_by(write, sector) || garbage;
    if (could_be && visible(write, read, writers)) return;
  }
  KILN_CHECK(false,
             "%s %u finds 0x%llx ... 0x%llx in sector %llu, which nobody can have left there", who,
             read.id, static_cast<unsigned long long>(found.first),
             static_cast<unsigned long long>(found.last), static_cast<unsigned long long>(sector));
}

void SectorModel::check_read(const Request& read, const uint8_t* bytes) const {
  for (uint64_t i = 0; i < read.sectors; ++i) {
    check_sector(read, read.sector + i, stamp_in(bytes + i * sector_bytes_, sector_bytes_),
                 "request");
  }
}

void SectorModel::check_settled(std::span<const uint8_t> image,
                                const std::vector<bool>& readable) const {
  Request read;
  read.begun = UINT64_MAX;
  for (size_t i = 0; i < readable.size(); ++i) {
    if (!readable[i]) continue;
    check_sector(read, first_ + i, stamp_in(image.data() + i * sector_bytes_, sector_bytes_),
                 "the end");
  }
}

bool SectorModel::durable(const Request& write, Turn cut) const {
  if (write.state != Request::State::kOk || write.ended >= cut) return false;
  if (!volatile_cache_ || write.durable) return true;
  for (const Request& flush : requests_) {
    if ((flush.op == clay::BlockOp::kFlush || flush.flush_first) && flush.begun > write.ended &&
        flush.state == Request::State::kOk && flush.ended < cut) {
      return true;
    }
  }
  return false;
}

void SectorModel::check_cut(std::span<const uint8_t> image, const std::vector<bool>& readable,
                            Turn cut) const {
  for (size_t i = 0; i < readable.size(); ++i) {
    if (!readable[i]) continue;
    check_cut_sector(first_ + i, stamp_in(image.data() + i * sector_bytes_, sector_bytes_), cut);
  }
}

void SectorModel::check_cut_sector(uint64_t sector, Stamp found, Turn cut) const {
  const Writers& writers = writers_[static_cast<size_t>(sector - first_)];
  const auto could_be = [&](const Request* write) {
    return found == left_by(write, sector) || write->torn;
  };
  for (const Request* write : writers) {
    if (!durable(*write, cut)) continue;
    const bool kept = std::any_of(writers.begin(), writers.end(), [&](const Request* later) {
      return could_be(later) && !surely_before(*later, *write);
    });
    KILN_CHECK(kept,
               "after the power was cut sector %llu holds 0x%llx, though request %u was durable",
               static_cast<unsigned long long>(sector),
               static_cast<unsigned long long>(found.first), write->id);
  }
  KILN_CHECK(found == left_by(nullptr, sector) ||
                 std::any_of(writers.begin(), writers.end(), could_be),
             "after the power was cut sector %llu holds 0x%llx ... 0x%llx: nobody's",
             static_cast<unsigned long long>(sector), static_cast<unsigned long long>(found.first),
             static_cast<unsigned long long>(found.last));
}

} // namespace kiln::block
