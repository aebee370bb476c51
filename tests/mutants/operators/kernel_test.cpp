// What the kernel operators make of small pieces of source.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mutants/operators/collect.h"

namespace kiln::mutants {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kRoles = R"(
lock: Lock::lock IrqGuard::lock
unlock: Lock::unlock IrqGuard::unlock
guard: Guard IrqGuard G
relockable-guard: IrqGuard
irq-guard: IrqGuard
lock-class: a::Class
irq-save: irq_save
irq-restore: irq_restore
irq-read: irqs_on
barrier: fence
wait: park
wake: wake
reference-get: get
reference-put: put
timer-cancel: Timer::cancel
device-write: write_register
unmap: unmap
tlb-flush: flush_tlb
flush: flush_disk
)";

constexpr const char* kDeclarations = R"(
namespace a { struct Class {}; }
struct Lock { bool lock(); void unlock(); };
struct Guard { explicit Guard(Lock&); };
struct IrqGuard { explicit IrqGuard(Lock&); void lock(); void unlock(); };
struct Timer { bool cancel(); };
struct Answer { Answer(); };
Answer unmap(int);
bool irq_save(); void irq_restore(bool); bool irqs_on();
void fence(); void park(); void wake(); void get(); void put();
void write_register(int, int); void unmap(); void flush_tlb(); void flush_disk();
void work(int);
)";

std::vector<std::string> made(std::string_view oper, const std::string& source) {
  return variants(oper, kDeclarations + source, kRoles);
}

TEST(DropCall, NamesWhatTheCallIsFor) {
  const std::string source = "void f(Lock& l, Timer& t) { l.lock(); l.unlock(); fence(); wake();"
                             " get(); put(); t.cancel(); flush_disk(); unmap(); flush_tlb(); }";
  EXPECT_THAT(made("drop-lock", source), ElementsAre("drop l.lock()"));
  EXPECT_THAT(made("drop-unlock", source), ElementsAre("drop l.unlock()"));
  EXPECT_THAT(made("drop-barrier", source), ElementsAre("drop fence()"));
  EXPECT_THAT(made("drop-wake", source), ElementsAre("drop wake()"));
  EXPECT_THAT(made("drop-reference", source), ElementsAre("drop get()", "drop put()"));
  EXPECT_THAT(made("drop-timer-cancel", source), ElementsAre("drop t.cancel()"));
  EXPECT_THAT(made("drop-flush", source), ElementsAre("drop flush_disk()"));
  EXPECT_THAT(made("drop-unmap", source), ElementsAre("drop unmap()"));
  EXPECT_THAT(made("drop-tlb-flush", source), ElementsAre("drop flush_tlb()"));
  EXPECT_THAT(made("drop-call", source), IsEmpty());
}

TEST(DropCall, GivesTheAnswerOfACallThatWasNotMade) {
  EXPECT_THAT(made("drop-lock", "void f(Lock& l) { const bool on = l.lock(); }"),
              ElementsAre("l.lock() -> ::irqs_on()"));
  EXPECT_THAT(made("drop-timer-cancel", "bool f(Timer& t) { return t.cancel(); }"),
              ElementsAre("t.cancel() -> false"));
  EXPECT_THAT(made("drop-unmap", "Answer f() { return unmap(2); }"),
              ElementsAre("unmap(2) -> decltype(unmap(2)){}"));
}

TEST(Guard, GetsALockOfItsOwn) {
  EXPECT_THAT(made("drop-lock", "void f(Lock& l) { Guard guard(l); IrqGuard other{l}; }"),
              ElementsAre("l -> ::kiln_mutants::stand_in<::a::Class>(l)",
                          "l -> ::kiln_mutants::stand_in<::a::Class>(l)"));
  EXPECT_THAT(made("drop-lock", "template <typename G> void f(Lock& l) { G guard(l); }"),
              ElementsAre("l -> ::kiln_mutants::stand_in<::a::Class>(l)"));
}

TEST(Section, MovesItsEnds) {
  const std::string source = "void f(Lock& l) { l.lock(); work(1); work(2); l.unlock(); work(3); }";
  EXPECT_THAT(made("shrink-section", source),
              ElementsAre("swap l.lock() | work(1)", "swap work(2) | l.unlock()"));
  EXPECT_THAT(made("widen-section", source), ElementsAre("swap l.unlock() | work(3)"));
}

