#pragma once
// Lock order across inputs: one input takes a then b, another b then a, and neither is wrong alone.
//
// Every run starts from the order known at boot and lists the facts that it learned
// (sim::Outcome::edges). A worker keeps the first input of each fact in its range (LockFacts); the
// supervisor adds what counts to a LockGraph, in (target, iteration) order, so that the result does
// not depend on the number of workers:
//
//   LockGraph graph(boot_facts);
//   for each target, for each fact by ascending iteration:
//     if (auto cycle = graph.add({target->info().name, seed, fact.iteration}, fact.edge))
//     report(*cycle);
//
// Facts are judged by the machine's own LockOrder, over class names. What a single input (with the
// boot) breaks alone is not reported here: the machine has done so, unless a policy allows it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sim/engine.h"
#include "sim/lock_order.h"

namespace kiln::gates {

/// A fact and the input of a range that gave it first.
struct GivenFact {
  uint64_t iteration;
  sim::LockEdge edge;
};

/// The facts of one range of inputs of one target, each once. In the worker.
class LockFacts {
 public:
  /// `edges` of a run; iterations must ascend.
  void add(uint64_t iteration, std::span<const sim::LockEdge> edges) {
    for (const sim::LockEdge& edge : edges) {
      add_one(iteration, edge);
    }
  }
  /// In order of iteration.
  const std::vector<GivenFact>& list() const { return list_; }

 private:
  void add_one(uint64_t iteration, const sim::LockEdge& edge);
  std::unordered_set<uint64_t> seen_;
  std::vector<GivenFact> list_;
};

/// An input, as the source of a fact; without a target: the boot.
struct FactSource {
  std::string_view target; ///< its name, static text
  uint64_t seed = 0;
  uint64_t iteration = 0;
  bool operator==(const FactSource&) const = default;
};

/// A rule that several inputs break together.
struct JoinedCycle {
  struct Part {
    sim::LockEdge edge;
    FactSource source;
  };
  sim::Rule rule;
  std::string headline;    ///< one sentence, names every input
  std::vector<Part> parts; ///< the newest first, then along the chain
  bool truncated = false;  ///< the chain was longer than `parts`

  /// The inputs, each once, in the order of parts; the boot left out.
  std::vector<FactSource> sources() const;
  /// The rule and the classes in a fixed order: equal for the same cycle however it was found.
  std::string identity() const;
};

class LockGraph {
 public:
  explicit LockGraph(std::span<const sim::LockEdge> boot);

  /// A cycle, when this fact closes one over two inputs or more.
  std::optional<JoinedCycle> add(const FactSource& source, const sim::LockEdge& edge);
  /// More classes or facts than the graph holds: some cycles may go unseen.
  bool overflowed() const { return overflowed_; }

 private:
  bool learn(const FactSource& source, const sim::LockEdge& edge, sim::LockVerdict* broken);
  JoinedCycle join(const sim::LockVerdict& broken) const;
  void add_part(const sim::LockRecord* record, JoinedCycle* cycle) const;

  std::vector<sim::LockOrder> order_; ///< one; too large for a stack
  std::vector<FactSource> sources_;   ///< by index of the record
  bool overflowed_ = false;
};

/// Whether `edges` hold the fact `wanted`, or a stronger one: what shrinking one of the tapes of a
/// cycle must keep.
bool gives(std::span<const sim::LockEdge> edges, const sim::LockEdge& wanted);

/// For replay: the cycle that these runs (their sources and facts, in order) close together.
struct RunFacts {
  FactSource source;
  std::vector<sim::LockEdge> edges;
};
std::optional<JoinedCycle> join_runs(std::span<const sim::LockEdge> boot,
                                     std::span<const RunFacts> runs);

} // namespace kiln::gates
