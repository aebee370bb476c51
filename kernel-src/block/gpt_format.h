#pragma once
// What the readers of a GPT's header and of its entries share.

#include <stdint.h>

#include "kernel-src/lib/endian.h"
#include "kernel-src/lib/span.h"

namespace clay::gpt_format {

/// Whether `sector` begins like a header.
inline bool has_signature(Bytes sector) {
  constexpr uint64_t kSignature = 0x5452'4150'2049'4645; // "EFI PART"
  return load_le<uint64_t>(sector.first(sizeof kSignature).data()) == kSignature;
}

inline bool is_clear(Bytes bytes) {
  for (const uint8_t byte : bytes) {
    if (byte != 0) {
      return false;
    }
  }
  return true;
}

} // namespace clay::gpt_format
