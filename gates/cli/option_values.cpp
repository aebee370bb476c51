#include "gates/cli/option_values.h"

#include <charconv>

#include "gates/support/suggest.h"

namespace kiln::gates {

namespace {

constexpr const char* kTiers[] = {"quick", "gate", "nightly", "release"};

// Every strategy has a name; beyond the last there is none.
std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (unsigned i = 0; i < 64; ++i) {
    std::string name(sim::strategy_name(static_cast<sim::StrategyKind>(i)));
    sim::StrategyKind kind{};
    if (!sim::strategy_by_name(name, &kind) || static_cast<unsigned>(kind) != i) break;
    names.push_back(name);
  }
  return names;
}

bool refuse_choice(const std::string& text, const std::vector<std::string>& choices,
                   std::string* error) {
  *error = "'" + text + "' is none of: " + join_words(choices) + "." + did_you_mean(text, choices);
  return false;
}

} // namespace

bool parse_number(const std::string& text, uint64_t low, uint64_t high, uint64_t* out,
                  std::string* error) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end || text.empty() || value < low || value > high) {
    *error = "'" + text + "' is no whole number from " + std::to_string(low) + " to " +
             std::to_string(high) + ".";
    return false;
  }
  *out = value;
  return true;
}

bool parse_only(const std::string& text, OnlyInput* out, std::string* error) {
  size_t colon = text.find(':');
  std::string ignored;
  bool whole = colon != std::string::npos &&
               parse_number(text.substr(0, colon), 0, UINT64_MAX, &out->seed, &ignored) &&
               parse_number(text.substr(colon + 1), 0, UINT64_MAX - 1, &out->iteration, &ignored);
  if (!whole) *error = "'" + text + "' is no SEED:ITERATION, such as 1:4711.";
  return whole;
}

bool parse_tier(const std::string& text, Tier* out, std::string* error) {
  for (unsigned i = 0; i < std::size(kTiers); ++i) {
    if (text == kTiers[i]) {
      *out = static_cast<Tier>(i);
      return true;
    }
  }
  return refuse_choice(text, {std::begin(kTiers), std::end(kTiers)}, error);
}

bool parse_isolate(const std::string& text, Isolate* out, std::string* error) {
  if (text != "process" && text != "fork") return refuse_choice(text, {"process", "fork"}, error);
  *out = text == "fork" ? Isolate::kFork : Isolate::kProcess;
  return true;
}

bool parse_strategy(const std::string& text, sim::StrategyKind* out, std::string* error) {
  return sim::strategy_by_name(text, out) || refuse_choice(text, strategy_names(), error);
}

} // namespace kiln::gates
