#pragma once
// Probes for the oddities that a reader of the kernel counts: one for each, named after its text.

#include <string_view>

#include "sim/machine.h"
#include "sim/probe.h"

namespace kiln::targets {

/// An oddity was counted that the kernel calls `text`.
inline void hit_counted(const sim::Probe& probe, const char* text) {
  probe.hit();
  KILN_CHECK(std::string_view(probe.name()).ends_with(text), "'%s' is called '%s'", probe.name(),
             text);
}

} // namespace kiln::targets
