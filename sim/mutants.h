#pragma once
// Mutants: the kernel broken on purpose in one place, all of them in one program, switched on one
// at a time. Only the `mutants` flavour has any; its table is written by kiln-mutator
// (docs/mutation.md). What is armed, and what was seen, lies outside of the machine: a reset does
// not touch it.
//
// For the process that runs inputs; one thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::sim {

enum class MutantKind : uint8_t {
  kKernel,  ///< the subject's code
  kHarness, ///< a target's, world's or generator's: an oracle or a choice switched off
  kNamed,   ///< an entry of the catalogue, gates/mutants
};

/// One mutant. Its number is its index in the table. All texts are static.
struct Mutant {
  uint8_t* at;     ///< its site's byte
  uint8_t variant; ///< 1..254
  MutantKind kind;
  bool compares;   ///< visits whose value differs from the original's are counted
  bool judged;     ///< false: made and counted, but nothing here can see it (memory orders)
  uint32_t line;   ///< of the original, from 1
  uint32_t column; ///< from 1
  uint32_t end_line;
  uint32_t end_column;  ///< one past the last character
  const char* path;     ///< from the top of the checkout
  const char* function; ///< qualified name
  const char* oper;     ///< "drop-check"
  const char* original; ///< source text, white space folded, at most 200 characters
  const char* replacement;
  /// Further sites that are switched with it: of a patch that changes several functions.
  std::span<uint8_t* const> also;
};

/// A place that an operator wanted and that could not be switched.
struct UnmadeMutant {
  uint32_t line;
  uint32_t column;
  const char* path;
  const char* oper;
  const char* original;
  const char* reason;
};

/// What the catalogue says about the mutant `number`.
struct NamedMutant {
  uint32_t number;
  const char* name;   ///< "b01-end-node-underflow"
  const char* kind;   ///< "B1"
  const char* target; ///< must find it
  uint64_t within;    ///< inputs
  const char* was;    ///< one or two sentences
};

struct MutantTable {
  std::span<const Mutant> mutants;
  std::span<const UnmadeMutant> unmade;
  std::span<const NamedMutant> named;
};

/// Empty in a program without mutants.
const MutantTable& mutant_table();

inline constexpr uint8_t kSiteRecords = 255;

/// The sites' bytes, one after another, those that belong to no site among them. A site's index is
/// its byte's distance from the beginning.
std::span<uint8_t> mutant_sites();
inline size_t site_index(const Mutant& mutant) {
  return static_cast<size_t>(mutant.at - mutant_sites().data());
}

/// Switches a mutant on, beside those that are.
void arm_mutant(const Mutant& mutant);

struct MutantSeen {
  uint64_t visits = 0;  ///< of armed sites, by this process
  uint64_t differs = 0; ///< visits at which the variant's value was not the original's
};
MutantSeen mutant_seen();

/// From now on every site of the table tells when it is first visited.
void record_sites();
/// The sites visited since the last call (or record_sites), each once, in the order of their first
/// visit; they will tell again.
std::vector<uint32_t> take_visited_sites();

/// Iterations of the subject's loops that an input may take before it counts as a hang: a bound
/// that does not depend on the host's speed. INT64_MAX unless said.
void set_loop_fuel(int64_t iterations);
/// Called at the start of every input.
void begin_loop_fuel();
/// Loop iterations that the input has taken so far.
int64_t loop_fuel_used();

} // namespace kiln::sim
