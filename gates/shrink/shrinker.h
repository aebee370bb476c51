#pragma once
// What the passes of the shrinker work on: the smallest tape so far, and how to try another.

#include <cstdint>
#include <functional>
#include <unordered_set>

#include "gates/shrink/shrink.h"
#include "gates/tape/candidate.h"

namespace kiln::gates {

class Shrinker {
 public:
  Shrinker(ShrinkJudge& judge, const ShrinkBudget& budget);

  /// Runs the tape to be shrunk. False when it does not show the finding.
  bool begin(std::span<const uint8_t> tape);

  /// The smallest so far. An accepted attempt replaces them: take no reference across one.
  const Candidate& best() const { return best_; }
  const sim::TapeRecord& record() const { return record_; }
  const std::vector<Number>& numbers() const { return numbers_; }
  const Weight& weight() const { return weight_; }

  /// Runs a candidate, once; takes it over when it shows the finding and is smaller. When it fails
  /// because an edit changed how many scheduling points go by, decisions after the edit are moved
  /// by as many and it is tried again.
  bool attempt(const Candidate& candidate);

  /// The budget is spent or the judge gave up: passes return at once.
  bool done();
  ShrinkEnd end() const { return end_; }
  uint64_t executions() const { return executions_; }
  uint64_t steps() const { return steps_; }

 private:
  std::optional<Judged> run(const Candidate& candidate);
  bool accept(const Candidate& candidate, Judged judged);

  ShrinkJudge& judge_;
  ShrinkBudget budget_;
  std::chrono::steady_clock::time_point started_;
  Candidate best_;
  sim::TapeRecord record_;
  std::vector<Number> numbers_;
  Weight weight_;
  std::unordered_set<uint64_t> tried_; ///< hashes of tapes
  ShrinkEnd end_ = ShrinkEnd::kFixpoint;
  uint64_t executions_ = 0;
  uint64_t steps_ = 0;
};

/// Calls attempt(begin, end) on chunks of a list of count() items, from the whole list down to
/// single items, last ones first (later items lean on earlier ones more than the other way round).
/// `attempt` removes the items from the list when it returns true.
void sweep_chunks(Shrinker& shrinker, const std::function<size_t()>& count,
                  const std::function<bool(size_t begin, size_t end)>& attempt);

} // namespace kiln::gates
