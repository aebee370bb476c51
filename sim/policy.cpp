// Scheduling policies.
//
// In-order     always the ordinary choice. Finds nothing that depends on order; the baseline.
// Random walk  at points a random distance apart (mean drawn per run from 2 to 256, log-uniformly)
//              any alternative is as likely as another. Good at shallow races; a bug that needs d
//              ordered switches among k points is found with about (1/k)^d.
// PCT          every task has a random priority, the highest runnable one runs, and at d - 1 random
//              points among k the running one falls below all others. Finds a bug of depth d with
//              probability at least 1 / (n * k^(d-1)) for n tasks (Burckhardt, Kothari, Musuvathi,
//              Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs",
//              ASPLOS 2010). k is not known beforehand and is drawn log-uniformly.
// Portfolio    draws one of these per run: 1/8 in-order, 1/2 random walk, 3/8 PCT.

#include "sim/prng.h"
#include "sim/scheduler.h"

namespace kiln::sim {

namespace {

uint64_t draw() { return stream_block(core.policy.seed, core.policy.draws++); }
uint64_t draw_below(uint64_t n) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(draw()) * n) >> 64);
}

/// Priorities above this are first priorities, below it lowered ones.
constexpr uint64_t kFirstPriority = uint64_t{1} << 32;

unsigned actors_in(const Alternatives& list, bool blocking) {
  unsigned count = blocking ? 0 : 1;
  while (count < list.count && list.at[count].kind == Alternative::Kind::kRun) {
    ++count;
  }
  return count;
}

unsigned walk(const Alternatives& list, bool blocking) {
  PolicyState& p = core.policy;
  core.next_decision = core.point + 1 + draw_below(uint64_t{2} * p.rate);
  unsigned runs = actors_in(list, blocking);
  bool events_too = runs == 0 || draw_below(8) == 0 || (!blocking && runs == 1);
  return static_cast<unsigned>(draw_below(events_too ? list.count : runs));
}

const Actor& actor_at(const Alternatives& list, unsigned index) {
  const Alternative& a = list.at[index];
  return a.kind == Alternative::Kind::kRun ? actors[a.a] : *core.current;
}

unsigned highest(const Alternatives& list, unsigned runs) {
  unsigned best = 0;
  for (unsigned i = 1; i < runs; ++i) {
    if (actor_at(list, i).priority > actor_at(list, best).priority) {
      best = i;
    }
  }
  return best;
}

void plan_change() {
  PolicyState& p = core.policy;
  p.next_change = p.changes_left == 0 ? kNever : core.point + 1 + draw_below(p.horizon);
}

unsigned pct(const Alternatives& list, bool blocking) {
  PolicyState& p = core.policy;
  unsigned runs = actors_in(list, blocking);
  unsigned index = 0;
  if (core.point >= p.next_change) {
    --p.changes_left;
    plan_change();
    if (runs < list.count && draw_below(2) == 0) {
      index = runs + static_cast<unsigned>(draw_below(list.count - runs));
    } else {
      core.current->priority = --p.low_priority;
    }
  }
  if (index == 0 && runs > 1) {
    index = highest(list, runs);
  }
  p.reconsider = false;
  core.next_decision = p.next_change;
  return index;
}

StrategyKind drawn_kind() {
  uint64_t n = draw_below(8);
  return n == 0 ? StrategyKind::kInOrder : n < 5 ? StrategyKind::kRandomWalk : StrategyKind::kPct;
}

} // namespace

void init_policy(StrategyKind kind, uint64_t seed) {
  PolicyState& p = core.policy;
  p = PolicyState{};
  p.seed = seed;
  p.kind = kind == StrategyKind::kPortfolio ? drawn_kind() : kind;
  core.next_decision = kNever;
  if (p.kind == StrategyKind::kRandomWalk) {
    p.rate = uint32_t{2} << draw_below(8);
    core.next_decision = core.point + 1 + draw_below(uint64_t{2} * p.rate);
  } else if (p.kind == StrategyKind::kPct) {
    p.changes_left = static_cast<uint16_t>(1 + draw_below(5));
    p.horizon = uint32_t{8} << draw_below(9);
    p.low_priority = kFirstPriority;
    plan_change();
    core.next_decision = p.next_change;
  }
}

void policy_actor_created(Actor& actor) {
  if (core.seeded && core.policy.kind == StrategyKind::kPct) {
    actor.priority = kFirstPriority + (draw() >> 16);
  }
}

void policy_actor_ready() {
  if (core.seeded && core.policy.kind == StrategyKind::kPct) {
    core.next_decision = core.point + 1;
    look_soon();
  }
}

void policy_actor_yielded(Actor& actor) {
  if (core.seeded && core.policy.kind == StrategyKind::kPct) {
    actor.priority = --core.policy.low_priority;
  }
}

unsigned policy_choose(const Alternatives& list, bool blocking) {
  switch (core.policy.kind) {
  case StrategyKind::kRandomWalk:
    return walk(list, blocking);
  case StrategyKind::kPct:
    return pct(list, blocking);
  default:
    core.next_decision = kNever;
    return 0;
  }
}

std::string_view strategy_name(StrategyKind kind) {
  switch (kind) {
  case StrategyKind::kPortfolio:
    return "portfolio";
  case StrategyKind::kInOrder:
    return "in-order";
  case StrategyKind::kRandomWalk:
    return "random-walk";
  case StrategyKind::kPct:
    return "pct";
  }
  return "?";
}

bool strategy_by_name(std::string_view name, StrategyKind* out) {
  for (auto kind : {StrategyKind::kPortfolio, StrategyKind::kInOrder, StrategyKind::kRandomWalk,
                    StrategyKind::kPct}) {
    if (strategy_name(kind) == name) {
      *out = kind;
      return true;
    }
  }
  return false;
}

} // namespace kiln::sim
