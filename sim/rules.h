#pragma once
// The rules of the machine. Each has a name (part of a finding's identity, and of canary/<name>)
// and one sentence. A kernel's policy can switch one off: Machine::set_rule.

#include <cstdint>
#include <string_view>

namespace kiln::sim {

// X(identifier, "name", "what it forbids")
#define KILN_RULES(X)                                                                              \
  X(kSleepInAtomic, "sleep-in-atomic",                                                             \
    "a task sleeps, waits or yields with a spin lock held or interrupts or preemption off")        \
  X(kWaitInSoftIrq, "wait-in-softirq", "a soft IRQ handler waits")                                 \
  X(kWaitInIrq, "wait-in-irq", "an interrupt handler waits")                                       \
  X(kLockRecursion, "lock-recursion", "a lock is taken again by its holder")                       \
  X(kLockNotHeld, "lock-not-held", "a lock is released that its releaser does not hold")           \
  X(kLockOrder, "lock-order", "locks are taken in orders that close a cycle")                      \
  X(kLockIrq, "lock-irq", "a lock is taken both in an interrupt or soft IRQ and with those on")    \
  X(kLockIrqOrder, "lock-irq-order",                                                               \
    "a lock taken in an interrupt is held while one that allows interrupts is taken")              \
  X(kLockContext, "lock-context", "a sleeping lock is taken where waiting is forbidden")           \
  X(kLockDestroyedHeld, "lock-destroyed-held", "a lock is destroyed while it is held")             \
  X(kAllocContext, "alloc-context", "an allocation that may wait where waiting is forbidden")      \
  X(kAllocUnderLock, "alloc-under-lock", "an allocation under the allocator's own locks")          \
  X(kTaskEndsHolding, "task-ends-holding", "a task ends with a lock held or interrupts off")       \
  X(kTwoWaiters, "two-waiters", "two tasks wait on an event made for one")                         \
  X(kSelfJoin, "self-join", "a task waits for itself to end")                                      \
  X(kWaitCycle, "wait-cycle", "tasks wait for each other in a circle")                             \
  X(kDeadlock, "deadlock", "every task waits, and nothing will wake one")                          \
  X(kLivelock, "livelock", "scheduling points go by without any progress")                         \
  X(kClockSpin, "clock-spin", "a loop reads the clock and lets nobody run")                        \
  X(kUseDestroyed, "use-destroyed", "a lock, event, timer or work item is used after its end")     \
  X(kStackBudget, "stack-budget", "a task uses more stack than its budget")                        \
  X(kIrqRestoreOrder, "irq-restore-order",                                                         \
    "interrupt or preemption state is restored out of order")                                      \
  X(kLeakMemory, "leak-memory", "memory is not given back at the end of a run")                    \
  X(kLeakTask, "leak-task", "a task is left at the end of a run")                                  \
  X(kLeakTimer, "leak-timer", "a timer is left armed at the end of a run")                         \
  X(kLeakReference, "leak-reference", "a counted reference is left at the end of a run")           \
  X(kLeakMapping, "leak-mapping", "a mapping is left at the end of a run")                         \
  X(kLeakPage, "leak-page", "a page is not given back at the end of a run")                        \
  X(kBadFree, "bad-free", "memory is given back twice, or was never handed out")                   \
  X(kMemoryOverrun, "memory-overrun", "the bytes around a heap block were written")                \
  X(kUninitialised, "uninitialised-read", "a run depends on what fresh memory holds")              \
  X(kPanic, "panic", "the kernel stops itself")                                                    \
  X(kOracle, "oracle", "a target's own check fails")                                               \
  X(kUndefined, "undefined", "undefined behaviour, a silent wrap or a lossy conversion")           \
  X(kAddress, "address", "memory is accessed that is not the accessor's")                          \
  X(kCrash, "crash", "a fault of the processor")                                                   \
  X(kStackOverflow, "stack-overflow", "a task runs off its stack")                                 \
  X(kHang, "hang", "an input takes too long on the host")                                          \
  X(kProbeMissed, "probe-missed", "a state that inputs must reach was not reached")                \
  X(kNondeterminism, "nondeterminism", "the same input made two different runs")

enum class Rule : uint8_t {
#define KILN_RULE_ENUM(id, name, text) id,
  KILN_RULES(KILN_RULE_ENUM)
#undef KILN_RULE_ENUM
};

/// All of them, in the order of the enumeration.
inline constexpr Rule kRules[] = {
#define KILN_RULE_ITEM(id, name, text) Rule::id,
    KILN_RULES(KILN_RULE_ITEM)
#undef KILN_RULE_ITEM
};
inline constexpr unsigned kRuleCount = sizeof kRules / sizeof kRules[0];

std::string_view rule_name(Rule rule);
std::string_view rule_text(Rule rule);
/// False when no rule has that name.
bool rule_by_name(std::string_view name, Rule* out);

} // namespace kiln::sim
