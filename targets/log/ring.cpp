// Writers of every context and readers at every pace over one small log ring, and the log's own
// front end beside it.
//
// Checks: a reader gets every record whole (each record's text follows from its writer and number),
// in order and each writer's in the order of writing; what it did not get is counted, exactly;
// nothing is lost without a reason (a reader a whole ring behind, or a writer interrupted for that
// long); and at the end the newest records are there. On the console each message that is urgent
// enough stands once, those that were lost are told of, and once the machine is idle nothing is
// left behind. Does not check times, but that those of one CPU run in the order of their records.

#include "kernel-src/log/ring.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/log/console.h"
#include "kernel-src/log/log.h"
#include "kernel-src/task/sleep.h"
#include "sim/probe.h"
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
sim::Probe front_end{kTarget, "a message goes through the front end"};
sim::Probe cut{kTarget, "a message is cut"};
sim::Probe console_lost{kTarget, "the console tells of lost records"};
sim::Probe line_cut{kTarget, "a line is cut to its buffer"};

constexpr unsigned kMostTasks = 4;
constexpr uint64_t kSlots = 4;
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
  explicit World(sim::Machine& m) : machine(m) {}
  sim::Machine& machine;
  clay::LogRingOf<kSlots> ring;
  uint32_t written[kWriters] = {}; ///< records begun, by writer
  unsigned writing = 0;            ///< writes under way
  bool lapped = false;             ///< some write took as long as a whole ring
  unsigned irq_burst = 1;
  unsigned soft_burst = 1;
  uint64_t front_first = clay::log_ring.next_number(); ///< of the front end's own ring
  uint64_t front_logged = 0;                           ///< messages that it has to keep
  bool all_urgent = false;                             ///< each of them is for the console
  uint64_t urgent = 0;                                 ///< messages for the console
  uint64_t lines = 0;                                  ///< on the console, one a message
  uint64_t told_lost = 0;                              ///< by the console
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
  if (world.ring.next_number() > number + kSlots) {
    world.lapped = true;
    writer_lapped.hit();
  }
  --world.writing;
  if (number >= kSlots) {
    wrapped.hit();
  }
}

void run_irq(void* arg) {
  auto& world = *static_cast<World*>(arg);
  from_irq.hit();
  for (unsigned i = 0; i < world.irq_burst; ++i) {
    write_one(world, kMostTasks + hal_cpu_id());
  }
}

