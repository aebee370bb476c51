#pragma once
// What the tests of disks share: sectors full of one number.

#include <cstdint>
#include <span>
#include <vector>

#include "worlds/disk/disk.h"

namespace kiln::worlds::test {

/// A disk that is written and read in sectors of one repeated byte.
class Simple {
 public:
  explicit Simple(const DiskShape& shape) : disk(shape) {}
  explicit Simple(Disk other) : disk(std::move(other)) {}

  DiskAnswer write(uint64_t sector, std::initializer_list<uint8_t> values, bool durable = false) {
    std::vector<uint8_t> bytes = filled(values);
    return disk.perform({DiskOp::kWrite, sector, values.size(), durable}, bytes);
  }
  DiskAnswer write(uint64_t sector, uint8_t value, bool durable = false) {
    return write(sector, {value}, durable);
  }
  DiskAnswer flush() { return disk.perform({DiskOp::kFlush}, {}); }
  /// The byte that a sector is full of; -1: an error, -2: not of one byte.
  int read(uint64_t sector) {
    std::vector<uint8_t> bytes(disk.shape().sector_bytes);
    if (disk.perform({DiskOp::kRead, sector, 1}, bytes) != DiskAnswer::kOk) return -1;
    return one(bytes);
  }
  std::vector<uint8_t> filled(std::initializer_list<uint8_t> values) const {
    std::vector<uint8_t> bytes;
    for (uint8_t value : values) {
      bytes.insert(bytes.end(), disk.shape().sector_bytes, value);
    }
    return bytes;
  }
  static int one(std::span<const uint8_t> bytes) {
    for (uint8_t byte : bytes) {
      if (byte != bytes[0]) return -2;
    }
    return bytes[0];
  }

  Disk disk;
};

inline int value_at(const Medium& medium, uint64_t sector) {
  return Simple::one({medium.at(sector), medium.sector_bytes()});
}

/// A tape whose fault lane begins with these bytes.
class FaultTape {
 public:
  explicit FaultTape(std::initializer_list<uint8_t> bytes) : flat_(flat(bytes)), tape_(flat_) {}
  sim::Tape& tape() { return tape_; }
  sim::Tape::View view() { return tape_.fault(); }

 private:
  static std::vector<uint8_t> flat(std::initializer_list<uint8_t> bytes) {
    sim::Lanes lanes;
    lanes[sim::Lane::kFault].assign(bytes.begin(), bytes.end());
    return sim::join_lanes(lanes);
  }
  std::vector<uint8_t> flat_;
  sim::Tape tape_;
};

} // namespace kiln::worlds::test
