#pragma once
// The passes of the shrinker. Each tries one kind of edit wherever it fits, and leaves the smallest
// tape in the shrinker.

#include "gates/shrink/shrinker.h"

namespace kiln::gates {

// shrink_lanes.cpp
void drop_lanes(Shrinker& shrinker);     ///< no choices at all in a lane
void cut_tails(Shrinker& shrinker);      ///< a lane ends earlier
void delete_numbers(Shrinker& shrinker); ///< later draws of the lane move up

// shrink_spans.cpp
void drop_spans(Shrinker& shrinker);         ///< structures go, with their bytes in every lane
void drop_counted_spans(Shrinker& shrinker); ///< one goes, and the count drawn before is one less
void drop_span_pairs(Shrinker& shrinker);    ///< two that only go together, when few are left

// shrink_sched.cpp
void drop_decisions(Shrinker& shrinker);              ///< ordinary choices instead
void pull_decisions(Shrinker& shrinker);              ///< earlier points, lower alternatives
void drop_spans_moving_decisions(Shrinker& shrinker); ///< a structure goes, the schedule moves up

// shrink_values.cpp
void zero_numbers(Shrinker& shrinker);
void lower_numbers(Shrinker& shrinker);
void zero_number_pairs(Shrinker& shrinker); ///< two at once, when few are left
void lower_and_delete(Shrinker& shrinker);  ///< a length is less and what it counts is shorter

} // namespace kiln::gates
