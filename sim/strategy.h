#pragma once
// Who runs next: one interface for every policy. The machine asks at scheduling points; a policy
// answers with an index into the list of alternatives, 0 being the ordinary choice. Answers become
// the tape's sched lane, so a replay needs no policy at all.

#include <cstdint>
#include <string_view>

namespace kiln::sim {

enum class StrategyKind : uint8_t {
  kPortfolio,  ///< drawn from the seed per input: mostly random walk and PCT, sometimes in-order
  kInOrder,    ///< always the ordinary choice
  kRandomWalk, ///< a coin at every point
  kPct,        ///< priorities with a few change points
};
std::string_view strategy_name(StrategyKind kind);
bool strategy_by_name(std::string_view name, StrategyKind* out);

} // namespace kiln::sim
