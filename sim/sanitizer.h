#pragma once
// AddressSanitizer's interface, or nothing.

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KILN_ASAN 1
#endif
#endif
#ifndef KILN_ASAN
#define KILN_ASAN 0
#endif

#if KILN_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define KILN_NO_ASAN __attribute__((no_sanitize("address"), noinline))

namespace kiln::sim {

inline constexpr bool kAsan = KILN_ASAN != 0;

/// Marks bytes as nobody's (as somebody's): an access becomes a report.
inline void poison([[maybe_unused]] const volatile void* p, [[maybe_unused]] size_t n) {
#if KILN_ASAN
  __asan_poison_memory_region(p, n);
#endif
}
inline void unpoison([[maybe_unused]] const volatile void* p, [[maybe_unused]] size_t n) {
#if KILN_ASAN
  __asan_unpoison_memory_region(p, n);
#endif
}

/// Up to where a heap that grows upwards has been poisoned: in steps, so that the shadow of what
/// nobody uses stays away. A reset leaves it alone: it poisons again what the run used.
struct PoisonFront {
  uintptr_t to;
  __attribute__((no_sanitize("address"))) void grow(uintptr_t top) {
    constexpr uintptr_t kStep = uintptr_t{1} << 18;
    if (kAsan && top > to) {
      const uintptr_t next = (top + kStep) & ~(kStep - 1);
      poison(reinterpret_cast<void*>(to), next - to);
      to = next;
    }
  }
};

/// Copies without being intercepted or checked: snapshots hold poisoned bytes.
KILN_NO_ASAN inline void raw_copy(void* to, const void* from, size_t n) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

/// Shadow byte of an address (AddressSanitizer's mapping on x86-64 Linux).
inline char* shadow_of(const void* p) {
  return reinterpret_cast<char*>((reinterpret_cast<size_t>(p) >> 3) + 0x7fff8000);
}

} // namespace kiln::sim
