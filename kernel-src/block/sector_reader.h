#pragma once
// Single sectors of a device, for readers of tables that want to know which one is lost.

#include <stdint.h>

#include "kernel-src/block/device.h"
#include "kernel-src/block/heap_bytes.h"

namespace clay {

class SectorReader {
 public:
  explicit SectorReader(BlockDevice& device) : device_(device) {}

  /// Takes memory for a sector. kNoMemory. May wait.
  Result<> create() { return buffer_.create(device_.shape().sector_bytes); }

  uint64_t sectors() const { return device_.shape().sectors; }
  uint32_t sector_bytes() const { return device_.shape().sector_bytes; }

  /// Whether the sector, which is one of the device's, could be read: bytes() are it then. An error
  /// means that the device as a whole is of no use. Waits.
  Result<bool> load(uint64_t sector) { return load(sector, buffer_.bytes()); }
  /// The same into memory of the caller's, one sector.
  Result<bool> load(uint64_t sector, MutableBytes into) {
    const Result<> read = device_.read(sector, into);
    if (!read.ok() && read.error() != Error::kIo) {
      return read.error();
    }
    return read.ok();
  }
  Bytes bytes() const { return buffer_.bytes(); }

 private:
  BlockDevice& device_;
  HeapBytes buffer_;
};

} // namespace clay
