#pragma once

namespace kiln::mutants {

/// The text of sim/mutant_switch.h.
extern const char kSwitchText[];

} // namespace kiln::mutants