void run_soft_irq(void* arg) {
  auto& world = *static_cast<World*>(arg);
  from_soft_irq.hit();
  for (unsigned i = 0; i < world.soft_burst; ++i) {
    write_one(world, kMostTasks + 4 + hal_cpu_id());
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
    KILN_CHECK(clay::LogReader(world_.ring).position() + kSlots <= world_.ring.next_number() ||
                   clay::LogReader(world_.ring).position() == 0,
               "a new reader skips the oldest record");
    const uint64_t newest = world_.ring.next_number();
    const uint64_t oldest = newest > kSlots ? newest - kSlots : 0;
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
    uint64_t lost = 0;
    const uint64_t before = reader_.position();
    const uint64_t written_before = world_.ring.next_number();
    const bool got = reader_.next(&record, &lost);
    KILN_CHECK(
        reader_.position() == before + lost + (got ? 1 : 0),
        "a reader went from %llu to %llu with %llu lost", static_cast<unsigned long long>(before),
        static_cast<unsigned long long>(reader_.position()), static_cast<unsigned long long>(lost));
    note_lost(before, written_before, lost);
    if (got) {
      check_record(record);
    } else if (reader_.position() < world_.ring.next_number()) {
      not_yet.hit();
    }
    return got;
  }

  void note_lost(uint64_t before, uint64_t written_before, uint64_t lost) {
    lost_ += lost;
    if (lost == 0) {
      return;
    }
    const uint64_t now = world_.ring.next_number();
    KILN_CHECK(now > before + kSlots || world_.lapped || world_.writing != 0,
               "%llu records were lost by a reader that was not behind",
               static_cast<unsigned long long>(lost));
    if (written_before > before + kSlots) {
      reader_lapped.hit();
    } else if (now > before + kSlots) {
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
};

struct Program {
  World* world;
  unsigned number;
  std::vector<Step> steps;
};

void note_logged(World& world, clay::LogLevel level) {
  const auto least = world.all_urgent ? clay::LogLevel::kInfo : clay::LogLevel::kWarning;
  world.front_logged += level <= clay::LogLevel::kInfo ? 1 : 0;
  world.urgent += level <= least ? 1 : 0;
}

/// More at a time than the log holds: with interrupts off nothing is brought out meanwhile.
void flood_log(World& world) {
  const bool were_on = hal_irq_save();
  for (unsigned i = 0; i < 80; ++i) {
    note_logged(world, clay::LogLevel::kInfo);
    clay::log_info("flood %u", i);
  }
  hal_irq_restore(were_on);
}

void write_log(World& world, const Step& step) {
  const auto level = static_cast<clay::LogLevel>(step.cpu % 4);
  note_logged(world, level);
  clay::log(level, "task %u says %*d", unsigned{step.count}, step.count * 12, 7);
  front_end.hit();
  if (step.count * 12u > clay::LogRecord::kMostText) {
    cut.hit();
  }
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
    return checker.read(step.count);
  case Act::kRaiseIrq:
    return world.machine.raise_irq(step.cpu % world.machine.cpus(), kDeviceLine);
  case Act::kRaiseSoft:
    return clay::raise_soft_irq(kDeviceSoftIrq);
  case Act::kSleep:
    return clay::sleep_for(step.count * 50u);
  case Act::kLog:
    return write_log(world, step);
  case Act::kFlush:
    return clay::flush_console();
  case Act::kFlood:
    return flood_log(world);
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
  static constexpr uint16_t kActs[] = {12, 12, 4, 4, 2, 4, 2, 1};
  std::vector<Step> steps(data.between(1, 8));
  for (Step& step : steps) {
    sim::Span span(tape, "step");
    step.act = static_cast<Act>(data.weighted(kActs));
    step.count = static_cast<uint8_t>(data.between(1, 10));
    step.cpu = static_cast<uint8_t>(data.below(4));
  }
  return steps;
}

/// A line at a time: a message, or how many were lost.
void hear_console(const char* text, size_t size, void* arg) {
  auto& world = *static_cast<World*>(arg);
  KILN_CHECK(size > 1 && text[size - 1] == '\n' && memchr(text, '\n', size - 1) == nullptr,
             "the console is given %zu characters that are no line", size);
  if (text[0] == '(') {
    console_lost.hit();
    world.told_lost += strtoull(text + 1, nullptr, 10);
  } else {
    ++world.lines;
  }
}

/// Whether each message for the console stands there, or is told of as lost.
void check_lines(const World& world, const char* when) {
  const auto lines = static_cast<unsigned long long>(world.lines);
  const auto lost = static_cast<unsigned long long>(world.told_lost);
  const auto urgent = static_cast<unsigned long long>(world.urgent);
  if (world.all_urgent || lost == 0) {
    KILN_CHECK(lines + lost == urgent,
               "%s the console has %llu messages and tells of %llu lost, not of %llu", when, lines,
               lost, urgent);
  }
}

void check_line(sim::Tape::View& data, const clay::LogRecord& record) {
  char whole[160];
  char line[160];
  const size_t length = clay::format_record(record, whole, sizeof whole);
  KILN_CHECK(length > 0 && length < sizeof whole && whole[length - 1] == '\n',
             "a log line does not end with a newline");
  const auto size = static_cast<size_t>(sizeof line - data.below(sizeof line));
  const size_t kept = clay::format_record(record, line, size);
  const size_t want = length < size ? length : size - 1;
  if (want != length) line_cut.hit();
  KILN_CHECK(kept == want && memcmp(line, whole, want) == 0,
             "of a log line %zu characters are kept in %zu, not %zu", kept, size, want);
}

/// The log's own ring: everything that was logged is on its way to the console.
void check_console(const World& world, sim::Tape::View& data) {
  if (world.all_urgent) {
    const uint64_t ended_ns = world.machine.now();
    clay::sleep_for(1'000'000);
    if (world.machine.idle_until() > ended_ns) { // an idle machine has brought everything out
      check_lines(world, "when all is idle");
    }
  }
  KILN_CHECK(clay::log_ring.next_number() == world.front_first + world.front_logged,
             "the log kept %llu messages, not %llu",
             static_cast<unsigned long long>(clay::log_ring.next_number() - world.front_first),
             static_cast<unsigned long long>(world.front_logged));
  clay::flush_console();
  check_lines(world, "at the end");
  clay::LogReader reader(clay::log_ring);
  clay::LogRecord record;
  uint64_t lost = 0;
  uint64_t last_ns[sim::kMaxCpus] = {};
  while (reader.next(&record, &lost)) {
    KILN_CHECK(record.time_ns >= last_ns[record.cpu % sim::kMaxCpus],
               "a record is older than the one before it on CPU %u", unsigned{record.cpu});
    last_ns[record.cpu % sim::kMaxCpus] = record.time_ns;
    check_line(data, record);
    KILN_CHECK(record.length <= clay::LogRecord::kMostText, "a record is too long");
  }
}

void run_target(sim::Run& sim_run) {
  const Shape shape = draw_shape(sim_run);
  auto data = sim_run.tape.data();
  World world(sim_run.machine);
  world.irq_burst = static_cast<unsigned>(data.between(1, 6));
  world.soft_burst = static_cast<unsigned>(data.between(1, 6));
  world.all_urgent = data.boolean();
  clay::set_console_level(world.all_urgent ? clay::LogLevel::kInfo : clay::LogLevel::kWarning);
  world.machine.hear_console(hear_console, &world);
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
  check_console(world, data);
  world.machine.hear_console(nullptr, nullptr);
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
