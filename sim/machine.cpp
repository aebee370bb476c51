// Machine: what targets and worlds call.

#include "sim/machine.h"

#include <cstdarg>
#include <cstdio>

#include "sim/core.h"
#include "sim/hal.h"
#include "sim/scheduler.h"

namespace kiln::sim {

namespace {

constinit Machine the_machine;

constexpr unsigned kNotes = 256;
constexpr unsigned kNoteBytes = 49;
char notes[kNotes][kNoteBytes];
unsigned notes_made;

} // namespace

Machine& machine() { return the_machine; }

void Machine::set_cpus(unsigned count) {
  unsigned before = core.cpu_count;
  core.cpu_count = static_cast<uint8_t>(count == 0 ? 1 : count > kMaxCpus ? kMaxCpus : count);
  for (unsigned cpu = before; cpu < core.cpu_count; ++cpu) {
    prepare_idle_actor(cpu);
  }
}
unsigned Machine::cpus() const { return core.cpu_count; }

void Machine::allow_irq(unsigned cpu, unsigned line) {
  core.cpus[cpu % kMaxCpus].allowed |= uint32_t{1} << (line % kIrqLines);
}

void Machine::allow_spurious_wakes(bool on) { core.spurious_wakes = on; }

void Machine::fail_allocation(uint64_t k) {
  core.fail_at = k > kNever - core.arena.allocations ? kNever : core.arena.allocations + k;
}
uint64_t Machine::allocations() const { return core.arena.allocations; }

void Machine::set_rule(Rule rule, bool on) {
  uint64_t bit = uint64_t{1} << static_cast<unsigned>(rule);
  core.rules_off = on ? core.rules_off & ~bit : core.rules_off | bit;
  lock_order.set_rule(rule, on); // so that it judges on behind a rule that is off
}

uint64_t Machine::now() const { return core.clock; }
uint64_t Machine::idle_until() const { return core.idle_until; }
uint64_t Machine::points() const { return core.point; }

void Machine::raise_irq(unsigned cpu, unsigned line) { raise_line(cpu, line); }

void Machine::at(uint64_t when, void (*event)(void*), void* arg) {
  if (core.world_events == kMaxWorldEvents) {
    fail(Rule::kPanic, "more than %u world events are planned at once", kMaxWorldEvents);
  }
  world_events[core.world_events++] = WorldEvent{when, core.world_numbers++, event, arg};
  core.next_deadline = when < core.next_deadline ? when : core.next_deadline;
}

void Machine::hear_console(void (*hear)(const char*, size_t, void*), void* arg) {
  core.hear_console = hear;
  core.hear_console_arg = arg;
}

void Machine::digest(uint64_t value) { mix(value); }

void Machine::got_further() { made_progress(); }

void Machine::note(const char* format, ...) {
  char* text = notes[notes_made++ % kNotes];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, kNoteBytes, format, arguments);
  va_end(arguments);
  trace(TraceKind::kNote, 0, 0, 0, text);
}

namespace hal {

void console_write(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    mix(static_cast<unsigned char>(bytes[i]));
  }
  trace(TraceKind::kConsole, 0, size);
  if (core.hear_console != nullptr) {
    core.hear_console(bytes, size, core.hear_console_arg);
  }
}

void panic(const char* reason) {
  fail_at(Rule::kPanic, nullptr, 0, 0, "the kernel panics: %s", reason);
}

} // namespace hal

} // namespace kiln::sim
