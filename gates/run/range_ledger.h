#pragma once
// Which inputs of a target are handed out, run, and counted: the book that makes a gate's result
// independent of the number of workers and of who was faster.
//
// Inputs are handed out in ascending chunks. What a worker did comes back as a part, a run of
// inputs from the chunk's beginning; what it left of the chunk is handed out again. Parts count
// once every input below them is done (the frontier). When an input stops the target, everything
// above it is dropped, done or not: the lowest stopping input wins, whoever found one first.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gates/finding/lock_graph.h"
#include "gates/worker/jobs.h"

namespace kiln::gates {

struct Chunk {
  uint64_t begin;
  uint64_t end;
};

struct ProbeHits {
  uint64_t hits = 0;
  uint64_t first = 0; ///< the lowest iteration that hit it, when hits is not 0
  bool operator==(const ProbeHits&) const = default;
};

/// What was done: inputs [begin, end), end not before begin.
struct Part {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t fold = 0;                  ///< DigestFold
  std::vector<RangeFinding> findings; ///< one a key, with its lowest iteration
  std::vector<ProbeHits> probes;      ///< by Probe::index
  std::vector<GivenFact> facts;       ///< about lock order, by iteration
};

/// Sums over the parts that count.
struct RangeTotals {
  uint64_t inputs = 0;
  uint64_t fold = 0;
  std::vector<ProbeHits> probes;
  std::map<uint64_t, uint64_t> seen; ///< finding key -> inputs that ended in it
};

class RangeLedger {
 public:
  /// Inputs [begin, end); end may be UINT64_MAX.
  RangeLedger(uint64_t begin, uint64_t end) : next_(begin), frontier_(begin), limit_(end) {}

  /// The next inputs to run, at most `size` (> 0); nothing when all are handed out.
  std::optional<Chunk> take(uint64_t size);
  /// What came of a chunk that was taken. part.begin == chunk.begin. `stops`: an input of the part
  /// that stops the target, so that no input above it counts; UINT64_MAX for none.
  void give_back(const Chunk& chunk, Part part, uint64_t stops = UINT64_MAX);
  /// Hands out no more. With holes left by chunks that ended early: counts what was done anyway.
  void close();

  /// Something is left to hand out.
  bool has_more() const { return !closed_ && (!holes_.empty() || next_ < limit_); }
  /// Nothing is out, and nothing is left to hand out.
  bool finished() const { return out_ == 0 && !has_more(); }
  /// Inputs at or above this one are not wanted.
  uint64_t limit() const { return limit_; }
  uint64_t frontier() const { return frontier_; }
  /// First input never handed out.
  uint64_t next() const { return next_; }
  const RangeTotals& totals() const { return totals_; }
  /// Findings that have come to count since the last call: new keys only, ascending.
  std::vector<RangeFinding> take_final();
  /// Lock facts that have come to count since the last call, by iteration; not all are new.
  std::vector<GivenFact> take_facts();

 private:
  void stop_after(uint64_t iteration);
  void advance();
  void count(const Part& part);

  uint64_t next_;     ///< first input never handed out
  uint64_t frontier_; ///< every input below is counted
  uint64_t limit_;
  unsigned out_ = 0; ///< chunks taken and not given back
  bool closed_ = false;
  std::map<uint64_t, uint64_t> holes_; ///< begin -> end of what is to be handed out again
  std::map<uint64_t, Part> waiting_;   ///< done, above the frontier
  RangeTotals totals_;
  std::vector<RangeFinding> final_;
  std::vector<GivenFact> facts_;
};

} // namespace kiln::gates
