#include <algorithm>
#include <string_view>
#include <vector>

#include "gates/finding/finding_key.h"
#include "gates/support/digest_fold.h"
#include "gates/worker/judge.h"
#include "gates/worker/worker.h"

namespace kiln::gates {

namespace {

// Null when the chunk's table is full.
RangeFinding* entry_for(WorkerSlot& slot, uint64_t key) {
  RangeFinding* end = slot.findings + slot.finding_count;
  RangeFinding* entry = std::find_if(slot.findings, end, [&](auto& f) { return f.key == key; });
  if (entry != end) return entry;
  if (slot.finding_count == kChunkFindings) return nullptr;
  ++slot.finding_count;
  entry->key = key;
  entry->seen = 0;
  return entry;
}

bool note_finding(WorkerSlot& slot, uint64_t iteration, uint64_t key, const sim::Outcome& outcome) {
  RangeFinding* entry = entry_for(slot, key);
  if (entry == nullptr) return false;
  if (entry->seen++ == 0) {
    entry->iteration = iteration;
    entry->digest = outcome.digest;
    entry->finding = outcome.finding;
  }
  return true;
}

void begin_part(WorkerSlot& slot, uint64_t begin) {
  slot.begin = begin;
  slot.reached = begin;
  slot.fold = 0;
  slot.finding_count = 0;
  slot.fact_count = 0;
  std::fill(std::begin(slot.probes), std::end(slot.probes), 0);
  std::fill(std::begin(slot.probes_first), std::end(slot.probes_first), kNoIteration);
}

/// Notes which input was the first to hit each probe of a target.
class FirstHits {
 public:
  FirstHits(WorkerSlot& slot, std::string_view target) : slot_(slot) {
    for (const sim::Probe* probe = sim::Probe::first(); probe != nullptr; probe = probe->next()) {
      if (probe->target() == target) left_.push_back(probe->index());
    }
  }
  /// After each input.
  void note(uint64_t iteration) {
    std::erase_if(left_, [&](unsigned index) {
      if (slot_.probes[index] == 0) return false;
      slot_.probes_first[index] = iteration;
      return true;
    });
  }

 private:
  WorkerSlot& slot_;
  std::vector<unsigned> left_; ///< not hit yet
};

// False, and nothing noted, when the chunk's table has no room for them all.
bool note_facts(WorkerSlot& slot, LockFacts& facts, uint64_t iteration,
                std::span<const sim::LockEdge> edges) {
  if (edges.empty()) return true;
  facts.add(iteration, edges);
  if (facts.list().size() > kChunkFacts) return slot.reached == slot.begin;
  while (slot.fact_count < facts.list().size()) {
    slot.facts[slot.fact_count] = facts.list()[slot.fact_count];
    ++slot.fact_count;
  }
  return true;
}

bool is_silenced(const RangeJob& job, uint64_t key) {
  return std::binary_search(job.silenced.begin(), job.silenced.end(), key);
}

// After a hang that was ended from outside the process may hold a lock of the host's libraries.
bool must_stop(const RangeJob& job, uint64_t key, const sim::Finding& finding) {
  return finding.rule == sim::Rule::kHang || (!job.keep_going && !is_silenced(job, key));
}

} // namespace

RangeDone run_range(const RangeJob& job, Executor& executor, WorkerSlot& slot) {
  begin_part(slot, job.begin);
  sim::ExecuteOptions options;
  options.strategy = job.strategy;
  DigestFold fold;
  LockFacts facts;
  FirstHits first_hits(slot, job.target->info().name);
  for (uint64_t i = job.begin; i < std::min(job.end, slot.stop_at.load()); ++i) {
    slot.iteration = i;
    Input input{job.target, Origin::kSeed, job.seed, i, {}, {}};
    sim::Outcome outcome = executor.run(Phase::kInput, input, options);
    judge_further(executor, input, options, rerun_of_iteration(i), outcome);
    uint64_t key = outcome.found ? finding_key(outcome.finding) : 0;
    if (!note_facts(slot, facts, i, outcome.edges)) break;
    if (outcome.found && !note_finding(slot, i, key, outcome)) break;
    fold.add(i, outcome.digest);
    first_hits.note(i);
    slot.fold = fold.value();
    slot.reached = i + 1;
    if (outcome.found && must_stop(job, key, outcome.finding)) break;
  }
  return {slot.reached};
}

} // namespace kiln::gates
