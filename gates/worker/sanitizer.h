#pragma once
// What AddressSanitizer and UBSan are told, and what they tell before they end a worker.
//
// The options are built in: a run must not depend on ASAN_OPTIONS of whoever started it.

#include "gates/worker/worker_slot.h"

namespace kiln::gates {

/// From here on a report leaves its kind, place and stack in `note`.
void note_sanitizer_reports(DeathNote& note);

/// Whether this program was built with AddressSanitizer.
bool has_address_sanitizer();

} // namespace kiln::gates
