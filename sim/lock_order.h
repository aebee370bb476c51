#pragma once
// The order in which locks are taken, and what it forbids: pure logic, no tasks, no machine.
//
// Locks are judged by class (all locks that play one role). The structure learns facts, each once:
//
//   edge a -> b     b was waited for while a was held
//   usage of a      a was waited for in an interrupt; a was held with interrupts on
//
// and says so when the newest fact, with those known, makes a deadlock possible: before the lock is
// taken, and whether or not this run would have hung. Every fact carries how strongly it blocks:
//
//   held side    E  exclusive: keeps everybody out        S  shared: keeps writers out
//   taken side   N  waits for any holder, and for writers that wait (exclusive, shared)
//                R  shared recursive: waits only for an exclusive holder
//
// Arriving at a lock by R and leaving it by S blocks nobody (a recursive reader passes another
// reader), so only cycles without such a step are deadlocks. An interrupt that may come while L2 is
// held (E or S) and takes L1 (N or R) acts like an edge L2 -> L1 in the same cycle. These are the
// dependency kinds of Linux's lockdep (Documentation/locking/lockdep-design.rst, "Recursive read
// locks"), with three deliberate differences: every held lock gives an edge, not only the
// innermost; a non-recursive reader in an interrupt counts as N; a nested take is a node of its own
// class.
//
// The fast path (facts known) is inline: one bit test for the usage and one a held lock.
//
// Trivially copyable; all bytes zero is the empty structure. It can be reset by copying it whole,
// or cheaper by restore(), which undoes what was learned since.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sim/lock_facts.h"
#include "sim/rules.h"

namespace kiln::sim {

/// One lock that a context holds, or is about to take.
struct Held {
  uint16_t lock_class;
  LockMode mode;
  bool nested : 1;       ///< a second lock of a held class, in a documented order
  bool spins : 1;        ///< its holder must not wait (for waiting_forbidden_by)
  bool of_allocator : 1; ///< guards the allocator: nothing may be allocated meanwhile
  const void* instance;  ///< identity of the lock
  uintptr_t site;        ///< where it is taken
};

/// Where the CPU stands at the moment of judging.
struct LockContext {
  bool in_irq = false;      ///< in an interrupt handler
  bool in_softirq = false;  ///< in a soft IRQ handler (and not in an interrupt on top of it)
  bool irqs_on = false;     ///< an interrupt may come now
  bool softirqs_on = false; ///< a soft IRQ handler may run now, given irqs_on
};

/// One edge of a cycle. `from` was held (taken at held_site) when `to` was taken at taken_site.
struct LockStep {
  uint16_t from;
  uint16_t to;
  LockFact fact;
  uintptr_t held_site;
  uintptr_t taken_site;
};

inline constexpr unsigned kLongestChain = 12;

/// How a rule is broken. Only filled when one is.
struct LockVerdict {
  Rule rule;
  LockFact fact;     ///< the newest fact, which completes the picture (not for lock-recursion)
  bool soft;         ///< lock-irq, lock-irq-order: of soft IRQs rather than interrupts
  bool at_enable;    ///< interrupts are being turned on; nothing is taken
  bool shared_again; ///< lock-recursion by a reader
  bool truncated;    ///< the chain was longer
  uint8_t length;    ///< edges in `chain`
  uint16_t taking;   ///< class that is being taken, or is held while interrupts go on
  uint16_t other; ///< lock-order: the lock held. lock-irq-order: the lock held with interrupts on
  uint16_t irq_class;   ///< lock-irq, lock-irq-order: the lock taken in interrupts
  uintptr_t site;       ///< where the newest fact comes from
  uintptr_t other_site; ///< where the fact that it contradicts comes from; 0 when not known
  LockStep chain[kLongestChain]; ///< lock-order: the cycle, newest edge first. lock-irq-order: from
                                 ///< the lock taken in interrupts to the one held with them on
};

/// A fact in the order of learning; edges have two classes, usages one (from == to).
struct LockRecord {
  uint8_t from;
  uint8_t to;
  LockFact fact;
  uint8_t before; ///< what was known of this pair before, for restore()
  uint32_t reserved;
  uintptr_t held_site;
  uintptr_t taken_site;
};

class LockOrder {
 public:
  static constexpr unsigned kMaxClasses = 256;
  static constexpr unsigned kMaxRecords = 1024;
  static constexpr uint16_t kNoClass = 0xFFFF;

