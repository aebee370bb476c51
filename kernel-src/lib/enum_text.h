#pragma once
// Words for the values of an enumeration that counts up from 0:
//
//   const char* oddity_text(Oddity oddity) {
//     static constexpr const char* kTexts[] = {CLAY_ODDITIES(CLAY_TEXT_OF)};
//     return text_of(kTexts, oddity);
//   }

#include <stddef.h>

#include "kernel-src/lib/assert.h"

// For the lists X(identifier, text).
#define CLAY_TEXT_OF(id, text) text,

namespace clay {

template <typename Enum, size_t n> const char* text_of(const char* const (&texts)[n], Enum value) {
  const auto index = static_cast<size_t>(value);
  CLAY_ASSERT(index < n);
  return texts[index];
}

} // namespace clay
