#pragma once

namespace kiln::mutants {

/// The text of mutants/switch.h.
extern const char kSwitchText[];

} // namespace kiln::mutants
