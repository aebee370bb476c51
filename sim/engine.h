#pragma once
// Running inputs: what the runner calls. One machine a process, one OS thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/exhibit.h"
#include "sim/finding.h"
#include "sim/lock_facts.h"
#include "sim/strategy.h"
#include "sim/tape.h"
#include "sim/target.h"
#include "sim/trace.h"

namespace kiln::sim {

/// A fact about lock order or interrupt use, by the classes' names; for joining over inputs.
struct LockEdge {
  const char* from;
  const char* to; ///< the same as `from` for a fact about one class
  LockFact fact;
  uint64_t held_site;
  uint64_t taken_site;
};

/// What the machine calls in the kernel under test; hal-host registers it before main.
struct Kernel {
  const char* name;
  void (*boot)();
  void (*interrupt)(unsigned line);
  /// Folders from the top of the checkout, each with its '/', separated by spaces. A finding's
  /// place is never in `harness` (the HAL and what calls it), and for rules about waiting and locks
  /// not in `waiting` (the kernel's own ways to do that) either: it is their caller.
  const char* harness = "";
  const char* waiting = "";
};
void set_kernel(const Kernel& kernel);
const Kernel& kernel();

struct ExecuteOptions {
  StrategyKind strategy = StrategyKind::kPortfolio; ///< for seeded tapes
  uint8_t fill = 0xA5;                              ///< what fresh kernel memory holds
  uint64_t rules_off = 0;                           ///< bit: Rule; switched off from the start
  bool details = false;        ///< stacks at every lock site and of all tasks; same digest, slower
  bool record = false;         ///< fill Outcome::tape
  TapeRecord* spans = nullptr; ///< spans and draws
  /// Gets the artefact of a target that names one (Machine::artefact), and ends the run there.
  std::optional<HostVector<uint8_t>>* artefact = nullptr;
  Exhibits* exhibits = nullptr; ///< gets what the target shows, if there is a finding
};

struct Outcome {
  bool found = false;
  Finding finding; ///< when found; else not set
  uint64_t digest = 0;
  uint64_t points = 0; ///< scheduling points
  uint64_t switches = 0;
  uint64_t clock_ns = 0; ///< virtual time at the end
  uint64_t allocations = 0;
  std::vector<uint8_t> tape;   ///< with record: flat bytes that make this run again
  std::vector<LockEdge> edges; ///< lock facts that this run learned and boot did not know
};

/// Maps the machine's memory, brings the kernel up and takes the snapshot. Once per process, before
/// execute. False with a sentence in *error when the memory cannot be had, or the kernel does not
/// come up: then with the reason in *finding.
bool boot(std::string* error, Finding* finding = nullptr);

/// Runs one input from the booted state, and puts the machine back there.
Outcome execute(const Target& target, Tape& tape, const ExecuteOptions& options);
/// The same for an artefact; `out` gets the target's words.
Outcome execute_feed(const Target& target, std::string_view name, std::span<const uint8_t> bytes,
                     std::string& out, const ExecuteOptions& options);

/// The lock facts that hold since boot, and so at the beginning of every run.
std::vector<LockEdge> booted_lock_edges();

/// The tail of the last run's trace, oldest first; valid until the next execute.
std::vector<TraceEvent> trace_tail(size_t most);

/// Hash of everything that a reset restores. Equal before and after any number of inputs.
uint64_t machine_hash();
/// Hash of the booted machine: the "generation" in a bundle.
uint64_t machine_generation();

/// Called by a signal handler of the worker, on its alternate stack: turns a processor fault or a
/// time-out into a finding and leaves the run. Returns only when no run is under way.
/// fault_address: what was accessed (siginfo's si_addr of a SIGSEGV), 0 for none; an access to a
/// stack's guard page becomes rule stack-overflow, a sanitizer's trap rule undefined.
void fault_in_run(Rule rule, const char* headline, uint64_t pc, uint64_t frame_pointer,
                  uint64_t fault_address = 0);

/// From here on a reset leaves alone what nobody has written since boot. Only for a process whose
/// handler of SIGSEGV calls first_write.
void watch_first_writes();
/// Called by the handler first, with siginfo's si_addr: true when this was a page's first write,
/// which can now be done again. Usable in a signal handler.
bool first_write(uint64_t address);

/// Gets every event of the runs that follow (`--trace`); null: none.
void set_trace_sink(void (*sink)(const TraceEvent&));
/// Name of the task with this number in the last run; static text.
const char* task_name(unsigned task);

} // namespace kiln::sim
