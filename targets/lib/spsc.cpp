// lib/spsc: the lock-free ring between one producer and one consumer that interrupt each other, or
// run on two CPUs.
//
// Checks: elements come out whole, in order, each once; a push is refused only when the ring was
// full, a pop only when it was empty, at some moment of the call; size() is a number that was true
// at one, and never above the capacity. Interrupts and switches land at the ring's atomic
// operations and in the middle of each copy of an element; that other processors may see plain
// stores in another order is not simulated.

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "kernel-src/hal/task.h"
#include "kernel-src/lib/spsc_ring.h"
#include "kernel-src/task/interrupts.h"
#include "kernel-src/task/task.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

constexpr const char* kName = "lib/spsc";
const sim::Probe kFull{kName, "a push finds the ring full"};
const sim::Probe kEmpty{kName, "a pop finds the ring empty"};
const sim::Probe kPushInPop{kName, "a push while a pop is under way"};
const sim::Probe kPopInPush{kName, "a pop while a push is under way"};
const sim::Probe kRound{kName, "more elements than the ring holds have gone through it"};
const sim::Probe kInterruptProduces{kName, "an interrupt pushes"};
const sim::Probe kInterruptConsumes{kName, "an interrupt pops"};
const sim::Probe kSizeInPush{kName, "the size is asked for while a push is under way"};

constexpr unsigned kLine = 5;

/// Interrupts and switches land here too. It writes: a load of what nobody writes is left out by
/// the compiler, and the point with it.
void cut() {
  static std::atomic<uint32_t> point;
  point.fetch_add(1, std::memory_order_acq_rel);
}

/// As a driver would pass it: too large for one store, so that a copy of it can be cut in two. The
/// ring's own copies are: it assigns from a const element and constructs from a slot, for which
/// overload resolution prefers the templates to the trivial copies.
struct Element {
  Element() = default;
  explicit Element(uint32_t n) : number(n), inverse(~n), product(uint64_t{n} * 0x1'0000'0001) {}
  Element(const Element&) = default;
  Element& operator=(Element&) = default;
  template <typename From> Element(From& from) : number(from.number) { copy_rest(from); }
  template <typename From> Element& operator=(const From& from) {
    number = from.number;
    copy_rest(from);
    return *this;
  }

  uint32_t number = 0;
  uint32_t inverse = 0;
  uint64_t product = 0;

 private:
  template <typename From> void copy_rest(const From& from) {
    cut();
    inverse = from.inverse;
    product = from.product;
  }
};
static_assert(std::is_trivially_copyable_v<Element>);

/// The ring, and what has certainly gone in and come out: counted behind the call that did it.
class Stream {
 public:
  void push();
  void pop();
  void ask_size();
  /// When neither side runs any more: takes out what is left.
  void finish();
  uint32_t pushed() const { return pushed_; }

 private:
  using Ring = clay::SpscRing<Element, 4>;
  Ring ring_;
  uint32_t pushed_ = 0;
  uint32_t popped_ = 0;
  bool pushing_ = false;
  bool popping_ = false;
};

void Stream::push() {
  const uint32_t popped_before = popped_;
  if (popping_) kPushInPop.hit();
  pushing_ = true;
  const bool taken = ring_.push(Element(pushed_)).ok();
  pushing_ = false; // no point from here to the count
  if (taken) {
    ++pushed_;
    if (pushed_ > Ring::kCapacity) kRound.hit();
    return;
  }
  kFull.hit();
  KILN_CHECK(pushed_ - popped_before >= Ring::kCapacity,
             "a push is refused with %u elements in the ring", pushed_ - popped_before);
}

void Stream::pop() {
  const uint32_t pushed_before = pushed_;
  if (pushing_) kPopInPush.hit();
  popping_ = true;
  const clay::Result<Element> got = ring_.pop();
  if (!got.ok()) {
    popping_ = false;
    kEmpty.hit();
    KILN_CHECK(pushed_before <= popped_, "a pop finds nothing, but %u elements are in the ring",
               pushed_before - popped_);
    return;
  }
  const Element want(popped_);
  KILN_CHECK(got.value().number == want.number, "element %u came out where %u was next",
             got.value().number, want.number);
  KILN_CHECK(got.value().inverse == want.inverse && got.value().product == want.product,
             "element %u came out torn", want.number);
  ++popped_;
  popping_ = false;
}

