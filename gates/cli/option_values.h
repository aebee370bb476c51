#pragma once
// Values of options: text to numbers and choices, with sentences for what will not do.

#include <cstdint>
#include <string>

#include "gates/cli/settings.h"

namespace kiln::gates {

/// Decimal, no sign, in [low, high].
bool parse_number(const std::string& text, uint64_t low, uint64_t high, uint64_t* out,
                  std::string* error);
/// "SEED:ITERATION".
bool parse_only(const std::string& text, OnlyInput* out, std::string* error);
bool parse_tier(const std::string& text, Tier* out, std::string* error);
bool parse_isolate(const std::string& text, Isolate* out, std::string* error);
bool parse_strategy(const std::string& text, sim::StrategyKind* out, std::string* error);

} // namespace kiln::gates