  // --- Classes

  /// The id of the class called `name` (static text), now or from before; kNoClass when there are
  /// kMaxClasses already, which the caller must not pass on.
  uint16_t add_class(const char* name);
  const char* name(uint16_t lock_class) const { return names_[lock_class]; }
  unsigned classes() const { return classes_; }

  // --- Judging. True when all is well; else *broken says what is not. Nothing is judged twice:
  // --- a fact is known from then on even if it broke a rule.

  /// Before the caller waits for `taking`; for a trylock (is_try) once it has succeeded. `held`:
  /// the locks of this very context (task, soft IRQ or interrupt), oldest first.
  bool acquire(const Held& taking, bool is_try, LockContext context, std::span<const Held> held,
               LockVerdict* broken) {
    if (known(taking, is_try, context, held)) [[likely]] {
      return true;
    }
    return learn_acquire(taking, is_try, context, held, broken);
  }

  /// Whether acquire would learn nothing new, and so find nothing wrong.
  bool known(const Held& taking, bool is_try, LockContext context,
             std::span<const Held> held) const {
    unsigned usage = usage_bits(taking.mode, is_try, context);
    if ((usage & ~unsigned{usage_[taking.lock_class]}) != 0) {
      return false;
    }
    for (const Held& lock : held) {
      if (lock.lock_class == taking.lock_class) {
        return false;
      }
      if (!is_try &&
          !edge_known(lock.lock_class, taking.lock_class, edge_kind(lock.mode, taking.mode))) {
        return false;
      }
    }
    return true;
  }

  /// Interrupts or soft IRQs have become possible (as `context` says) while `held` are held.
  bool interrupts_enabled(LockContext context, std::span<const Held> held, uintptr_t site,
                          LockVerdict* broken);

  /// One fact by itself: what acquire is made of, and how graphs are joined.
  bool learn_edge(uint16_t from, uint16_t to, LockFact fact, uintptr_t held_site,
                  uintptr_t taken_site, LockVerdict* broken);
  bool learn_usage(uint16_t lock_class, LockFact fact, uintptr_t site, LockVerdict* broken);

  /// Switches lock-recursion, lock-order, lock-irq or lock-irq-order off or on; other rules are
  /// nothing to it. Facts are learned all the same.
  void set_rule(Rule rule, bool on);

  // --- What was learned

  /// What is known now counts as known at boot.
  void seal() { sealed_ = records_; }
  /// Facts learned since seal(), in order.
  std::span<const LockRecord> learned() const {
    return std::span(record_list_).subspan(sealed_, records_ - sealed_);
  }
  /// All facts, those of the boot first.
  std::span<const LockRecord> records() const { return std::span(record_list_).first(records_); }
  /// The fact of this kind, or one that implies it; null when there is none. Slow.
  const LockRecord* find(unsigned from, unsigned to, LockFact fact) const;
  /// The strong usage of a class (a bit of usage_bit), or else the weak one beside it, or null.
  const LockRecord* find_usage(unsigned lock_class, unsigned strong_bit) const;
  /// Facts that did not fit into the list: judged, but not listed.
  unsigned unlisted() const { return unlisted_; }

  /// Back to `booted`, a copy of this structure made earlier, in time proportional to what was
  /// learned since. Afterwards both are equal byte for byte.
  void restore(const LockOrder& booted);

 private:
  friend class LockSearch;

  static constexpr unsigned kWords = kMaxClasses / 64;
  /// Edges from one class: bits[to / 64][kind]. A stronger edge sets the bits of the weaker ones.
  struct Row {
    uint64_t bits[kWords][kEdgeKinds];
  };

  bool edge_known(unsigned from, unsigned to, unsigned kind) const {
    return ((rows_[from].bits[to / 64][kind] >> (to % 64)) & 1) != 0;
  }

