#pragma once
// The registry of targets. A target is one file:
//
//   static void run(sim::Run& run) { ... draws from run.tape, drives the kernel, checks ... }
//   static sim::Target target{{
//       .name = "lib/ring",
//       .purpose = "A ring against std::deque.",
//       .run = run,
//       .gate_inputs = 50'000,
//   }};
//
// `run` is the body of the machine's first task, on CPU 0, after boot. When it returns, everything
// that the run made must be gone.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/rules.h"
#include "sim/tape.h"

namespace kiln::sim {

class Machine;

/// What a target's function is handed.
struct Run {
  Tape& tape;
  Machine& machine;
};

/// A real artefact given to a target in place of a tape (`feed`).
struct Feed {
  Machine& machine;
  std::string_view name;          ///< the file's name, for messages
  std::span<const uint8_t> bytes; ///< its contents
  std::string& out;               ///< what the kernel made of it, in words
};

struct TargetInfo {
  const char* name;    ///< "area/name", lower case
  const char* purpose; ///< one sentence
  void (*run)(Run&) = nullptr;
  /// Takes a file; oracles report findings as in a run. Null: this target takes none.
  void (*feed)(Feed&) = nullptr;
  const char* feed_takes = nullptr; ///< "a .dtb file"; with `feed`
  /// A program whose verdict on the same file `feed` shows beside the target's own, with its
  /// options
  /// ("e2fsck -fn"); the file's name comes behind them. Null: none.
  const char* feed_judge = nullptr;
  uint64_t gate_inputs = 10'000;
  uint64_t quick_inputs = 0;   ///< 0: a tenth of the gate's
  uint64_t nightly_inputs = 0; ///< 0: ten times the gate's
  size_t longest_tape = 4096;  ///< bytes
  const char* tags = "";       ///< comma-separated
  /// Inputs are numbers: input i of a gate is i (SeededInput::numbered). For a finite space, whose
  /// size gate_inputs then is, or the part of it that a gate has time for.
  bool numbered = false;
  /// canary/* only: the rule that it must break.
  bool must_fail = false;
  Rule must_break = Rule::kOracle;
  /// Targets lie in the booted machine: no byte of them may be left to chance.
  uint8_t padding[5] = {};
};
static_assert(std::has_unique_object_representations_v<TargetInfo>);

class Target {
 public:
  /// The info's texts must be static.
  explicit Target(const TargetInfo& info);
  const TargetInfo& info() const { return info_; }
  const Target* next() const { return next_; }
  static const Target* first();
  /// Null when there is none of that name.
  static const Target* find(std::string_view name);
  /// All targets, sorted by name.
  static std::vector<const Target*> all();

 private:
  TargetInfo info_;
  const Target* next_;
};

} // namespace kiln::sim