TEST(Section, OfGuards) {
  EXPECT_THAT(made("shrink-section",
                   "void f(Lock& l) { IrqGuard g(l); work(1); work(2); return work(3); }"),
              ElementsAre("replace work(1) -> { g.unlock(); work(1); g.lock(); }",
                          "before return work(3) -> g.unlock();"));
  EXPECT_THAT(
      made("shrink-section", "void f(Lock& l, bool a) { IrqGuard g(l); if (a) work(1); return; }"),
      ElementsAre("replace if (a) work(1) -> { g.unlock(); if (a) work(1); g.lock(); }"));
  EXPECT_THAT(made("shrink-section", "void f(Lock& l) { IrqGuard g(l); g.unlock(); }"), IsEmpty());
  EXPECT_THAT(made("shrink-section", "void f(Lock& l) { Guard g(l); work(1); }"),
              ElementsAre("unmade Guard g(l);: The guard lets go only where its scope ends."));
}

TEST(Section, SwapsAcquisitions) {
  EXPECT_THAT(
      made("swap-acquisitions", "void f(Lock& a, Lock& b) { a.lock(); b.lock(); work(1); }"),
      ElementsAre("swap a.lock() | b.lock()"));
  EXPECT_THAT(made("swap-acquisitions", "void f(Lock& a, Lock& b) { Guard g(a); Guard h(b); }"),
              ElementsAre("unmade Guard h(b);: Declarations of guards cannot change places."));
}

TEST(DropIrqDisable, OfCallsAndGuards) {
  EXPECT_THAT(
      made("drop-irq-disable", "void f(Lock& l) { const bool on = irq_save(); IrqGuard g(l);"
                               " Guard h(l); irq_restore(on); }"),
      ElementsAre("irq_save() -> ::irqs_on()", "after IrqGuard g(l); -> ::irq_restore(true);"));
}

constexpr const char* kOrders = R"(
enum class memory_order { relaxed, acquire, release, acq_rel, seq_cst };
constexpr memory_order memory_order_acquire{1};
constexpr memory_order memory_order_release{2};
struct Flag { void store(int, memory_order); int load(memory_order); };
void work(int);
)";

TEST(WeakenOrder, ToOrdersThatPromiseLess) {
  EXPECT_THAT(variants("weaken-order", std::string(kOrders) +
                                           "int f(Flag& a) { a.store(1, memory_order::seq_cst);"
                                           " a.load(memory_order::relaxed);"
                                           " return a.load(memory_order_acquire); }"),
              ElementsAre("memory_order::seq_cst -> memory_order::acq_rel",
                          "memory_order::seq_cst -> memory_order::relaxed",
                          "memory_order_acquire -> memory_order_relaxed"));
}

TEST(Sequence, PublishesFirst) {
  const std::string source = std::string(kOrders) +
                             "struct Job { bool ready; };"
                             "void f(Flag& a, Job& job, int& value) { work(1);"
                             " a.store(1, memory_order_release); work(2); value = 3;"
                             " job.ready = true; a.store(2, memory_order::relaxed); }";
  EXPECT_THAT(variants("publish-first", source, "publish: Job::ready"),
              ElementsAre("swap work(1) | a.store(1, memory_order_release)",
                          "swap value = 3 | job.ready = true"));
}

TEST(Sequence, WakesFirst) {
  EXPECT_THAT(made("wake-first",
                   "void f(bool idle) { work(1); wake(); work(2); if (idle) { wake(); }"
                   " int a = 0; wake(); }"),
              ElementsAre("swap work(1) | wake()", "swap work(2) | if (idle) { wake(); }"));
}

TEST(Sequence, ReordersWritesToADevice) {
  EXPECT_THAT(
      made("reorder-writes", "void f() { write_register(1, 2); write_register(3, 4); work(1); }"),
      ElementsAre("swap write_register(1, 2) | write_register(3, 4)"));
}

TEST(SkipRecheck, EndsALoopAroundAWait) {
  EXPECT_THAT(made("skip-recheck", "void f(bool& ready, Lock& l) { while (!ready) { park(); }"
                                   " for (;;) { park(); if (ready) break; l.unlock(); }"
                                   " while (!ready) { work(1); } }"),
              ElementsAre("after park() -> break;", "before l.unlock() -> break;"));
}

TEST(ExtraReference, TakesOrGivesTwice) {
  EXPECT_THAT(
      made("extra-reference", "void f() { get(); put(); }"),
      ElementsAre("replace get() -> { get(); get(); }", "replace put() -> { put(); put(); }"));
}

TEST(RingIndex, WrapsInTheWrongPlace) {
  EXPECT_THAT(variants("ring-index", "int f(int* ring, unsigned at, unsigned size) {"
                                     " return ring[at % size] + at % size; }"),
              ElementsAre("at % size => at % ((size) - 1)", "at % size => at % ((size) + 1)"));
}

} // namespace
} // namespace kiln::mutants
