// Random programs of tasks, interrupts and soft IRQs over locks of every kind, on 1 to 4 CPUs.
//
// Checks, by a model that does not use the locks: one writer and no reader, or readers only, inside
// each lock; no update lost; sequence lock readers get whole values; timed locks give up neither
// early nor late; a try is refused only when somebody was about; every program ends. At the end one
// task alone tries what each lock promises (lock_alone.h). The lock rules of the machine (order,
// context, recursion) watch beside it. Does not check fairness.

#include <vector>

#include "kernel-src/hal/time.h"
#include "kernel-src/sync/locked.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/sync/lock_alone.h"
#include "targets/sync/lock_set.h"

namespace kiln {
namespace {

using namespace sync;

constexpr const char* kTarget = "sync/locks";
sim::Probe in_irq{kTarget, "an interrupt takes a lock"};
sim::Probe in_soft{kTarget, "a soft IRQ takes a lock"};
sim::Probe three_deep{kTarget, "a task holds three locks"};
sim::Probe torn{kTarget, "a sequence lock reader meets a writer"};
sim::Probe unlocked_early{kTarget, "an outer lock is let go before an inner one"};
sim::Probe mixed{kTarget, "a spin lock is taken with a sleeping lock held"};

constexpr unsigned kMostTasks = 5;
constexpr unsigned kMostTakes = 3;

/// Locks taken one after another, something done, and let go.
struct Section {
  Take takes[kMostTakes];
  uint8_t count;
  uint8_t pauses;
  bool outer_first;  ///< lets the outermost sleeping lock go first
  uint16_t sleep_ns; ///< with sleeping locks only
};

enum class Act : uint8_t { kSection, kSeqWrite, kSeqRead, kWith, kRaiseIrq, kRaiseSoft };

struct Step {
  Act act;
  uint8_t cpu;
  Section section;
};

struct Pair {
  uint64_t a;
  uint64_t b;
  uint64_t c;
};

constinit clay::LockClass seq_class{"locks-seq"};
constinit clay::LockClass spin_count_class{"locks-spin-count"};
constinit clay::LockClass mutex_count_class{"locks-mutex-count"};
constinit clay::LockClass rw_count_class{"locks-rw-count"};

struct World {
  explicit World(sim::Machine& m) : machine(m), locks(m) {}
  sim::Machine& machine;
  LockSet locks;
  clay::SeqLock<Pair> pair{seq_class};       ///< changed in place
  clay::SeqLock<Pair> whole_pair{seq_class}; ///< written whole
  unsigned pair_writes = 0;
  clay::IrqSpinLocked<unsigned> spin_count{spin_count_class, 0u};
  clay::MutexLocked<unsigned> mutex_count{mutex_count_class, 0u};
  clay::RwLocked<unsigned> rw_count{rw_count_class, 0u};
  std::vector<Section> irq_program; ///< one section an interrupt, in turn
  std::vector<Section> soft_program;
  unsigned irq_next[4] = {}; ///< by CPU
  unsigned soft_next[4] = {};
  unsigned withs = 0; ///< calls of count_with()
};

struct Program {
  World* world;
  std::vector<Step> steps;
};

// --- Running

void read_pair(World& world) {
  Pair pair{1, 1, 1}; // no value that is ever written
  if (!world.pair.peek(&pair)) {
    torn.hit();
    pair = world.pair.read();
  }
  for (const Pair& seen : {pair, world.whole_pair.read()}) {
    KILN_CHECK(seen.b == seen.a * 3 && seen.c == seen.a + 7 * (seen.a != 0),
               "a sequence lock gave parts of two values");
  }
}

void write_pair(World& world) {
  const unsigned turn = ++world.pair_writes;
  world.whole_pair.write({turn, turn * 3, turn + 7});
  world.pair.update([](Pair& pair) {
    ++pair.a;
    pair.b = pair.a * 3;
    pair.c = pair.a + 7;
  });
}

/// One more, in two steps: somebody else inside would lose one.
void count_slowly(unsigned& count) {
  const unsigned before = count;
  breathe(2);
  count = before + 1;
}

/// Locks that own their data, one after the other.
void count_with(World& world) {
  ++world.withs;
  world.mutex_count.with(count_slowly);
  world.spin_count.with(count_slowly);
  world.rw_count.write(count_slowly);
  world.rw_count.read([](const unsigned& count) {
    const unsigned before = count;
    breathe(2);
    KILN_CHECK(count == before, "a value changed while it was being read");
  });
}

void do_inside(World& world, const Section& section, unsigned entered) {
  const Take& inner = section.takes[entered - 1];
  Cell& cell = world.locks.cell(inner.lock);
  inner.shared ? cell.check_read(section.pauses) : cell.check_write(section.pauses);
  const Take& outer = section.takes[0];
  if (section.sleep_ns != 0 && inner.lock < kFirstSpin) {
    Cell& held = world.locks.cell(outer.lock);
    outer.shared ? ++held.readers : ++held.writers;
    clay::sleep_for(section.sleep_ns);
    outer.shared ? --held.readers : --held.writers;
  }
  if (entered == kMostTakes) {
    three_deep.hit();
  }
  if (outer.lock < kFirstSpin && inner.lock >= kFirstSpin) {
    mixed.hit();
  }
}

void run_section(World& world, const Section& section) {
  bool were_on[kMostTakes] = {};
  unsigned entered = 0;
  while (entered < section.count && world.locks.enter(section.takes[entered], &were_on[entered])) {
    ++entered;
  }
  if (entered == 0) {
    return;
  }
  do_inside(world, section, entered);
  unsigned first = 0;
  if (section.outer_first && entered > 1 && section.takes[0].lock < kFirstSpin &&
      section.takes[1].lock < kFirstSpin) {
    world.locks.leave(section.takes[0], false);
    unlocked_early.hit();
    first = 1;
  }
  while (entered > first) {
    --entered;
    world.locks.leave(section.takes[entered], were_on[entered]);
  }
}

void run_step(World& world, const Step& step) {
  switch (step.act) {
  case Act::kSection:
    return run_section(world, step.section);
  case Act::kSeqWrite:
    return write_pair(world);
  case Act::kSeqRead:
    return read_pair(world);
  case Act::kWith:
    return count_with(world);
  case Act::kRaiseIrq:
    return world.machine.raise_irq(step.cpu % hal_cpu_count(), kDeviceLine);
  case Act::kRaiseSoft:
    return clay::raise_soft_irq(kDeviceSoftIrq);
  }
}

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  for (const Step& step : program.steps) {
    run_step(*program.world, step);
  }
}

void run_irq(void* arg) {
  auto& world = *static_cast<World*>(arg);
  in_irq.hit();
  read_pair(world);
  if (!world.irq_program.empty()) {
    unsigned& next = world.irq_next[hal_cpu_id()];
    run_section(world, world.irq_program[next++ % world.irq_program.size()]);
  }
}

void run_soft(void* arg) {
  auto& world = *static_cast<World*>(arg);
  in_soft.hit();
  write_pair(world);
  if (!world.soft_program.empty()) {
    unsigned& next = world.soft_next[hal_cpu_id()];
    run_section(world, world.soft_program[next++ % world.soft_program.size()]);
  }
}

// --- Drawing

Take draw_take(sim::Tape::View& data, unsigned lock, bool in_task) {
  Take take{};
  take.lock = static_cast<uint8_t>(lock);
  take.shared = data.boolean();
  if (kOrder[lock] == Kind::kMutex || kOrder[lock] == Kind::kSpin ||
      kOrder[lock] == Kind::kIrqSpin) {
    take.shared = false;
  }
  if (!in_task && kOrder[lock] == Kind::kIrqRwSpin) {
    take.shared = true; // a handler that wrote would oblige all readers to keep interrupts off
  }
  static constexpr uint16_t kHow[] = {6, 1, 2};
  take.how = static_cast<How>(data.weighted(kHow));
  // A deadline that is past already ends where the lock is not even queued for.
  take.patience_ns = data.chance(1, 4) ? uint16_t{0} : static_cast<uint16_t>(data.below(2000));
  return take;
}

/// The locks that this run uses, in order: a few make programs meet more often. Ordinary: all.
std::vector<unsigned> draw_pool(sim::Tape& tape, unsigned first) {
  auto swarm = tape.swarm();
  const auto size = static_cast<unsigned>(swarm.below(4));
  const auto from = first + static_cast<unsigned>(swarm.below(kLocks - first));
  std::vector<unsigned> pool;
  for (unsigned lock = size == 0 ? first : from; lock < kLocks && (size == 0 || pool.size() < size);
       ++lock) {
    pool.push_back(lock);
  }
  return pool;
}

Section draw_section(sim::Tape& tape, const std::vector<unsigned>& pool, bool in_task) {
  sim::Span span(tape, "section");
  auto data = tape.data();
  Section section{};
  const auto count = data.between(1, kMostTakes);
  uint64_t at = 0;
  for (unsigned i = 0; i < count; ++i) {
    at += data.below(i == 0 ? pool.size() : 3);
    if (at >= pool.size()) {
      break;
    }
    section.takes[section.count++] = draw_take(data, pool[at++], in_task);
  }
  section.pauses = static_cast<uint8_t>(data.between(1, 4));
  section.outer_first = data.chance(1, 4);
  section.sleep_ns = data.boolean() ? static_cast<uint16_t>(data.below(4000)) : uint16_t{0};
  return section;
}

Step draw_step(sim::Tape& tape, const std::vector<unsigned>& pool) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kWeights[] = {12, 1, 2, 2, 2, 2};
  Step step{};
  step.act = static_cast<Act>(data.weighted(kWeights));
  step.cpu = static_cast<uint8_t>(data.below(4));
  if (step.act == Act::kSection) {
    step.section = draw_section(tape, pool, true);
  }
  return step;
}

