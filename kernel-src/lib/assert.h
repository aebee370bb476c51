#pragma once
// A condition that the kernel itself guarantees. When it does not hold the kernel is broken and
// stops; what comes from outside (firmware, disk, network, guest) is checked with Result instead.

#include "kernel-src/hal/console.h"

#define CLAY_STRINGIFY_(text) #text
#define CLAY_STRINGIFY(text) CLAY_STRINGIFY_(text)

#define CLAY_ASSERT(condition)                                                                     \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      hal_panic(__FILE__ ":" CLAY_STRINGIFY(__LINE__) ": assertion failed: " #condition);          \
    }                                                                                              \
  } while (false)