  static unsigned usage_bits(LockMode mode, bool is_try, LockContext context) {
    unsigned bits = context_bits(context) & mode_bits(mode);
    return is_try ? bits & (kEnabledExclusive | kEnabledShared) * 0x11U : bits;
  }
  /// Usages that a context gives, of every mode.
  static unsigned context_bits(LockContext context) {
    constexpr unsigned kUsed = kUsedNonRecursive | kUsedRecursive;
    constexpr unsigned kEnabled = kEnabledExclusive | kEnabledShared;
    unsigned soft_used = context.in_softirq && !context.in_irq;
    unsigned soft_on = context.irqs_on && context.softirqs_on;
    return unsigned{context.in_irq} * kUsed + unsigned{context.irqs_on} * kEnabled +
           soft_used * (kUsed << kSoftShift) + soft_on * (kEnabled << kSoftShift);
  }
  /// Usages that a mode gives, in every context.
  static unsigned mode_bits(LockMode mode) {
    constexpr unsigned kExclusiveBits = (kUsedNonRecursive | kEnabledExclusive) * 0x11U;
    constexpr unsigned kSharedBits = (kUsedNonRecursive | kEnabledShared) * 0x11U;
    constexpr unsigned kRecursiveBits = (kUsedRecursive | kEnabledShared) * 0x11U;
    constexpr unsigned kByMode = kExclusiveBits | kSharedBits << 8 | kRecursiveBits << 16;
    return (kByMode >> (static_cast<unsigned>(mode) * 8)) & 0xFF;
  }

  bool learn_acquire(const Held& taking, bool is_try, LockContext context,
                     std::span<const Held> held, LockVerdict* broken);
  bool judge_same_class(const Held& taking, bool is_try, const Held& held,
                        LockVerdict* broken) const;
  bool learn_usages(uint16_t lock_class, unsigned bits, uintptr_t site, LockVerdict* broken);
  bool judge_cycle(const LockRecord& edge, LockVerdict* broken) const;
  bool judge_edge_irq(const LockRecord& edge, LockVerdict* broken) const;
  bool judge_usage(const LockRecord& usage, LockVerdict* broken) const;
  bool judge_usage_paths(const LockRecord& usage, LockVerdict* broken) const;
  bool has_edges_from(unsigned lock_class) const;
  bool may_conflict() const;
  void list(const LockRecord& record);
  void undo(const LockRecord& record);
  uintptr_t usage_site(unsigned lock_class, unsigned strong_bit) const;
  bool on(Rule rule) const;

  uint16_t classes_;
  uint16_t records_;
  uint16_t sealed_;
  uint16_t unlisted_;
  uint8_t any_usage_; ///< union over all classes
  uint8_t rules_off_;
  const char* names_[kMaxClasses];
  uint32_t hashes_[kMaxClasses]; ///< of the names
  uint8_t usage_[kMaxClasses];
  alignas(64) Row rows_[kMaxClasses];
  LockRecord record_list_[kMaxRecords];
};

static_assert(std::is_trivially_copyable_v<LockOrder>);

/// The innermost lock whose holder must not wait; null when there is none. The machine asks before
/// a sleeping lock is taken or a task sleeps, and names it in lock-context and sleep-in-atomic.
inline const Held* waiting_forbidden_by(std::span<const Held> held) {
  for (size_t i = held.size(); i-- > 0;) {
    if (held[i].spins) {
      return &held[i];
    }
  }
  return nullptr;
}

/// The innermost lock of the allocator's own; null when there is none (for alloc-under-lock).
inline const Held* allocation_forbidden_by(std::span<const Held> held) {
  for (size_t i = held.size(); i-- > 0;) {
    if (held[i].of_allocator) {
      return &held[i];
    }
  }
  return nullptr;
}

/// One sentence for a finding; cut to `size` bytes with the closing zero.
void lock_headline(const LockOrder& order, const LockVerdict& verdict, char* out, size_t size);
/// What other_site is: "lock 'a' was taken in an interrupt here".
void lock_other_label(const LockOrder& order, const LockVerdict& verdict, char* out, size_t size);

} // namespace kiln::sim
