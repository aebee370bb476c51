// Choosing mutations, and crossing tapes over.

#include "gates/mutate/mutator.h"

#include <algorithm>

#include "gates/mutate/mutations.h"

namespace kiln::gates {
namespace {

using sim::Lane;

// An entry as often as it is likely.
constexpr Mutation kMutations[] = {
    change_number,        change_number,        change_number,        change_number,
    change_number,        change_number,        copy_number,          insert_bytes,
    erase_bytes,          extend_lane,          extend_lane,          cut_lane,
    renew_lane,           change_lane_by_bytes, change_lane_by_bytes, change_lane_by_bytes,
    change_lane_by_bytes, delete_span,          delete_span,          duplicate_span,
    duplicate_span,       swap_spans,           overwrite_span,       overwrite_span,
    insert_decision,      insert_decision,      insert_decision,      delete_decision,
    move_decision,        move_decision,        change_alternative,   shift_later_decisions,
    renew_decisions,
};

const sim::TapeRecord& record_of(const MutationParent& parent) {
  static const sim::TapeRecord kNone;
  return parent.record == nullptr ? kNone : *parent.record;
}

/// Points that a run is taken to have when nothing says how many.
constexpr uint64_t kGuessedPoints = 256;

uint64_t points_of(const MutationParent& parent, const Candidate& candidate) {
  if (parent.points != 0) return parent.points;
  const uint64_t last = candidate.decisions.empty() ? 0 : candidate.decisions.back().point;
  return std::max(kGuessedPoints, last + 16);
}

/// The longest beginning of the schedule that fits into its lane.
void cut_decisions(std::vector<sim::Decision>& decisions, size_t most) {
  while (!decisions.empty() && sim::encode_sched(decisions).size() > most) {
    decisions.pop_back();
  }
}

/// Flat bytes, cut to fit. Never empty: libFuzzer knows no empty input.
std::vector<uint8_t> fit(Candidate candidate, size_t most) {
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    const size_t room = sim::lane_size(static_cast<Lane>(i), most);
    std::vector<uint8_t>& bytes = candidate.lanes.bytes[i];
    if (bytes.size() > room) bytes.resize(room);
  }
  cut_decisions(candidate.decisions, sim::lane_size(Lane::kSched, most));
  std::vector<uint8_t> tape = put_together(candidate);
  if (tape.empty()) tape.push_back(0);
  return tape;
}

void mutate_once(MutationContext& context, Candidate& candidate) {
  constexpr unsigned kTries = 64;
  for (unsigned i = 0; i < kTries; ++i) {
    if (kMutations[context.prng.below(std::size(kMutations))](context, candidate)) return;
  }
}

/// Everything up to a point of `first`, then of `second`: at a span's beginning where there are
/// any.
void take_rest(Candidate& into, const sim::TapeRecord& record, const Candidate& second,
               const sim::TapeRecord& second_record, sim::Prng& prng) {
  if (record.spans.empty() || second_record.spans.empty()) return;
  const LaneRanges cut = span_bytes(record.spans[prng.below(record.spans.size())]);
  LaneRanges rest = span_bytes(second_record.spans[prng.below(second_record.spans.size())]);
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    std::vector<uint8_t>& bytes = into.lanes.bytes[i];
    if (bytes.size() > cut.begin[i]) bytes.resize(cut.begin[i]);
    rest.end[i] = std::max(rest.begin[i], second.lanes.bytes[i].size());
  }
  insert_ranges(into, second, rest, cut.begin);
}

/// One structure of `second` in front of one of `first`.
void splice_span(Candidate& into, const sim::TapeRecord& record, const Candidate& second,
                 const sim::TapeRecord& second_record, sim::Prng& prng) {
  if (record.spans.empty() || second_record.spans.empty()) return;
  const LaneRanges at = span_bytes(record.spans[prng.below(record.spans.size())]);
  const LaneRanges from = span_bytes(second_record.spans[prng.below(second_record.spans.size())]);
  insert_ranges(into, second, from, at.begin);
}

/// Some lanes, and perhaps the schedule, as the other has them.
void swap_lanes(Candidate& into, const Candidate& second, sim::Prng& prng) {
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    if (prng.below(3) == 0) into.lanes.bytes[i] = second.lanes.bytes[i];
  }
  if (prng.below(2) == 0) into.decisions = second.decisions;
}

} // namespace

std::vector<uint8_t> mutate(const MutationParent& parent, size_t most, uint64_t seed,
                            const ByteMutator& bytes) {
  sim::Prng prng(seed);
  Candidate candidate = take_apart(parent.tape);
  const sim::TapeRecord& record = record_of(parent);
  const std::vector<Number> numbers = numbers_of(candidate, record);
  MutationContext context{prng, record, numbers, most, points_of(parent, candidate), bytes};
  mutate_once(context, candidate);
  return fit(std::move(candidate), most);
}

std::vector<uint8_t> cross_over(const MutationParent& first, const MutationParent& second,
                                size_t most, uint64_t seed) {
  sim::Prng prng(seed);
  Candidate candidate = take_apart(first.tape);
  const Candidate other = take_apart(second.tape);
  switch (prng.below(3)) {
  case 0:
    take_rest(candidate, record_of(first), other, record_of(second), prng);
    break;
  case 1:
    splice_span(candidate, record_of(first), other, record_of(second), prng);
    break;
  default:
    swap_lanes(candidate, other, prng);
    break;
  }
  return fit(std::move(candidate), most);
}

} // namespace kiln::gates
