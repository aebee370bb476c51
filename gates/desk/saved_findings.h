#pragma once
// Saved findings, run again: what triage and bundle say about them.

#include <string>
#include <vector>

#include "gates/cli/settings.h"
#include "gates/desk/bundle.h"
#include "gates/finding/symbolize.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

enum class Still : uint8_t {
  kShows,      ///< the same finding, by identity
  kShowsOther, ///< another finding
  kGone,       ///< nothing is found
  kNoTarget,   ///< this program has no such target
  kNoInput,    ///< no single input (a probe that was missed), or a feed
  kFailed,     ///< the runner failed
};

struct Rerun {
  Still still = Still::kFailed;
  bool same_digest = false; ///< the very run, not only the finding
  std::string said;         ///< the finding of now, or why it could not be run
};

/// Runs a bundle's input in a worker of its own.
/// `identity_of`: names findings as bundles do.
Rerun run_again(const Bundle& bundle, Lab& lab, Symbolizer& symbolizer);
const char* still_text(Still still);

/// The bundles of a folder, by name. False and a sentence when it cannot be listed.
bool list_bundles(const std::string& folder, std::vector<std::string>* files, std::string* error);

} // namespace kiln::gates
