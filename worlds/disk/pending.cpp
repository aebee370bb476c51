#include "worlds/disk/pending.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace kiln::worlds {
namespace {
constexpr size_t kSmallestTable = 16;
} // namespace

struct PendingWrites::Bytes {
  uint32_t references;
  uint32_t sectors;
  const uint8_t* begin() const { return reinterpret_cast<const uint8_t*>(this + 1); }

  static void drop(Bytes* bytes) {
    if (--bytes->references == 0) ::operator delete(bytes);
  }
};

PendingWrites::PendingWrites(uint32_t sector_bytes) : sector_bytes_(sector_bytes) {}

PendingWrites::PendingWrites(const PendingWrites& other)
    : sector_bytes_(other.sector_bytes_), versions_(other.versions_), bytes_(other.bytes_),
      table_(other.table_) {
  for (Bytes* bytes : bytes_) {
    ++bytes->references;
  }
}

PendingWrites::PendingWrites(PendingWrites&& other) noexcept
    : sector_bytes_(other.sector_bytes_), versions_(std::exchange(other.versions_, {})),
      bytes_(std::exchange(other.bytes_, {})), table_(std::exchange(other.table_, {})) {}

PendingWrites& PendingWrites::operator=(const PendingWrites& other) {
  if (this != &other) *this = PendingWrites(other);
  return *this;
}

PendingWrites& PendingWrites::operator=(PendingWrites&& other) noexcept {
  sector_bytes_ = other.sector_bytes_;
  versions_.swap(other.versions_);
  bytes_.swap(other.bytes_);
  table_.swap(other.table_);
  return *this;
}

PendingWrites::~PendingWrites() {
  for (Bytes* bytes : bytes_) {
    Bytes::drop(bytes);
  }
}

size_t PendingWrites::slot_of(uint64_t sector) const {
  const size_t mask = table_.size() - 1;
  for (size_t at = (sector * 0x9E3779B97F4A7C15) >> 32;; ++at) {
    const uint32_t entry = table_[at & mask];
    if (entry == kNone || versions_[entry].sector == sector) return at & mask;
  }
}

const PendingWrites::Version* PendingWrites::newest(uint64_t sector) const {
  if (versions_.empty()) return nullptr;
  const uint32_t entry = table_[slot_of(sector)];
  return entry == kNone ? nullptr : &versions_[entry];
}

const PendingWrites::Version* PendingWrites::older(const Version& version) const {
  return version.older == kNone ? nullptr : &versions_[version.older];
}

const PendingWrites::Version* PendingWrites::newest_up_to(uint64_t sector, uint64_t last) const {
  const Version* version = newest(sector);
  while (version != nullptr && version->write > last) {
    version = older(*version);
  }
  return version;
}

void PendingWrites::index(uint32_t version) {
  uint32_t& entry = table_[slot_of(versions_[version].sector)];
  versions_[version].older = entry;
  entry = version;
}

// Versions lie in the order in which their bytes came.
void PendingWrites::release() {
  size_t version = 0;
  std::erase_if(bytes_, [&](Bytes* bytes) {
    const uint8_t* end = bytes->begin() + size_t{bytes->sectors} * sector_bytes_;
    const size_t first = version;
    while (version < versions_.size() && versions_[version].bytes >= bytes->begin() &&
           versions_[version].bytes < end) {
      ++version;
    }
    if (version != first) return false;
    Bytes::drop(bytes);
    return true;
  });
}

// After versions were taken out, or for a larger table.
void PendingWrites::rebuild() {
  size_t size = kSmallestTable;
  while (size < 2 * versions_.size()) {
    size *= 2;
  }
  table_.assign(std::max(size, table_.size()), kNone);
  for (uint32_t version = 0; version < versions_.size(); ++version) {
    index(version);
  }
}

void PendingWrites::add(uint64_t sector, std::span<const uint8_t> bytes, const Write& write) {
  if (bytes.empty()) return;
  const size_t sectors = bytes.size() / sector_bytes_;
  Bytes* kept =
      new (::operator new(sizeof(Bytes) + bytes.size())) Bytes{1, static_cast<uint32_t>(sectors)};
  auto* to = reinterpret_cast<uint8_t*>(kept + 1);
  std::memcpy(to, bytes.data(), bytes.size());
  bytes_.push_back(kept);
  if (2 * (versions_.size() + sectors) > table_.size()) {
    table_.resize(std::max(kSmallestTable, 2 * table_.size()));
    while (2 * (versions_.size() + sectors) > table_.size()) {
      table_.resize(2 * table_.size());
    }
    rebuild();
  }
  for (size_t i = 0; i < sectors; ++i) {
    versions_.push_back({.sector = sector + i,
                         .bytes = to + i * sector_bytes_,
                         .write = write.number,
                         .tag = write.tag,
                         .epoch = write.epoch,
                         .older = kNone,
                         .answered = write.answered,
                         .promised = write.promised});
    index(static_cast<uint32_t>(versions_.size() - 1));
  }
}

void PendingWrites::forget_up_to(uint64_t last) {
  if (std::all_of(versions_.begin(), versions_.end(),
                  [last](const Version& version) { return version.write <= last; })) {
    clear();
    return;
  }
  std::erase_if(versions_, [last](const Version& version) { return version.write <= last; });
  release();
  rebuild();
}

void PendingWrites::forget(uint64_t sector, uint64_t last) {
  if (newest(sector) == nullptr) return;
  const size_t forgotten = std::erase_if(versions_, [&](const Version& version) {
    return version.sector == sector && version.write <= last;
  });
  if (forgotten == 0) return;
  release();
  rebuild();
}

void PendingWrites::promise(uint64_t last) {
  for (Version& version : versions_) {
    if (version.write <= last) version.promised = FaultKind::kLyingFlush;
  }
}

void PendingWrites::clear() {
  versions_.clear();
  for (Bytes* bytes : bytes_) {
    Bytes::drop(bytes);
  }
  bytes_.clear();
  std::fill(table_.begin(), table_.end(), kNone);
}

} // namespace kiln::worlds
