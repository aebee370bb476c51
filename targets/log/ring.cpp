// Writers of every context and readers at every pace over one small log ring, and the log's own
// front end beside it.
//
// Checks: a reader gets every record whole (each record's text follows from its writer and number),
// in order and each writer's in the order of writing; what it did not get is counted, exactly;
// nothing is lost without a reason (a reader a whole ring behind, or a writer interrupted for that
// long); a reader goes on as long as there is a record; and at the end the newest are there. On the
// console each message that is urgent enough stands once and as it was logged, those that were lost
// are told of, and once the machine is idle nothing is left behind (front_end.h).

#include "kernel-src/log/ring.h"

#include <cstring>
#include <vector>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/log/console.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
#include "targets/log/front_end.h"
#include "targets/sync/support.h"

namespace kiln {
namespace {

using namespace sync;

constexpr const char* kTarget = "log/ring";
sim::Probe wrapped{kTarget, "the ring has gone round"};
sim::Probe reader_lapped{kTarget, "a reader is a whole ring behind"};
sim::Probe not_yet{kTarget, "a reader meets a record that is being written"};
sim::Probe writer_lapped{kTarget, "a writer is interrupted for a whole ring"};
sim::Probe gave_up{kTarget, "a record is given up"};
sim::Probe from_irq{kTarget, "an interrupt writes a record"};
sim::Probe from_soft_irq{kTarget, "a soft IRQ writes a record"};
sim::Probe inside_write{kTarget, "a record is written in the middle of another's writing"};
sim::Probe overtaken{kTarget, "a record is overwritten while it is being read"};
sim::Probe two_slots{kTarget, "the ring has two slots"};
sim::Probe one_behind{kTarget, "a reader is one record more than the ring behind"};

constexpr unsigned kMostTasks = 4;
constexpr unsigned kWriters = 16; ///< tasks, then a writer for each CPU's interrupts and soft IRQs

/// What a record says, so that no part of it can come from another one.
struct Message {
  uint32_t writer;
  uint32_t number; ///< of the writer's records
  uint64_t mixed;  ///< follows from the two
};

uint64_t mix(uint32_t writer, uint32_t number, uint64_t salt) {
  uint64_t value = (uint64_t{writer} << 32 | number) ^ (salt << 56);
  value = (value ^ (value >> 29)) & 0xFFFFFFFFu;
  return value << 24 | (writer ^ number ^ salt);
}

struct World {
  World(sim::Run& run, sim::Tape::View& data)
      : machine(run.machine),
        ring(run.tape.swarm().below(4) == 3 ? static_cast<clay::LogRing&>(two) : four),
        front(run.machine, data) {
    KILN_CHECK(ring.slots() == slots(), "a ring of %llu records says %llu",
               static_cast<unsigned long long>(slots()),
               static_cast<unsigned long long>(ring.slots()));
  }
  uint64_t slots() const { return &ring == &two ? 2 : 4; }

  sim::Machine& machine;
  clay::LogRingOf<4> four;
  clay::LogRingOf<2> two;
  clay::LogRing& ring;             ///< one of the two
  uint32_t written[kWriters] = {}; ///< records begun, by writer
  std::vector<bool> done;          ///< by number: it is whole, or given up
  unsigned writing = 0;            ///< writes under way
  bool lapped = false;             ///< some write took as long as a whole ring
  unsigned irq_burst = 1;
  unsigned soft_burst = 1;
  bool interrupts_log = false; ///< by the front end too
  FrontEnd front;
};

// --- Writing

clay::LogRecord compose(uint32_t writer, uint32_t number) {
  clay::LogRecord record;
  record.level = static_cast<clay::LogLevel>(number % 4);
  record.cpu = static_cast<uint8_t>(writer);
  for (size_t i = 0; i < clay::LogRecord::kMostText / sizeof(uint64_t); ++i) {
    const uint64_t word = mix(writer, number, i);
    memcpy(record.text + i * sizeof word, &word, sizeof word);
  }
  record.time_ns = uint64_t{writer} << 32 | number;
  record.length = clay::LogRecord::kMostText;
  return record;
}

void write_one(World& world, uint32_t writer) {
  if (world.writing++ != 0) {
    inside_write.hit();
  }
  const clay::LogRecord record = compose(writer, ++world.written[writer]);
  const uint64_t number = world.ring.write(record);
  if (world.done.size() <= number) {
    world.done.resize(number + 1);
  }
  world.done[number] = true;
  if (world.ring.next_number() > number + world.slots()) {
    world.lapped = true;
    writer_lapped.hit();
  }
  --world.writing;
  if (number >= world.slots()) wrapped.hit();
}

void run_irq(void* arg) {
  auto& world = *static_cast<World*>(arg);
  from_irq.hit();
  for (unsigned i = 0; i < world.irq_burst; ++i) {
    write_one(world, kMostTasks + hal_cpu_id());
  }
  if (world.interrupts_log) {
    world.front.log(clay::LogLevel::kError, 1);
  }
}

void run_soft_irq(void* arg) {
  auto& world = *static_cast<World*>(arg);
  from_soft_irq.hit();
  for (unsigned i = 0; i < world.soft_burst; ++i) {
    write_one(world, kMostTasks + 4 + hal_cpu_id());
  }
  if (world.interrupts_log) {
    world.front.log(clay::LogLevel::kWarning, 1);
  }
}

// --- Reading

/// A reader and what it may expect.
class Checker {
 public:
  explicit Checker(World& world) : world_(world), reader_(world.ring) {}