void Stream::ask_size() {
  if (pushing_) kSizeInPush.hit();
  const uint32_t pushed_before = pushed_;
  const uint32_t popped_before = popped_;
  const uint32_t size = ring_.size();
  const uint32_t most_pushed = pushed_ + (pushing_ ? 1 : 0);
  const uint32_t most_popped = popped_ + (popping_ ? 1 : 0);
  const uint32_t least = pushed_before > most_popped ? pushed_before - most_popped : 0;
  const uint32_t most = std::min(most_pushed - popped_before, Ring::kCapacity);
  KILN_CHECK(size >= least && size <= most, "the ring's size is %u, not %u to %u", size, least,
             most);
}

void Stream::finish() {
  while (popped_ != pushed_) {
    KILN_CHECK(!ring_.empty(), "a ring with %u elements says that it is empty", pushed_ - popped_);
    pop();
  }
  KILN_CHECK(ring_.empty(), "an empty ring says that it is not");
  pop();
  ask_size();
}

/// One side: how often it acts each time that it has its turn.
struct Side {
  Stream* stream;
  bool produces;
  uint32_t times;

  void act() const {
    for (uint32_t i = 0; i < times; ++i) {
      produces ? stream->push() : stream->pop();
    }
  }
};

void on_interrupt(unsigned, void* arg) {
  const Side& side = *static_cast<const Side*>(arg);
  (side.produces ? kInterruptProduces : kInterruptConsumes).hit();
  side.act();
  side.stream->ask_size();
}

void work(void* arg) { static_cast<const Side*>(arg)->act(); }

void join(clay::Result<clay::Task> task) {
  KILN_CHECK(task.ok(), "no task can be made");
  task.value().join();
}

/// One side is a task, the other an interrupt that the machine raises where it likes.
void run_with_interrupt(sim::Run& run, const Side& task_side, const Side& interrupt_side) {
  const clay::InterruptHandler handler{on_interrupt, const_cast<Side*>(&interrupt_side)};
  KILN_CHECK(clay::connect_interrupt(kLine, handler).ok(), "the line is taken");
  run.machine.allow_irq(0, kLine);
  auto task = clay::Task::create("worker", work, const_cast<Side*>(&task_side));
  const uint64_t raises = run.tape.data().below(4);
  for (uint64_t i = 0; i < raises; ++i) {
    run.machine.raise_irq(0, kLine);
    hal_yield();
  }
  join(std::move(task));
  clay::disconnect_interrupt(kLine);
}

/// Neither side: gets a size that was true at some time in between.
void watch(void* arg) {
  for (unsigned i = 0; i < 4; ++i) {
    static_cast<Stream*>(arg)->ask_size();
  }
}

void run_two_tasks(const Side& first, const Side& second) {
  auto one = clay::Task::create("first", work, const_cast<Side*>(&first));
  auto two = clay::Task::create("second", work, const_cast<Side*>(&second));
  join(clay::Task::create("watcher", watch, first.stream));
  join(std::move(one));
  join(std::move(two));
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  run.machine.set_cpus(static_cast<unsigned>(data.between(1, 2)));
  Stream stream;
  const uint64_t kind = data.below(3);
  const bool first_produces = data.boolean();
  const Side long_side{&stream, first_produces, static_cast<uint32_t>(data.between(8, 40))};
  const uint64_t most = kind == 0 ? 40 : 6;
  const Side other{&stream, !first_produces, static_cast<uint32_t>(data.between(1, most))};
  kind == 0 ? run_two_tasks(long_side, other) : run_with_interrupt(run, long_side, other);
  stream.finish();
  run.machine.digest(stream.pushed());
}

const sim::Target target{{
    .name = kName,
    .purpose = "The ring between one producer and one consumer, interrupted everywhere.",
    .run = run,
    .gate_inputs = 20'000,
    .longest_tape = 512,
    .tags = "lib,concurrency",
}};

} // namespace
} // namespace kiln::targets
