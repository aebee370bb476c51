#include "targets/boot/memmap_steps.h"

#include <algorithm>
#include <cinttypes>
#include <vector>

#include "sim/machine.h"
#include "targets/boot/memmap_compare.h"
#include "worlds/firmware/memory_model.h"

namespace kiln::targets {
namespace {

using clay::MemoryMap;
using clay::MemoryRange;
using clay::MemoryType;
using worlds::MemoryModel;
using worlds::MemorySegment;
using worlds::Wide;

using Ranges = std::vector<MemoryRange>;

Ranges ranges_of(const MemoryMap& map) { return {map.ranges().begin(), map.ranges().end()}; }

Wide size_of(const MemoryRange& range) { return Wide{range.last} - range.first + 1; }

/// As the map would be if there were room without end.
std::vector<MemorySegment> joined(const Ranges& before, const MemoryRange& added) {
  MemoryModel model;
  for (const MemoryRange& range : before) {
    model.add(range.first, Wide{range.last} + 1, memory_rank_of(range.type));
  }
  model.add(added.first, Wide{added.last} + 1, memory_rank_of(added.type));
  return model.segments();
}

void check_same(const MemoryRange& got, const MemoryRange& want) {
  KILN_CHECK(got.first == want.first && got.last == want.last && got.type == want.type,
             "0x%" PRIx64 " to 0x%" PRIx64 " is %s, and was 0x%" PRIx64 " to 0x%" PRIx64 ", %s",
             got.first, got.last, clay::memory_type_name(got.type), want.first, want.last,
             clay::memory_type_name(want.type));
}

/// What stays of a usable range with a hole: the larger of its two sides, the lower of equal ones.
bool is_rest(const MemoryRange& got, const MemoryRange& was, const MemoryRange& hole) {
  const Wide below = was.first < hole.first ? hole.first - was.first : 0;
  const Wide above = was.last > hole.last ? was.last - hole.last : 0;
  const bool lower = got.first == was.first && Wide{got.last} + 1 == hole.first;
  const bool upper = got.last == was.last && got.first == Wide{hole.last} + 1;
  return got.type == was.type && ((lower && below >= above) || (upper && above > below));
}

/// Usable memory went where the hole is; the number of bytes that did.
Wide check_forgotten(const Ranges& now, const Ranges& before, const MemoryRange& hole) {
  Wide lost = 0;
  size_t next = 0;
  for (const MemoryRange& was : before) {
    const bool hit =
        was.type == MemoryType::kUsable && was.first <= hole.last && was.last >= hole.first;
    const bool gone = hit && was.first >= hole.first && was.last <= hole.last;
    if (gone) {
      lost += size_of(was);
      continue;
    }
    KILN_CHECK(next < now.size(), "the range from 0x%" PRIx64 " on is gone", was.first);
    const MemoryRange& got = now[next++];
    if (!hit) {
      check_same(got, was);
      continue;
    }
    KILN_CHECK(is_rest(got, was, hole),
               "of 0x%" PRIx64 " to 0x%" PRIx64 " with a hole 0x%" PRIx64 " to 0x%" PRIx64
               " is left 0x%" PRIx64 " to 0x%" PRIx64,
               was.first, was.last, hole.first, hole.last, got.first, got.last);
    lost += size_of(was) - size_of(got);
  }
  KILN_CHECK(next == now.size(), "%zu ranges, not %zu", now.size(), next);
  return lost;
}

/// `more` bytes are given up now.
void check_given_up(const MemoryMap& map, uint64_t before, Wide more) {
  const Wide want = std::min<Wide>(Wide{before} + more, UINT64_MAX);
  KILN_CHECK(map.given_up() == want, "%" PRIu64 " bytes are given up, not %" PRIu64, map.given_up(),
             static_cast<uint64_t>(want));
}

void check_unchanged(const Ranges& now, const Ranges& before) {
  KILN_CHECK(now.size() == before.size(), "%zu ranges, not %zu", now.size(), before.size());
  for (size_t i = 0; i < now.size(); ++i)
    check_same(now[i], before[i]);
}

} // namespace

void add_and_check(MemoryMap& map, const MemoryRange& added) {
  const Ranges before = ranges_of(map);
  const bool was_complete = map.complete();
  const uint64_t given_up = map.given_up();
  const clay::Result<void> result = map.add(added.first, added.last, added.type);
  const Ranges now = ranges_of(map);
  if (added.type == MemoryType::kUsable && !was_complete) {
    KILN_CHECK(result.failed_with(clay::Error::kNoSpace),
               "usable memory comes into a map that lacks something");
    check_unchanged(now, before);
    return check_given_up(map, given_up, size_of(added));
  }
  const std::vector<MemorySegment> want = joined(before, added);
  const bool room = want.size() <= MemoryMap::kRangesMax;
  KILN_CHECK(result.ok() == room && (room || result.failed_with(clay::Error::kNoSpace)),
             "%zu ranges would be too many or not: %s", want.size(),
             result.ok() ? "added" : clay::error_text(result.error()));
  KILN_CHECK(map.complete() == (was_complete && room), "the map is %s",
             map.complete() ? "complete" : "not complete");
  if (room) {
    check_memory_ranges(map, want);
    return check_given_up(map, given_up, 0);
  }
  if (added.type == MemoryType::kUsable) {
    check_unchanged(now, before);
    return check_given_up(map, given_up, size_of(added));
  }
  check_given_up(map, given_up, check_forgotten(now, before, added));
}

} // namespace kiln::targets
