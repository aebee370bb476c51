#pragma once
// Names taken out since the last commit, by hash. One that is put back into another sector of its
// directory could be there twice after a cut: then a commit comes first.

#include <stdint.h>

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/string_view.h"

namespace clay::ext2 {

class RemovedNames {
 public:
  /// The sector: counted from the begin of the disk.
  void add(uint32_t directory, StringView name, uint64_t sector) {
    if (count_ < kMost) {
      items_[count_] = {hash(directory, name), sector};
    }
    ++count_;
  }
  /// Whether one like it was taken out of another sector; true also if there have been too many.
  bool clash(uint32_t directory, StringView name, uint64_t sector) const {
    if (count_ > kMost) {
      return true;
    }
    const uint64_t wanted = hash(directory, name);
    for (uint32_t i = 0; i < count_; ++i) {
      if (items_[i].hash == wanted && items_[i].sector != sector) {
        return true;
      }
    }
    return false;
  }
  void clear() { count_ = 0; }

 private:
  static constexpr uint32_t kMost = 16;
  struct Item {
    uint64_t hash;
    uint64_t sector;
  };

  /// FNV-1a: one that is found where it is not costs a commit and nothing else.
  static uint64_t hash(uint32_t directory, StringView name) {
    uint64_t hash = 0xCBF2'9CE4'8422'2325 ^ directory;
    for (const char c : name) {
      hash = wrapping_mul(hash ^ static_cast<uint8_t>(c), uint64_t{0x100'0000'01B3});
    }
    return hash;
  }

  Item items_[kMost] = {};
  uint32_t count_ = 0;
};

} // namespace clay::ext2
