#pragma once
// The single mutations. Each changes the candidate and returns whether it found something to
// change.

#include "gates/mutate/mutator.h"
#include "gates/tape/candidate.h"
#include "sim/prng.h"

namespace kiln::gates {

struct MutationContext {
  sim::Prng& prng;
  const sim::TapeRecord& record; ///< of the unchanged candidate
  const std::vector<Number>& numbers;
  size_t most;     ///< bytes of the flat tape
  uint64_t points; ///< of the parent's run, guessed when not known
  const ByteMutator& bytes;

  /// True in one of n cases.
  bool one_in(uint64_t n) { return prng.below(n) == 0; }
};
using Mutation = bool (*)(MutationContext&, Candidate&);

// mutate_bytes.cpp
bool change_number(MutationContext& context, Candidate& candidate);
bool copy_number(MutationContext& context, Candidate& candidate);
bool insert_bytes(MutationContext& context, Candidate& candidate);
bool erase_bytes(MutationContext& context, Candidate& candidate);
bool extend_lane(MutationContext& context, Candidate& candidate);
bool cut_lane(MutationContext& context, Candidate& candidate);
bool renew_lane(MutationContext& context, Candidate& candidate);
bool change_lane_by_bytes(MutationContext& context, Candidate& candidate);

// mutate_spans.cpp
bool delete_span(MutationContext& context, Candidate& candidate);
bool duplicate_span(MutationContext& context, Candidate& candidate);
bool swap_spans(MutationContext& context, Candidate& candidate);
/// One span becomes a copy of another of the same name.
bool overwrite_span(MutationContext& context, Candidate& candidate);

// mutate_sched.cpp
bool insert_decision(MutationContext& context, Candidate& candidate);
bool delete_decision(MutationContext& context, Candidate& candidate);
bool move_decision(MutationContext& context, Candidate& candidate);
bool change_alternative(MutationContext& context, Candidate& candidate);
bool shift_later_decisions(MutationContext& context, Candidate& candidate);
bool renew_decisions(MutationContext& context, Candidate& candidate);

/// Bytes of a span in every lane that draws read.
LaneRanges span_bytes(const sim::SpanRecord& span);
/// Puts the bytes of `from`'s range into `into`, in every lane at that range's end or beginning.
void insert_ranges(Candidate& into, const Candidate& from, const LaneRanges& range,
                   const size_t (&at)[sim::kLanes]);

} // namespace kiln::gates