void draw_programs(sim::Tape& tape, World& world, std::vector<Program>& programs) {
  const std::vector<unsigned> pool = draw_pool(tape, 0);
  const std::vector<unsigned> irq_pool = draw_pool(tape, kFirstIrq);
  auto data = tape.data();
  programs.resize(data.between(1, kMostTasks));
  for (Program& program : programs) {
    sim::Span span(tape, "task");
    program.world = &world;
    const auto steps = data.between(1, 8);
    for (uint64_t i = 0; i < steps; ++i) {
      program.steps.push_back(draw_step(tape, pool));
    }
  }
  const auto irqs = data.below(4);
  for (uint64_t i = 0; i < irqs; ++i) {
    world.irq_program.push_back(draw_section(tape, irq_pool, false));
  }
  const auto softs = data.below(4);
  for (uint64_t i = 0; i < softs; ++i) {
    world.soft_program.push_back(draw_section(tape, irq_pool, false));
  }
}

// --- The run

void check_end(World& world) {
  for (unsigned lock = 0; lock < kLocks; ++lock) {
    const Cell& cell = world.locks.cell(lock);
    KILN_CHECK(cell.a == cell.writes && cell.b == cell.writes,
               "%u writes were made under lock %u, the data says %u", cell.writes, lock, cell.a);
  }
  const unsigned counted = world.mutex_count.with([](unsigned& count) { return count; });
  const unsigned spun = world.spin_count.with([](unsigned& count) { return count; });
  const unsigned written = world.rw_count.read([](const unsigned& count) { return count; });
  KILN_CHECK(counted == world.withs && spun == world.withs && written == world.withs,
             "an update in with() was lost");
  read_pair(world);
  KILN_CHECK(world.pair.read().a == world.pair_writes, "an update of a sequence lock was lost");
}

void run(sim::Run& run) {
  const Shape shape = draw_shape(run);
  World world(run.machine);
  std::vector<Program> programs;
  draw_programs(run.tape, world, programs);
  {
    Device device(run_irq, run_soft, &world);
    run_tasks<kMostTasks>(shape, "locker", run_program, programs);
  }
  check_end(world);
  check_locks_alone(shape.may_fail);
}

sim::Target target{{
    .name = kTarget,
    .purpose = "Locks of every kind, taken by tasks, interrupts and soft IRQs.",
    .run = run,
    .gate_inputs = 20'000,
    .longest_tape = 2048,
    .tags = "sync",
}};

} // namespace
} // namespace kiln
