#pragma once
// Probes for what a reader of the kernel counts or refuses: one for each, named after its text.

#include <string_view>

#include "sim/machine.h"
#include "sim/probe.h"

namespace kiln::targets {

/// It happened, and the kernel calls it `text`.
inline void hit_counted(const sim::Probe& probe, const char* text) {
  probe.hit();
  KILN_CHECK(std::string_view(probe.name()).ends_with(text), "'%s' is called '%s'", probe.name(),
             text);
}

} // namespace kiln::targets
