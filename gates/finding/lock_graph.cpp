#include "gates/finding/lock_graph.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "sim/prng.h"

namespace kiln::gates {

using sim::LockEdge;
using sim::LockFact;
using sim::LockOrder;
using sim::LockRecord;
using sim::LockVerdict;

void LockFacts::add_one(uint64_t iteration, const LockEdge& edge) {
  // By address: names are static, and the same text at two addresses only costs a second entry.
  uint64_t key = sim::mix64(reinterpret_cast<uintptr_t>(edge.from)) ^
                 sim::mix64(reinterpret_cast<uintptr_t>(edge.to) + sim::kGolden) ^
                 static_cast<uint64_t>(edge.fact);
  if (seen_.insert(key).second) {
    list_.push_back({iteration, edge});
  }
}

LockGraph::LockGraph(std::span<const LockEdge> boot) : order_(1) {
  LockVerdict ignored;
  for (const LockEdge& edge : boot) {
    learn({}, edge, &ignored);
  }
}

bool LockGraph::learn(const FactSource& source, const LockEdge& edge, LockVerdict* broken) {
  LockOrder& order = order_[0];
  uint16_t from = order.add_class(edge.from);
  uint16_t to = order.add_class(edge.to);
  if (from == LockOrder::kNoClass || to == LockOrder::kNoClass) {
    overflowed_ = true;
    return true;
  }
  bool well = is_edge(edge.fact)
                  ? order.learn_edge(from, to, edge.fact, edge.held_site, edge.taken_site, broken)
                  : order.learn_usage(from, edge.fact, edge.taken_site, broken);
  overflowed_ = overflowed_ || order.unlisted() != 0;
  sources_.resize(order.records().size(), source);
  return well;
}

std::optional<JoinedCycle> LockGraph::add(const FactSource& source, const LockEdge& edge) {
  LockVerdict broken;
  if (learn(source, edge, &broken)) {
    return std::nullopt;
  }
  JoinedCycle cycle = join(broken);
  if (cycle.sources().size() < 2) {
    return std::nullopt;
  }
  return cycle;
}

void LockGraph::add_part(const LockRecord* record, JoinedCycle* cycle) const {
  if (record == nullptr) {
    return;
  }
  const LockOrder& order = order_[0];
  auto index = static_cast<size_t>(record - order.records().data());
  LockEdge edge{order.name(record->from), order.name(record->to), record->fact, record->held_site,
                record->taken_site};
  cycle->parts.push_back({edge, sources_[index]});
}

namespace {

const char* how(LockFact fact) {
  switch (fact) {
  case LockFact::kUsedInIrqN:
  case LockFact::kUsedInIrqR:
    return "is taken in an interrupt";
  case LockFact::kUsedInSoftN:
  case LockFact::kUsedInSoftR:
    return "is taken in a soft IRQ";
  case LockFact::kIrqsOnE:
  case LockFact::kIrqsOnS:
    return "is held with interrupts on";
  default:
    return "is held with soft IRQs on";
  }
}

std::string in_words(const JoinedCycle::Part& part) {
  std::string who = part.source.target.empty()
                        ? std::string("at boot")
                        : std::string("in ") + std::string(part.source.target) + " " +
                              std::to_string(part.source.seed) + ":" +
                              std::to_string(part.source.iteration);
  std::string what =
      is_edge(part.edge.fact)
          ? std::string("'") + part.edge.to + "' is taken under '" + part.edge.from + "'"
          : std::string("'") + part.edge.from + "' " + how(part.edge.fact);
  return what + " " + who;
}

} // namespace

JoinedCycle LockGraph::join(const LockVerdict& broken) const {
  const LockOrder& order = order_[0];
  JoinedCycle cycle{
      .rule = broken.rule, .headline = {}, .parts = {}, .truncated = broken.truncated};
  for (unsigned i = 0; i < broken.length; ++i) {
    const sim::LockStep& step = broken.chain[i];
    add_part(order.find(step.from, step.to, step.fact), &cycle);
  }
  if (broken.rule != sim::Rule::kLockOrder) {
    unsigned shift = broken.soft ? sim::kSoftShift : 0;
    add_part(order.find_usage(broken.irq_class, sim::kUsedNonRecursive << shift), &cycle);
    add_part(order.find_usage(broken.other, sim::kEnabledExclusive << shift), &cycle);
  }
  char text[512];
  lock_headline(order, broken, text, sizeof text);
  cycle.headline = std::string("several inputs together: ") + text;
  for (size_t i = 0; i < cycle.parts.size(); ++i) {
    cycle.headline += (i == 0 ? " (" : "; ") + in_words(cycle.parts[i]);
  }
  cycle.headline += ")";
  return cycle;
}

std::vector<FactSource> JoinedCycle::sources() const {
  std::vector<FactSource> out;
  for (const Part& part : parts) {
    if (!part.source.target.empty() &&
        std::find(out.begin(), out.end(), part.source) == out.end()) {
      out.push_back(part.source);
    }
  }
  return out;
}

std::string JoinedCycle::identity() const {
  std::set<std::string> names;
  for (const Part& part : parts) {
    names.insert(part.edge.from);
    names.insert(part.edge.to);
  }
  std::string out(rule_name(rule));
  for (const std::string& name : names) {
    out += " " + name;
  }
  return out;
}

bool gives(std::span<const LockEdge> edges, const LockEdge& wanted) {
  auto bit = [](LockFact fact) {
    return is_edge(fact) ? 1U << static_cast<unsigned>(fact) : sim::usage_bit(fact);
  };
  return std::any_of(edges.begin(), edges.end(), [&](const LockEdge& edge) {
    return is_edge(edge.fact) == is_edge(wanted.fact) &&
           (sim::implied(edge.fact) & bit(wanted.fact)) != 0 &&
           std::string_view(edge.from) == wanted.from && std::string_view(edge.to) == wanted.to;
  });
}

std::optional<JoinedCycle> join_runs(std::span<const LockEdge> boot,
                                     std::span<const RunFacts> runs) {
  LockGraph graph(boot);
  std::optional<JoinedCycle> found;
  for (const RunFacts& run : runs) {
    for (const LockEdge& edge : run.edges) {
      auto cycle = graph.add(run.source, edge);
      if (cycle && !found) {
        found = std::move(cycle);
      }
    }
  }
  return found;
}

} // namespace kiln::gates
