#include "targets/mm/stale_check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hal-host/tlb.h"
#include "kernel-src/mm/stale_ranges.h"
#include "kernel-src/mm/tlb_shootdown.h"
#include "sim/machine.h"
#include "targets/mm/paging.h"

namespace kiln::mm {
namespace {

constexpr uint64_t kRoot = 0x1234'5000;

struct Bytes {
  uint64_t first;
  uint64_t last;
  bool operator==(const Bytes&) const = default;
  /// Whether they overlap, or no byte lies between them.
  bool meets(const Bytes& other) const {
    return (first == 0 || other.last >= first - 1) &&
           (last == UINT64_MAX || other.first <= last + 1);
  }
  bool holds(const Bytes& other) const { return first <= other.first && other.last <= last; }
};

bool by_first(const Bytes& a, const Bytes& b) { return a.first < b.first; }

/// What is added and does not have to be longer, as few ranges as can be.
void join(std::vector<Bytes>& ranges, Bytes added) {
  for (auto at = ranges.begin(); at != ranges.end();) {
    if (!at->meets(added)) {
      ++at;
      continue;
    }
    added = {std::min(at->first, added.first), std::max(at->last, added.last)};
    ranges.erase(at);
    at = ranges.begin();
  }
  ranges.push_back(added);
}

/// Near each other, so that they meet; now and then at either end of addresses.
Bytes draw_bytes(sim::Tape::View& data) {
  static constexpr uint64_t kAround[] = {0x10'0000, 0, UINT64_MAX - 60};
  const uint64_t first = kAround[data.weighted({6, 1, 1})] + data.below(56);
  return {first, first + data.below(5)};
}

void note_flush(void* flushed, unsigned, uint64_t root, uint64_t first, uint64_t last) {
  KILN_CHECK(root == kRoot && first <= last, "a flush from %llx to %llx of tables at %llx",
             static_cast<ull>(first), static_cast<ull>(last), static_cast<ull>(root));
  static_cast<std::vector<Bytes>*>(flushed)->push_back({first, last});
}

/// Covers all that was added, no range meets another, and each ends where one that was added does.
void check_cover(const std::vector<Bytes>& flushed, const std::vector<Bytes>& added) {
  KILN_CHECK(flushed.size() <= clay::StaleRanges::kMost, "%zu ranges are flushed", flushed.size());
  for (const Bytes& range : added) {
    KILN_CHECK(std::any_of(flushed.begin(), flushed.end(),
                           [&](const Bytes& whole) { return whole.holds(range); }),
               "%llx to %llx are not forgotten", static_cast<ull>(range.first),
               static_cast<ull>(range.last));
  }
  for (const Bytes& range : flushed) {
    const auto met = std::count_if(flushed.begin(), flushed.end(),
                                   [&](const Bytes& other) { return other.meets(range); });
    const bool begins = std::any_of(added.begin(), added.end(),
                                    [&](const Bytes& one) { return one.first == range.first; });
    const bool ends = std::any_of(added.begin(), added.end(),
                                  [&](const Bytes& one) { return one.last == range.last; });
    KILN_CHECK(met == 1 && begins && ends, "%llx to %llx are forgotten: of what was added %s",
               static_cast<ull>(range.first), static_cast<ull>(range.last),
               met == 1 ? "none ends there" : "two could be one");
  }
}

/// Not as much as a step, in which others could be asked.
void check_shoot_down_of_nothing(sim::Machine& machine) {
  const clay::StaleRanges nothing(kRoot);
  const uint64_t before = machine.points();
  clay::shoot_down(nothing);
  const uint64_t took = machine.points() - before;
  KILN_CHECK(took == 0, "to have nothing forgotten takes %llu steps", static_cast<ull>(took));
}

} // namespace

void check_stale_ranges(sim::Run& run) {
  sim::Span span(run.tape, "stale ranges");
  auto data = run.tape.data();
  clay::StaleRanges stale(kRoot);
  std::vector<Bytes> added;
  std::vector<Bytes> joined;
  bool had_room = true;
  for (uint64_t left = data.below(9); left != 0; --left) {
    added.push_back(draw_bytes(data));
    join(joined, added.back());
    stale.add(added.back().first, added.back().last);
    had_room = had_room && joined.size() <= clay::StaleRanges::kMost;
  }
  KILN_CHECK(stale.empty() == added.empty(), "ranges of %zu are said to be %s", added.size(),
             stale.empty() ? "none" : "some");
  std::vector<Bytes> flushed;
  hal_host::on_tlb_flush(note_flush, &flushed);
  stale.forget_here();
  hal_host::on_tlb_flush(nullptr, nullptr);
  check_cover(flushed, added);
  std::sort(flushed.begin(), flushed.end(), by_first);
  std::sort(joined.begin(), joined.end(), by_first);
  KILN_CHECK(!had_room || flushed == joined, "%zu ranges are forgotten, and there are %zu",
             flushed.size(), joined.size());
  check_shoot_down_of_nothing(run.machine);
}

} // namespace kiln::mm
