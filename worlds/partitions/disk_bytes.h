#pragma once
// A disk as the second reader sees it: numbers at places of a sector that was read.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "generators/sparse_disk.h"

namespace kiln::worlds {

using DiskBytes = std::vector<uint8_t>;

/// The number of `bytes` bytes at a place, lowest byte first.
inline uint64_t number_at(const DiskBytes& from, size_t at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = bytes; i != 0; --i) {
    value = value << 8 | from[at + i - 1];
  }
  return value;
}

class DiskView {
 public:
  DiskView(const gen::SparseDisk& disk, const std::set<uint64_t>& unreadable)
      : disk_(disk), unreadable_(unreadable) {}

  uint64_t sectors() const { return disk_.sectors; }
  uint32_t sector_bytes() const { return disk_.sector_bytes; }

  /// Nothing when it cannot be read. `sector` is one of the disk's.
  std::optional<DiskBytes> sector(uint64_t sector) const {
    if (unreadable_.contains(sector)) {
      return std::nullopt;
    }
    DiskBytes bytes(disk_.sector_bytes);
    disk_.read(sector, bytes);
    return bytes;
  }

 private:
  const gen::SparseDisk& disk_;
  const std::set<uint64_t>& unreadable_;
};

} // namespace kiln::worlds
