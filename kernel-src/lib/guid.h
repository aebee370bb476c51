#pragma once
// GUIDs as UEFI and GPT store them: 16 bytes, of which the first three fields are little-endian in
// memory (UEFI 2.10, appendix A).

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/span.h"

namespace clay {

struct Guid {
  uint8_t bytes[16] = {};

  /// `from`: at least 16 bytes.
  static Guid load(Bytes from) {
    Guid guid;
    for (size_t i = 0; i < sizeof guid.bytes; ++i) {
      guid.bytes[i] = from[i];
    }
    return guid;
  }

  bool is_zero() const { return *this == Guid{}; }
  bool operator==(const Guid& other) const {
    return same_elements(Bytes(bytes), Bytes(other.bytes));
  }
};

} // namespace clay