  /// Reads at most `most` records.
  void read(unsigned most) {
    for (unsigned i = 0; i < most && read_one(); ++i) {
    }
  }

  /// When nobody writes any more: reads the rest, all of which has to be there.
  void finish() {
    lost_ = 0;
    const uint64_t slots = world_.slots();
    KILN_CHECK(clay::LogReader(world_.ring).position() + slots <= world_.ring.next_number() ||
                   clay::LogReader(world_.ring).position() == 0,
               "a new reader skips the oldest record");
    const uint64_t newest = world_.ring.next_number();
    const uint64_t oldest = newest > slots ? newest - slots : 0;
    const bool behind = reader_.position() < oldest;
    while (read_one()) {
    }
    KILN_CHECK(reader_.position() == newest, "a reader stops at record %llu of %llu",
               static_cast<unsigned long long>(reader_.position()),
               static_cast<unsigned long long>(newest));
    KILN_CHECK(lost_ == 0 || behind || world_.lapped, "%llu records are lost for no reason",
               static_cast<unsigned long long>(lost_));
  }

 private:
  bool read_one() {
    clay::LogRecord record;
    uint64_t lost = UINT64_MAX; // to be set in any case
    const uint64_t before = reader_.position();
    const uint64_t written_before = world_.ring.next_number();
    const std::vector<bool> done = world_.done;
    if (written_before == before + world_.slots() + 1) one_behind.hit();
    const bool got = reader_.next(&record, &lost);
    KILN_CHECK(
        reader_.position() == before + lost + (got ? 1 : 0),
        "a reader went from %llu to %llu with %llu lost", static_cast<unsigned long long>(before),
        static_cast<unsigned long long>(reader_.position()), static_cast<unsigned long long>(lost));
    note_lost(before, written_before, lost);
    if (got) {
      check_record(record);
      return true;
    }
    const uint64_t at = reader_.position();
    KILN_CHECK(at >= done.size() || !done[at],
               "a reader stops before record %llu, which was written before it looked",
               static_cast<unsigned long long>(at));
    if (at < world_.ring.next_number()) not_yet.hit();
    return false;
  }

  void note_lost(uint64_t before, uint64_t written_before, uint64_t lost) {
    lost_ += lost;
    if (lost == 0) {
      return;
    }
    const uint64_t now = world_.ring.next_number();
    const uint64_t slots = world_.slots();
    KILN_CHECK(now > before + slots || world_.lapped || world_.writing != 0,
               "%llu records were lost by a reader that was not behind",
               static_cast<unsigned long long>(lost));
    if (written_before > before + slots) {
      reader_lapped.hit();
    } else if (now > before + slots) {
      overtaken.hit();
    } else {
      gave_up.hit();
    }
  }

  void check_record(const clay::LogRecord& record) {
    const auto writer = static_cast<uint32_t>(record.time_ns >> 32);
    const auto number = static_cast<uint32_t>(record.time_ns);
    KILN_CHECK(writer < kWriters && number != 0 && number <= world_.written[writer],
               "a record was read that nobody has written");
    const clay::LogRecord want = compose(writer, number);
    KILN_CHECK(memcmp(&want, &record, sizeof record) == 0,
               "record %u of writer %u is not what was written", number, writer);
    KILN_CHECK(number > last_[writer], "record %u of writer %u comes after its record %u", number,
               writer, last_[writer]);
    last_[writer] = number;
  }

