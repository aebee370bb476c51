#pragma once
// The vocabulary of sim/lock_order.h: modes, and the kinds of facts, with their numbering.

#include <cstdint>

namespace kiln::sim {

enum class LockMode : uint8_t {
  kExclusive,
  kShared,          ///< waits behind writers that wait: must not nest
  kSharedRecursive, ///< passes writers that wait: may nest
};

/// Edges: held side (E, S), then taken side (N, R). Usages: of hard and soft interrupts.
enum class LockFact : uint8_t {
  kEdgeEN,
  kEdgeER,
  kEdgeSN,
  kEdgeSR,
  kUsedInIrqN,  ///< waited for in an interrupt, exclusive or shared
  kUsedInIrqR,  ///< ... shared recursive
  kIrqsOnE,     ///< held exclusively with interrupts on
  kIrqsOnS,     ///< held shared with interrupts on
  kUsedInSoftN, ///< the same four for soft IRQs
  kUsedInSoftR,
  kSoftOnE,
  kSoftOnS,
};

inline constexpr unsigned kEdgeKinds = 4;

/// Usage bits of one class: those of hard interrupts, and the same moved up for soft IRQs.
inline constexpr unsigned kUsedNonRecursive = 1;
inline constexpr unsigned kUsedRecursive = 2;
inline constexpr unsigned kEnabledExclusive = 4;
inline constexpr unsigned kEnabledShared = 8;
inline constexpr unsigned kSoftShift = 4;

constexpr bool is_edge(LockFact fact) { return fact <= LockFact::kEdgeSR; }

/// Number of the edge kind for a lock taken under a held one; as LockFact's numbering.
constexpr unsigned edge_kind(LockMode held, LockMode taken) {
  return (held != LockMode::kExclusive ? 2U : 0U) | (taken == LockMode::kSharedRecursive ? 1U : 0U);
}
constexpr bool held_shared(LockFact edge) { return (static_cast<unsigned>(edge) & 2) != 0; }
constexpr bool taken_recursive(LockFact edge) { return (static_cast<unsigned>(edge) & 1) != 0; }

constexpr unsigned usage_bit(LockFact usage) {
  return 1U << (static_cast<unsigned>(usage) - kEdgeKinds);
}
constexpr LockFact usage_fact(unsigned bit_index) {
  return static_cast<LockFact>(bit_index + kEdgeKinds);
}
constexpr bool is_soft(LockFact usage) { return usage >= LockFact::kUsedInSoftN; }
/// "Used in" rather than "with interrupts on".
constexpr bool is_used_in(LockFact usage) {
  return (usage_bit(usage) & ((kUsedNonRecursive | kUsedRecursive) * 0x11U)) != 0;
}

/// A usage that blocks most: N, E.
constexpr bool is_strong(LockFact usage) {
  return (usage_bit(usage) & ((kUsedNonRecursive | kEnabledExclusive) * 0x11U)) != 0;
}
/// The strong usage on the other side: of kUsedIn... the kIrqsOnE, and the other way round.
constexpr unsigned opposite_bit(LockFact usage) {
  return (is_used_in(usage) ? kEnabledExclusive : kUsedNonRecursive)
         << (is_soft(usage) ? kSoftShift : 0U);
}

/// Bits of the facts that `fact` implies, itself included: E blocks all that S does, N waits for
/// all that R does. Edges: bit = kind. Usages: bit = usage_bit.
constexpr unsigned implied(LockFact fact) {
  constexpr unsigned kEdges[kEdgeKinds] = {0b1111, 0b1010, 0b1100, 0b1000};
  if (is_edge(fact)) {
    return kEdges[static_cast<unsigned>(fact)];
  }
  unsigned bit = usage_bit(fact);
  return is_strong(fact) ? bit | (bit << 1) : bit;
}

} // namespace kiln::sim
