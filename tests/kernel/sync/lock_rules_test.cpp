// A sample of the lock matrix (tests/sim/lock_matrix.h has all of it) with Clay's own locks, in the
// machine: the annotations say what the locks do, and the machine judges it.

#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/mutex.h"
#include "kernel-src/sync/rw_mutex.h"
#include "kernel-src/sync/rw_spin_lock.h"
#include "kernel-src/sync/spin_lock.h"
#include "kernel-src/task/interrupts.h"
#include "tests/support/in_machine.h"

namespace kiln {
namespace {

using sim::Rule;

constinit clay::LockClass class_a{"test-a"};
constinit clay::LockClass class_b{"test-b"};
constinit clay::LockClass class_c{"test-c"};

// --- The columns: how a lock of each kind is taken and released

struct Spin {
  using Lock = clay::SpinLock;
  static void take(Lock& lock) { lock.lock(); }
  static void drop(Lock& lock) { lock.unlock(); }
};
struct SpinWriter {
  using Lock = clay::RwSpinLock;
  static void take(Lock& lock) { lock.lock_write(); }
  static void drop(Lock& lock) { lock.unlock_write(); }
};
struct SpinReader {
  using Lock = clay::RwSpinLock;
  static void take(Lock& lock) { lock.lock_read(); }
  static void drop(Lock& lock) { lock.unlock_read(); }
};
struct Sleeping {
  using Lock = clay::Mutex;
  static void take(Lock& lock) { lock.lock(); }
  static void drop(Lock& lock) { lock.unlock(); }
};
struct SleepingWriter {
  using Lock = clay::RwMutex;
  static void take(Lock& lock) { lock.lock_write(); }
  static void drop(Lock& lock) { lock.unlock_write(); }
};
struct SleepingReader {
  using Lock = clay::RwMutex;
  static void take(Lock& lock) { lock.lock_read(); }
  static void drop(Lock& lock) { lock.unlock_read(); }
};

template <typename K> struct Locks {
  typename K::Lock a{class_a};
  typename K::Lock b{class_b};
  typename K::Lock c{class_c};
};

template <typename K> void both(typename K::Lock& first, typename K::Lock& second) {
  K::take(first);
  K::take(second);
  K::drop(second);
  K::drop(first);
}

// --- The rows

template <typename K> void a_a(sim::Run&) {
  Locks<K> locks;
  both<K>(locks.a, locks.a);
}
template <typename K> void a_a_of_one_class(sim::Run&) {
  typename K::Lock first{class_a};
  typename K::Lock second{class_a};
  both<K>(first, second);
}
template <typename K> void a_b_b_a(sim::Run&) {
  Locks<K> locks;
  both<K>(locks.a, locks.b);
  both<K>(locks.b, locks.a);
}
template <typename K> void a_b_b_c_c_a(sim::Run&) {
  Locks<K> locks;
  both<K>(locks.a, locks.b);
  both<K>(locks.b, locks.c);
  both<K>(locks.c, locks.a);
}
template <typename K> void a_b_b_c_a_c(sim::Run&) {
  Locks<K> locks;
  both<K>(locks.a, locks.b);
  both<K>(locks.b, locks.c);
  both<K>(locks.a, locks.c);
}
template <typename K> void bad_unlock_order(sim::Run&) {
  Locks<K> locks;
  K::take(locks.a);
  K::take(locks.b);
  K::drop(locks.a);
  K::drop(locks.b);
}
template <typename K> void double_unlock(sim::Run&) {
  Locks<K> locks;
  K::take(locks.a);
  K::drop(locks.a);
  K::drop(locks.a);
}
template <typename K> void destroyed_held(sim::Run&) {
  Locks<K> locks;
  K::take(locks.a);
}
template <typename K> void task_ends_holding(sim::Run&) {
  static union Kept { // no destructor
    constexpr Kept() : lock(class_a) {}
    constexpr ~Kept() {}
    typename K::Lock lock;
  } kept;
  K::take(kept.lock);
}
template <typename K> void mutex_inside(sim::Run&) {
  Locks<K> locks;
  clay::Mutex mutex{class_b};
  K::take(locks.a);
  mutex.lock();
  mutex.unlock();
  K::drop(locks.a);
}

// --- Interrupts

constexpr unsigned kLine = 12;

/// Runs body() in an interrupt, here and now.
template <typename Body> void in_interrupt(Body body) {
  const clay::InterruptHandler handler{
      [](unsigned, void* argument) { (*static_cast<Body*>(argument))(); }, &body};
  KILN_CHECK(clay::connect_interrupt(kLine, handler).ok(), "the line is taken");
  hal_irq_raise(hal_cpu_id(), kLine);
  clay::disconnect_interrupt(kLine);
}
template <typename Body> void irqs_off(Body body) {
  bool on = hal_irq_save();
  body();
  hal_irq_restore(on);
}
template <typename K> void once(typename K::Lock& lock) {
  K::take(lock);
  K::drop(lock);
}

template <typename K> void used_in_irq_then_open(sim::Run&) {
  Locks<K> locks;
  in_interrupt([&] { once<K>(locks.a); });
  once<K>(locks.a);
}
template <typename K> void open_then_used_in_irq(sim::Run&) {
  Locks<K> locks;
  once<K>(locks.a);
  in_interrupt([&] { once<K>(locks.a); });
}
template <typename K> void irqs_on_while_held(sim::Run&) {
  Locks<K> locks;
  in_interrupt([&] { once<K>(locks.a); });
  bool on = hal_irq_save();
  K::take(locks.a);
  hal_irq_restore(on);
  K::drop(locks.a);
}
template <typename K> void used_in_irq_and_closed(sim::Run&) {
  Locks<K> locks;
  in_interrupt([&] { once<K>(locks.a); });
  irqs_off([&] { once<K>(locks.a); });
}
template <typename K> void safe_a_unsafe_b(sim::Run&) {
  Locks<K> locks;
  in_interrupt([&] { once<K>(locks.a); });
  once<K>(locks.b);
  irqs_off([&] { both<K>(locks.a, locks.b); });
}
template <typename K> void inversion_by_a_reader_in_irq(sim::Run&) {
  clay::RwSpinLock a{class_a};
  typename K::Lock b{class_b};
  irqs_off([&] {
    a.lock_write();
    once<K>(b);
    a.unlock_write();
  });
  in_interrupt([&] { once<SpinReader>(a); });
  once<K>(b);
}

struct Case {
  std::string name;
  test::Body body;
  std::optional<Rule> breaks;
};

template <typename K>
void add_kind(std::vector<Case>& out, const std::string& kind, bool recursive, bool sleeping) {
  auto unless_recursive = [&](Rule rule) { return recursive ? std::nullopt : std::optional(rule); };
  out.push_back({"AA_" + kind, a_a<K>, unless_recursive(Rule::kLockRecursion)});
  out.push_back({"AA_one_class_" + kind, a_a_of_one_class<K>, unless_recursive(Rule::kLockOrder)});
  out.push_back({"ABBA_" + kind, a_b_b_a<K>, unless_recursive(Rule::kLockOrder)});
  out.push_back({"ABBCCA_" + kind, a_b_b_c_c_a<K>, unless_recursive(Rule::kLockOrder)});
  out.push_back({"ABBCAC_" + kind, a_b_b_c_a_c<K>, {}});
  out.push_back({"double_unlock_" + kind, double_unlock<K>, Rule::kLockNotHeld});
  out.push_back({"destroyed_held_" + kind, destroyed_held<K>, Rule::kLockDestroyedHeld});
  out.push_back({"task_ends_holding_" + kind, task_ends_holding<K>, Rule::kTaskEndsHolding});
  out.push_back({"bad_unlock_order_" + kind, bad_unlock_order<K>, {}});
  out.push_back({"mutex_inside_" + kind, mutex_inside<K>,
                 sleeping ? std::nullopt : std::optional(Rule::kLockContext)});
}

template <typename K>
void add_interrupts(std::vector<Case>& out, const std::string& kind, bool recursive) {
  auto unless_recursive = [&](Rule rule) { return recursive ? std::nullopt : std::optional(rule); };
  out.push_back({"irq_12_" + kind, used_in_irq_then_open<K>, unless_recursive(Rule::kLockIrq)});
  out.push_back({"irq_21_" + kind, open_then_used_in_irq<K>, unless_recursive(Rule::kLockIrq)});
  out.push_back({"irqs_on_" + kind, irqs_on_while_held<K>, unless_recursive(Rule::kLockIrq)});
  out.push_back({"irq_closed_" + kind, used_in_irq_and_closed<K>, {}});
  out.push_back(
      {"safe_A_unsafe_B_" + kind, safe_a_unsafe_b<K>, unless_recursive(Rule::kLockIrqOrder)});
  out.push_back({"inversion_" + kind, inversion_by_a_reader_in_irq<K>,
                 unless_recursive(Rule::kLockIrqOrder)});
}

std::vector<Case> cases() {
  std::vector<Case> out;
  add_kind<Spin>(out, "spin", false, false);
  add_kind<SpinWriter>(out, "wlock", false, false);
  add_kind<SpinReader>(out, "rlock", true, false);
  add_kind<Sleeping>(out, "mutex", false, true);
  add_kind<SleepingWriter>(out, "wsem", false, true);
  add_kind<SleepingReader>(out, "rsem", false, true);
  add_interrupts<Spin>(out, "spin", false);
  add_interrupts<SpinWriter>(out, "wlock", false);
  add_interrupts<SpinReader>(out, "rlock", true);
  return out;
}

class LockRules : public testing::TestWithParam<Case> {};

TEST_P(LockRules, InTheMachine) {
  const Case& one = GetParam();
  sim::Outcome outcome = test::run_in_machine(one.body);
  if (one.breaks) {
    ASSERT_TRUE(outcome.found) << "nothing was found";
    EXPECT_EQ(sim::rule_name(outcome.finding.rule), sim::rule_name(*one.breaks))
        << outcome.finding.headline;
    EXPECT_GT(outcome.finding.stack.count, 0u);
  } else {
    EXPECT_FALSE(outcome.found) << outcome.finding.headline;
  }
}

INSTANTIATE_TEST_SUITE_P(Matrix, LockRules, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

// --- Single cases

Rule rule_of(test::Body body) {
  sim::Outcome outcome = test::run_in_machine(body);
  return outcome.found ? outcome.finding.rule : Rule::kOracle;
}

TEST(LockRulesOfTheMachine, WriterAndReaderOfOneLock) {
  EXPECT_EQ(rule_of([](sim::Run&) {
              clay::RwSpinLock lock{class_a};
              lock.lock_read();
              lock.lock_write();
            }),
            Rule::kLockRecursion);
  EXPECT_EQ(rule_of([](sim::Run&) {
              clay::RwMutex lock{class_a};
              lock.lock_write();
              lock.lock_read();
            }),
            Rule::kLockRecursion);
}

TEST(LockRulesOfTheMachine, IrqSpinLocksAreSafeInInterrupts) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run&) {
    clay::IrqSpinLock lock{class_a};
    in_interrupt([&] { clay::IrqSpinGuard guard(lock); });
    clay::IrqSpinGuard guard(lock);
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

TEST(LockRulesOfTheMachine, TrylocksGiveNoOrder) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run&) {
    clay::SpinLock a{class_a};
    clay::SpinLock b{class_b};
    a.lock();
    KILN_CHECK(b.try_lock(), "nobody holds it");
    b.unlock();
    a.unlock();
    both<Spin>(b, a);
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

TEST(LockRulesOfTheMachine, NestingIsSaidByTheCaller) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run&) {
    clay::Mutex parent{class_a};
    clay::Mutex child{class_a};
    parent.lock();
    child.lock_nested();
    child.unlock();
    parent.unlock();
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

TEST(LockRulesOfTheMachine, APolicyMaySwitchARuleOff) {
  sim::Outcome outcome = test::run_in_machine([](sim::Run& run) {
    run.machine.set_rule(Rule::kLockOrder, false);
    a_b_b_a<Spin>(run);
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
  EXPECT_EQ(rule_of(a_b_b_a<Spin>), Rule::kLockOrder) << "a reset switches it on again";
}

} // namespace
} // namespace kiln