  World& world_;
  clay::LogReader reader_;
  uint64_t lost_ = 0;
  uint32_t last_[kWriters] = {};
};

// --- Programs

enum class Act : uint8_t { kWrite, kRead, kRaiseIrq, kRaiseSoft, kSleep, kLog, kFlush, kFlood };

struct Step {
  Act act;
  uint8_t count;
  uint8_t cpu;
  uint16_t more_width; ///< of a message
};

struct Program {
  World* world;
  unsigned number;
  std::vector<Step> steps;
};

constexpr uint64_t kSleepUnitNs[] = {50, 50, 3'000, 1'500'000'000};

/// The oldest record of now: what others write before it is read makes the reader fall behind.
void read_anew(World& world, unsigned most) {
  Checker anew(world);
  breathe(most);
  anew.read(most);
}

void do_step(Program& program, Checker& checker, const Step& step) {
  World& world = *program.world;
  switch (step.act) {
  case Act::kWrite:
    for (unsigned i = 0; i < step.count; ++i) {
      write_one(world, program.number);
    }
    return;
  case Act::kRead:
    return step.cpu == 3 ? read_anew(world, step.count) : checker.read(step.count);
  case Act::kRaiseIrq:
    return world.machine.raise_irq(step.cpu % world.machine.cpus(), kDeviceLine);
  case Act::kRaiseSoft:
    return clay::raise_soft_irq(kDeviceSoftIrq);
  case Act::kSleep:
    return clay::sleep_for(step.count * kSleepUnitNs[step.cpu]);
  case Act::kLog:
    return world.front.log(static_cast<clay::LogLevel>(step.cpu),
                           step.count * 12 - step.cpu + step.more_width);
  case Act::kFlush:
    return world.front.flush();
  case Act::kFlood:
    return world.front.flood();
  }
}

void run_program(void* arg) {
  auto& program = *static_cast<Program*>(arg);
  Checker checker(*program.world);
  for (const Step& step : program.steps) {
    do_step(program, checker, step);
  }
}

std::vector<Step> draw_steps(sim::Tape& tape) {
  auto data = tape.data();
  auto widths = tape.world(); // a lane of its own: older tapes keep their meaning
  static constexpr uint16_t kActs[] = {12, 12, 4, 4, 2, 4, 2, 1};
  std::vector<Step> steps(data.between(1, 8));
  for (Step& step : steps) {
    sim::Span span(tape, "step");
    step.act = static_cast<Act>(data.weighted(kActs));
    step.count = static_cast<uint8_t>(data.between(1, 10));
    step.cpu = static_cast<uint8_t>(data.below(4));
    // Now and then one whose length does not fit a byte.
    step.more_width =
        widths.chance(1, 6) ? static_cast<uint16_t>(widths.between(240, 560)) : uint16_t{0};
  }
  return steps;
}

void run_target(sim::Run& sim_run) {
  const Shape shape = draw_shape(sim_run);
  auto data = sim_run.tape.data();
  World world(sim_run, data);
  world.irq_burst = static_cast<unsigned>(data.between(1, 6));
  world.soft_burst = static_cast<unsigned>(data.between(1, 6));
  world.interrupts_log = data.boolean();
  if (world.slots() == 2) two_slots.hit();
  std::vector<Program> programs(data.between(1, kMostTasks));
  Checker whole_run(world);
  for (unsigned i = 0; i < programs.size(); ++i) {
    sim::Span span(sim_run.tape, "task");
    programs[i] = {&world, i, draw_steps(sim_run.tape)};
  }
  {
    Device device(run_irq, run_soft_irq, &world);
    run_tasks<kMostTasks>(shape, "logs", run_program, programs);
  }
  whole_run.finish();
  Checker(world).finish();
  world.front.check(data);
  world.front.check_last_urgent(shape.may_fail);
}

sim::Target target{{
    .name = kTarget,
    .purpose = "The log ring under writers of every context and readers at every pace.",
    .run = run_target,
    .gate_inputs = 10'000,
    .longest_tape = 512,
    .tags = "log",
}};

} // namespace
} // namespace kiln
