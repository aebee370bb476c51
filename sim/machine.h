#pragma once
// The machine as targets, worlds and the HAL see it: a deterministic computer with CPUs, tasks on
// fibers, interrupts, a virtual clock and memory. There is one, at a fixed address; everything
// about it goes back to the booted state between inputs.
//
// Targets call it from the first task's body or from code that it started; the functions below that
// are marked [any context] may also be called from interrupt handlers and world events.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/rules.h"

namespace kiln::sim {

inline constexpr unsigned kMaxCpus = 8;
inline constexpr unsigned kIrqLines = 32;

class Machine {
 public:
  // --- Shape; call before the first task is started

  /// CPUs that take part in this run, 1..kMaxCpus; 1 unless said. They come with interrupts on.
  void set_cpus(unsigned count);
  unsigned cpus() const;

  /// `line` of `cpu` may be raised by the sched lane at any scheduling point, as a device would.
  void allow_irq(unsigned cpu, unsigned line);
  /// hal_park may return for no reason when the sched lane says so.
  void allow_spurious_wakes(bool on);
  /// The k-th allocation from now on fails (0 = the next), and only that; UINT64_MAX disarms.
  void fail_allocation(uint64_t k);
  /// Allocations made so far, those of boot included.
  uint64_t allocations() const;
  /// Switches a rule off (or on again) for this run: the kernel's policy.
  void set_rule(Rule rule, bool on);

  // --- While it runs

  /// Virtual time without the cost of a read. [any context]
  uint64_t now() const;
  /// Where the clock stood after the last jump that it made because nobody could run (0: none yet).
  /// Whoever had a deadline before that time, and has not gone on, was forgotten: the oracle for
  /// "not late". [any context]
  uint64_t idle_until() const;
  /// Scheduling points that have gone by in this run: a measure of the work done, for oracles of
  /// what must be bounded. [any context]
  uint64_t points() const;
  /// Raises a line, as a device would. [any context]
  void raise_irq(unsigned cpu, unsigned line);
  /// Calls event(arg) once the clock has reached `when`, on no CPU and outside the kernel: it may
  /// change worlds and raise lines, and must not call the kernel. [any context]
  void at(uint64_t when, void (*event)(void*), void* arg);
  /// Calls hear(text, size, arg) with all that the kernel writes to the console from now on in this
  /// run, in the context of whoever writes; null: nobody listens.
  void hear_console(void (*hear)(const char* text, size_t size, void* arg), void* arg);
  /// Mixes a value into the run's digest. No address, no host fact. [any context]
  void digest(uint64_t value);
  /// These bytes are what the kernel is handed in this run: the file that `feed` would take. Call
  /// it once, before the kernel sees them; it does not return when they are all that is wanted.
  void artefact(std::span<const uint8_t> bytes);
  /// A line in the trace (cut at 48 characters). [any context]
  void note(const char* format, ...) __attribute__((format(printf, 2, 3)));

  /// The target's own loop has come a step nearer to an end that it is sure of (a state judged of
  /// those there are): the count of points without progress starts anew. Never for what the kernel
  /// does. [task]
  void got_further();

  /// Ends the run with a finding. Does not return. [any context]
  [[noreturn]] void fail(Rule rule, const char* format, ...) __attribute__((format(printf, 3, 4)));
};

/// The machine. Its address is a constant.
Machine& machine();

/// A target's own check: names the broken expectation in a sentence.
///   KILN_CHECK(got == want, "the ring gave %u, the model %u", got, want);
#define KILN_CHECK(condition, ...)                                                                 \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      ::kiln::sim::machine().fail(::kiln::sim::Rule::kOracle, __VA_ARGS__);                        \
    }                                                                                              \
  } while (false)

} // namespace kiln::sim
