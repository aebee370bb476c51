#pragma once
// Which targets a command line means.

#include <string>
#include <string_view>
#include <vector>

#include "sim/target.h"

namespace kiln::gates {

/// '*' any characters, '?' one, the rest itself.
bool glob_matches(std::string_view pattern, std::string_view name);

/// All targets, by name.
std::vector<const sim::Target*> all_targets();
std::vector<std::string> target_names();

/// Those that a list of names and globs means, each once, by name. Without any: all but those that
/// must fail; a glob means such only when it begins with their area's name ("canary/*"). Nothing
/// and a sentence when a name or glob means none.
std::vector<const sim::Target*> choose_targets(const std::vector<std::string>& patterns,
                                               std::string* error);

/// The one target of that name; null and a sentence when there is none.
const sim::Target* choose_target(const std::string& name, std::string* error);

/// A sentence about a target without feed, which names those that have it.
std::string takes_no_artefact(const sim::Target& target);

} // namespace kiln::gates
