#pragma once
// Which inputs of a target visit which site, as the program without a mutant runs them. A mutant
// behaves differently for these inputs only: all others need not be run.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gates/worker/jobs.h"
#include "sim/mutants.h"

namespace kiln::gates {

/// Inputs, one bit each.
using InputSet = std::vector<uint64_t>;
uint64_t count_of(const InputSet& inputs);

/// What was seen of the first inputs of a target.
struct Recording {
  uint64_t inputs = 0;                             ///< [0, inputs) were run
  std::unordered_map<uint32_t, InputSet> reaching; ///< by site
  std::vector<uint32_t> boot_sites;                ///< sorted
  int64_t boot_fuel = 0;                           ///< loop iterations of the boot
  std::vector<HungryInput> hungriest;              ///< each takes more than all before it
  uint64_t generation = 0;                         ///< of the booted machine
  std::vector<OriginalFinding> findings;           ///< by iteration
  std::vector<RecordedFact> facts;                 ///< about lock order; sorted by names
  std::vector<sim::LockEdge> boot_edges;           ///< what the boot knows of it

  /// The inputs that reach it; empty when there are none.
  const InputSet& reaching_inputs(uint32_t site) const;
  /// Joins a part: inputs begin + i.
  void add(uint64_t begin, const RecordDone& part);
  /// Leaves what a recording of the first `count` inputs would hold; no more than it has.
  void cut(uint64_t count);
  /// Loop iterations that an input may take with a mutant: what takes longer does not end.
  int64_t loop_fuel() const;
  /// Keys of the original's findings, sorted, each once.
  std::vector<uint64_t> known_keys() const;
};

/// The sites that a mutant switches.
std::vector<uint32_t> sites_of(const sim::Mutant& mutant);

/// The set's inputs in [from, to) as ranges, at most `most` of them; *next: where to go on.
std::vector<InputRange> ranges_of(const InputSet& inputs, uint64_t from, uint64_t to, uint64_t most,
                                  uint64_t* next);

/// Recordings as files: `identity` is of the program and of what was run; its beginning will do for
/// reading. They hold addresses of the program's static texts: it is linked to fixed places, and no
/// other program's file is read. A file that is damaged counts as absent.
bool read_recording(const std::string& path, const std::string& identity, Recording* recording);
bool write_recording(const std::string& path, const std::string& identity,
                     const Recording& recording, std::string* error);

} // namespace kiln::gates
