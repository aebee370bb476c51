#pragma once
// How often each kind of a thing came up; kinds are an enumeration that counts up from 0.

#include <stddef.h>
#include <stdint.h>

namespace clay {

template <typename Kind, size_t kinds> class KindCounts {
 public:
  uint32_t count(Kind kind) const { return counts_[static_cast<size_t>(kind)]; }
  void note(Kind kind) { ++counts_[static_cast<size_t>(kind)]; }
  void note_unless(bool fine, Kind kind) {
    if (!fine) {
      note(kind);
    }
  }

 private:
  uint32_t counts_[kinds] = {};
};

} // namespace clay
