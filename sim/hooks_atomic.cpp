// The kernel's atomic operations: clang's thread instrumentation, reduced to atomics, calls these
// instead. Each is a scheduling point, then the operation itself. One OS thread runs the machine,
// so plain memory accesses do; this file is compiled with the sanitizers, which check them.
//
// Symbols: the atomic interface of clang 19's instrumentation pass (llvm/lib/Transforms/
// Instrumentation/ThreadSanitizer.cpp, by name).

#include <cstdint>

#include "sim/core.h"

using kiln::sim::point;

// The runtime's headers are not used: these are our own definitions.
#define KILN_ATOMIC(bits, type)                                                                    \
  extern "C" type __tsan_atomic##bits##_load(const volatile type* a, int) {                        \
    point();                                                                                       \
    return *a;                                                                                     \
  }                                                                                                \
  extern "C" void __tsan_atomic##bits##_store(volatile type* a, type v, int) {                     \
    point();                                                                                       \
    *a = v;                                                                                        \
  }                                                                                                \
  KILN_EXCHANGE(bits, type, exchange, v)                                                           \
  KILN_EXCHANGE(bits, type, fetch_add, static_cast<type>(old + v))                                 \
  KILN_EXCHANGE(bits, type, fetch_sub, static_cast<type>(old - v))                                 \
  KILN_EXCHANGE(bits, type, fetch_and, static_cast<type>(old & v))                                 \
  KILN_EXCHANGE(bits, type, fetch_or, static_cast<type>(old | v))                                  \
  KILN_EXCHANGE(bits, type, fetch_xor, static_cast<type>(old ^ v))                                 \
  KILN_EXCHANGE(bits, type, fetch_nand, static_cast<type>(~(old & v)))                             \
  extern "C" type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type expected,      \
                                                             type desired, int, int) {             \
    point();                                                                                       \
    type old = *a;                                                                                 \
    if (old == expected) {                                                                         \
      *a = desired;                                                                                \
    }                                                                                              \
    return old;                                                                                    \
  }

#define KILN_EXCHANGE(bits, type, name, result)                                                    \
  extern "C" type __tsan_atomic##bits##_##name(volatile type* a, type v, int) {                    \
    point();                                                                                       \
    type old = *a;                                                                                 \
    *a = (result);                                                                                 \
    return old;                                                                                    \
  }

KILN_ATOMIC(8, uint8_t)
KILN_ATOMIC(16, uint16_t)
KILN_ATOMIC(32, uint32_t)
KILN_ATOMIC(64, uint64_t)
using uint128 = unsigned __int128;
KILN_ATOMIC(128, uint128)

extern "C" void __tsan_atomic_thread_fence(int) { point(); }
extern "C" void __tsan_atomic_signal_fence(int) {}
extern "C" void __tsan_init() {}
