#include "gates/run/range_ledger.h"

#include <algorithm>
#include <utility>

namespace kiln::gates {

namespace {

void add_hits(ProbeHits& sum, const ProbeHits& more) {
  if (more.hits == 0) return;
  sum.first = sum.hits == 0 ? more.first : std::min(sum.first, more.first);
  sum.hits += more.hits;
}

} // namespace

std::optional<Chunk> RangeLedger::take(uint64_t size) {
  if (!has_more()) return std::nullopt;
  Chunk chunk{};
  if (!holes_.empty()) {
    auto hole = holes_.begin();
    chunk = {hole->first, std::min(hole->second, hole->first + size)};
    if (chunk.end < hole->second) holes_[chunk.end] = hole->second;
    holes_.erase(hole);
  } else {
    chunk = {next_, next_ + std::min(size, limit_ - next_)};
    next_ = chunk.end;
  }
  ++out_;
  return chunk;
}

void RangeLedger::give_back(const Chunk& chunk, Part part, uint64_t stops) {
  --out_;
  if (part.end < chunk.end && part.end < limit_) {
    holes_[part.end] = std::min(chunk.end, limit_);
  }
  if (part.end > part.begin && part.begin < limit_) {
    waiting_[part.begin] = std::move(part);
  }
  if (stops < limit_) stop_after(stops);
  advance();
}

void RangeLedger::stop_after(uint64_t iteration) {
  limit_ = std::min(limit_, iteration + 1);
  next_ = std::min(next_, limit_);
  waiting_.erase(waiting_.lower_bound(limit_), waiting_.end());
  holes_.erase(holes_.lower_bound(limit_), holes_.end());
  if (!holes_.empty()) {
    auto last = std::prev(holes_.end());
    last->second = std::min(last->second, limit_);
  }
}

void RangeLedger::close() {
  closed_ = true;
  advance();
}

void RangeLedger::advance() {
  while (!waiting_.empty()) {
    auto first = waiting_.begin();
    bool holes_stay = closed_ && out_ == 0;
    if (first->first != frontier_ && !holes_stay) return;
    frontier_ = first->second.end;
    count(first->second);
    waiting_.erase(first);
  }
}

void RangeLedger::count(const Part& part) {
  totals_.inputs += part.end - part.begin;
  totals_.fold += part.fold;
  if (totals_.probes.size() < part.probes.size()) totals_.probes.resize(part.probes.size());
  for (size_t i = 0; i < part.probes.size(); ++i) {
    add_hits(totals_.probes[i], part.probes[i]);
  }
  facts_.insert(facts_.end(), part.facts.begin(), part.facts.end());
  std::vector<RangeFinding> fresh;
  for (const RangeFinding& finding : part.findings) {
    auto [it, is_new] = totals_.seen.try_emplace(finding.key, 0);
    it->second += finding.seen;
    if (is_new) fresh.push_back(finding);
  }
  std::sort(fresh.begin(), fresh.end(),
            [](const auto& a, const auto& b) { return a.iteration < b.iteration; });
  final_.insert(final_.end(), fresh.begin(), fresh.end());
}

std::vector<GivenFact> RangeLedger::take_facts() { return std::exchange(facts_, {}); }

std::vector<RangeFinding> RangeLedger::take_final() { return std::exchange(final_, {}); }

} // namespace kiln::gates
