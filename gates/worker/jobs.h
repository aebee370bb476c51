#pragma once
// What the supervisor asks of a worker, and what it answers. jobs.cpp lists the fields of each that
// go over the pipe; messages are framed by Channel.

#include <cstdint>
#include <string>
#include <vector>

#include "gates/finding/found.h"
#include "gates/finding/lock_graph.h"
#include "gates/worker/fences.h"
#include "gates/worker/packing.h"
#include "sim/engine.h"

namespace kiln::gates {

enum class MessageKind : uint32_t {
  kRangeJob,
  kSingleJob,
  kRecordJob,
  kTryJob,
  kBooted,
  kRangeDone,
  kSingleDone,
  kRecordDone,
  kTryDone,
};

/// Inputs [begin, end) of a seed.
struct RangeJob {
  const sim::Target* target = nullptr;
  uint64_t seed = 1;
  uint64_t begin = 0;
  uint64_t end = 0;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  bool keep_going = false;        ///< else stop after the first finding that is not in `silenced`
  std::vector<uint64_t> silenced; ///< finding keys, sorted
};

/// The first input of the range that ended in the finding `key`.
struct RangeFinding {
  uint64_t key; ///< finding_key()
  uint64_t iteration;
  uint64_t digest;
  uint64_t seen; ///< inputs of the range that ended in it
  sim::Finding finding;
};

/// How far it got and what came of it is in the worker's slot, where it survives the worker.
struct RangeDone {
  uint64_t reached = 0; ///< inputs [begin, reached) were run
};

/// One input, looked at closely.
struct SingleJob {
  const sim::Target* target = nullptr;
  Origin origin = Origin::kSeed;
  uint64_t seed = 1;
  uint64_t iteration = 0;
  std::vector<uint8_t> bytes; ///< the tape, or the artefact
  std::string name;           ///< the artefact's
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  bool judge = true;     ///< also with another fill, and a second time
  bool details = false;  ///< stacks of all tasks, and what the target has to show
  bool record = false;   ///< the tape and its spans
  bool trace = false;    ///< every event
  bool artefact = false; ///< only what the target would be fed with; the run ends there
  uint32_t tail = 0;     ///< lines of the trace's tail
};

struct SingleDone {
  bool found = false;
  sim::Finding finding{};
  uint64_t digest = 0;
  uint64_t points = 0;
  uint64_t switches = 0;
  uint64_t clock_ns = 0;
  uint64_t allocations = 0;
  std::vector<uint8_t> tape;
  sim::TapeRecord spans;
  std::vector<sim::LockEdge> lock_edges; ///< learned in the run
  std::vector<std::string> trace_tail;
  TraceLog trace;
  std::string words; ///< what the kernel made of an artefact
  bool has_artefact = false;
  std::vector<uint8_t> artefact;
  sim::Exhibits exhibits;
};

/// Inputs [begin, end) of a seed, without a mutant: which places for mutants does each visit? For a
/// worker that booted with BootPlan::record.
struct RecordJob {
  const sim::Target* target = nullptr;
  uint64_t seed = 1;
  uint64_t begin = 0;
  uint64_t end = 0;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
};

/// A site, and the inputs that visit it: bit i is input begin + i.
struct VisitedSite {
  uint32_t site;
  std::vector<uint64_t> inputs;
};

/// A finding of the program without a mutant.
struct OriginalFinding {
  uint64_t iteration;
  uint64_t key; ///< finding_key()
};

/// An input, and the loop iterations that it takes.
struct HungryInput {
  uint64_t iteration;
  int64_t fuel;
};

/// A fact about lock order, and the inputs that gave it.
struct RecordedFact {
  sim::LockEdge edge;
  std::vector<uint64_t> inputs; ///< bit i: input begin + i
};

/// A fact that a run with a mutant gave, in a part of its job.
struct TriedFact {
  uint32_t part;
  GivenFact given;
};

struct RecordDone {
  std::vector<VisitedSite> sites;
  std::vector<uint32_t> boot_sites;
  int64_t boot_fuel = 0;              ///< loop iterations of the boot
  std::vector<HungryInput> hungriest; ///< each takes more than all before it in the range
  std::vector<OriginalFinding> findings;
  std::vector<RecordedFact> facts;
};

struct InputRange {
  uint64_t begin;
  uint64_t end;
};

/// Inputs of one target.
struct TryPart {
  const sim::Target* target = nullptr;
  std::vector<InputRange> inputs; ///< ascending, disjoint
  int64_t loop_fuel = 0;          ///< of one input
};

/// Mutants, armed together, against inputs, until the first finding; in a process forked from the
/// booted machine.
struct TryJob {
  std::vector<uint32_t> mutants; ///< armed here; those that the worker booted with stay
  uint64_t seed = 1;
  sim::StrategyKind strategy = sim::StrategyKind::kPortfolio;
  uint32_t cpu_seconds = 5;       ///< that one input may take
  uint64_t rules_off = 0;         ///< bit: sim::Rule; findings of these count for nothing
  std::vector<uint64_t> original; ///< keys of findings that the original has too, sorted
  std::vector<TryPart> parts;     ///< in this order
};

struct TryDone {
  bool failed = false; ///< killed from outside, again and again; nothing else counts
  bool found = false;
  uint32_t part = 0; ///< in which it was found
  uint64_t iteration = 0;
  uint64_t digest = 0;
  uint64_t visits = 0; ///< by these inputs
  uint64_t differs = 0;
  bool died = false;         ///< the finding ended the process
  std::vector<uint8_t> tape; ///< makes the run again; empty when the process could not tell
  sim::Finding finding{};
  std::string words;            ///< what the process printed when it died
  std::vector<TriedFact> facts; ///< about lock order; by part and iteration
};

struct Booted {
  bool ok = false;
  std::string error;
  sim::Finding finding{}; ///< when the kernel did not come up
  uint64_t generation = 0;
  std::vector<Fence> fences;
  std::vector<sim::LockEdge> lock_edges; ///< known since boot
  uint64_t visits = 0;                   ///< of mutants that it booted with
  uint64_t differs = 0;
};

void pack(Packer& to, const RangeJob& job);
void pack(Packer& to, const SingleJob& job);
void pack(Packer& to, const RangeDone& done);
void pack(Packer& to, const SingleDone& done);
void pack(Packer& to, const RecordJob& job);
void pack(Packer& to, const TryJob& job);
void pack(Packer& to, const RecordDone& done);
void pack(Packer& to, const TryDone& done);
void pack(Packer& to, const Booted& booted);
// False when the message is not whole.
bool unpack(const std::vector<uint8_t>& from, RangeJob* job);
bool unpack(const std::vector<uint8_t>& from, SingleJob* job);
bool unpack(const std::vector<uint8_t>& from, RangeDone* done);
bool unpack(const std::vector<uint8_t>& from, SingleDone* done);
bool unpack(const std::vector<uint8_t>& from, RecordJob* job);
bool unpack(const std::vector<uint8_t>& from, TryJob* job);
bool unpack(const std::vector<uint8_t>& from, RecordDone* done);
bool unpack(const std::vector<uint8_t>& from, TryDone* done);
bool unpack(const std::vector<uint8_t>& from, Booted* booted);

} // namespace kiln::gates
