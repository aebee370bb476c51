#pragma once
// Keeping a schedule with the code that it interrupts. Decisions name scheduling points by number;
// an edit of the data that adds or removes points before them would make each hit something else.

#include <optional>

#include "gates/tape/candidate.h"

namespace kiln::gates {

/// The candidate with the decisions after its edit moved by as many points as the edit took out or
/// put in, judged from where the spans of both runs end. Nothing when no span says so.
std::optional<Candidate> reanchor(const Candidate& candidate, const sim::TapeRecord& before,
                                  const sim::TapeRecord& after);

/// Decisions at `from` and later move by `delta` points; those that would come too early, or meet
/// one that stays, are dropped.
std::vector<sim::Decision> shift_decisions(std::span<const sim::Decision> decisions, uint64_t from,
                                           int64_t delta);

} // namespace kiln::gates
