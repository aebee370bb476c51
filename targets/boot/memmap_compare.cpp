#include "targets/boot/memmap_compare.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "sim/machine.h"

namespace kiln::targets {

using clay::MapOddity;
using clay::MemoryMap;
using clay::MemoryRange;
using clay::MemoryType;
using worlds::MemoryRank;
using worlds::MemorySegment;
using worlds::Wide;

MemoryRank memory_rank_of(MemoryType type) {
  switch (type) {
  case MemoryType::kUsable:
    return MemoryRank::kUsable;
  case MemoryType::kBootServices:
    return MemoryRank::kBootServices;
  case MemoryType::kReclaimable:
    return MemoryRank::kTables;
  case MemoryType::kPersistent:
    return MemoryRank::kPersistent;
  case MemoryType::kNvs:
    return MemoryRank::kNvs;
  case MemoryType::kReserved:
    return MemoryRank::kReserved;
  case MemoryType::kBad:
    return MemoryRank::kBad;
  case MemoryType::kKernel:
    return MemoryRank::kKernel;
  }
  return MemoryRank::kNone;
}

void check_memory_ranges(const MemoryMap& map, const std::vector<MemorySegment>& want) {
  KILN_CHECK(map.ranges().size() == want.size(), "%zu ranges, not %zu", map.ranges().size(),
             want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const MemoryRange& range = map.ranges()[i];
    KILN_CHECK(range.first == want[i].first && Wide{range.last} + 1 == want[i].end &&
                   memory_rank_of(range.type) == want[i].rank,
               "range %zu is 0x%" PRIx64 " to 0x%" PRIx64 ", %s; not 0x%" PRIx64 " to 0x%" PRIx64,
               i, range.first, range.last, clay::memory_type_name(range.type),
               static_cast<uint64_t>(want[i].first), static_cast<uint64_t>(want[i].end - 1));
  }
}

namespace {

bool is_usable(MemoryRank rank) { return rank == MemoryRank::kUsable; }

void check_sorted(const MemoryMap& map) {
  const MemoryRange* before = nullptr;
  for (const MemoryRange& range : map.ranges()) {
    KILN_CHECK(range.first <= range.last, "a range from 0x%" PRIx64 " to 0x%" PRIx64, range.first,
               range.last);
    KILN_CHECK(before == nullptr || before->last < range.first,
               "a range begins at 0x%" PRIx64 ", before the end of the one before it", range.first);
    before = &range;
  }
}

/// Something was given up: what is called usable must be, whole; no word is stronger than
/// firmware's. Both lists are sorted.
void check_cautious(const MemoryMap& map, const std::vector<MemorySegment>& want) {
  size_t begin = 0;
  for (const MemoryRange& range : map.ranges()) {
    while (begin < want.size() && want[begin].end <= Wide{range.first}) {
      ++begin;
    }
    const MemoryRank rank = memory_rank_of(range.type);
    for (size_t i = begin; i < want.size() && want[i].first <= Wide{range.last}; ++i) {
      KILN_CHECK(is_usable(rank) ? is_usable(want[i].rank) : rank <= want[i].rank,
                 "0x%" PRIx64 " to 0x%" PRIx64 " is %s, against firmware's word", range.first,
                 range.last, clay::memory_type_name(range.type));
    }
  }
}

void check_byte(const MemoryMap& map, uint64_t address, MemoryRank want) {
  const clay::Result<MemoryType> type = map.at(address);
  KILN_CHECK((type.ok() ? memory_rank_of(type.value()) : MemoryRank::kNone) == want,
             "byte 0x%" PRIx64 " is %s", address,
             type.ok() ? clay::memory_type_name(type.value()) : "nobody's");
}

/// Bytes on both sides of every edge, and ranges one byte too long.
void check_edges(const MemoryMap& map, const std::vector<MemorySegment>& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    const auto first = static_cast<uint64_t>(want[i].first);
    const auto last = static_cast<uint64_t>(want[i].end - 1);
    const bool joins = i != 0 && want[i - 1].end == want[i].first;
    const bool is_joined = i + 1 < want.size() && want[i + 1].first == want[i].end;
    check_byte(map, first, want[i].rank);
    check_byte(map, last, want[i].rank);
    if (first != 0 && !joins) check_byte(map, first - 1, MemoryRank::kNone);
    if (last != UINT64_MAX && !is_joined) check_byte(map, last + 1, MemoryRank::kNone);

    const MemoryType type = map.at(first).value();
    KILN_CHECK(map.is_all(first, last, type), "a whole range is not all of its type");
    KILN_CHECK(last == UINT64_MAX || !map.is_all(first, last + 1, type),
               "one byte more than a range is all of its type");
    KILN_CHECK(first == 0 || !map.is_all(first - 1, last, type),
               "a range with the byte before it is all of its type");
    KILN_CHECK(first == last || !map.is_all(last, first, type),
               "a range from its end to its beginning");
  }
}

/// The runs of whole pages, one after the other, against those of the list itself.
void check_pages(const MemoryMap& map) {
  constexpr Wide kPage = MemoryMap::kPage;
  uint64_t from = 0;
  for (const MemoryRange& range : map.ranges()) {
    if (range.type != MemoryType::kUsable) {
      continue;
    }
    const Wide first = std::max<Wide>((Wide{range.first} + kPage - 1) / kPage, 1);
    const Wide end = (Wide{range.last} + 1) / kPage;
    if (first >= end) {
      continue;
    }
    const MemoryMap::PageRun run = map.usable_pages(from);
    KILN_CHECK(run.first == first && run.count == end - first,
               "pages %" PRIu64 " and %" PRIu64 " more are usable, not %" PRIu64 " and %" PRIu64,
               run.first, run.count, static_cast<uint64_t>(first),
               static_cast<uint64_t>(end - first));
    const MemoryMap::PageRun rest = map.usable_pages(run.first + run.count - 1);
    KILN_CHECK(rest.first == run.first + run.count - 1 && rest.count == 1,
               "the last page of a run is not found from itself on");
    from = run.first + run.count;
  }
  KILN_CHECK(map.usable_pages(from).count == 0, "pages from %" PRIu64 " on are nobody's", from);
}

void check_sums(const MemoryMap& map, const std::vector<MemorySegment>& want) {
  Wide usable = 0;
  for (const MemorySegment& segment : want) {
    usable += is_usable(segment.rank) ? segment.end - segment.first : 0;
  }
  const uint64_t bytes = map.bytes_of(MemoryType::kUsable);
  KILN_CHECK(bytes == std::min<Wide>(usable, UINT64_MAX), "%" PRIu64 " bytes are usable", bytes);
}

} // namespace

void check_map(const MemoryMap& map, const std::vector<MemorySegment>& want) {
  check_sorted(map);
  check_pages(map);
  if (!map.complete()) {
    return check_cautious(map, want);
  }
  check_memory_ranges(map, want);
  check_edges(map, want);
  check_sums(map, want);
}

void check_map_report(const clay::MapReport& report, const worlds::MemoryOddities& want) {
  const struct {
    MapOddity kind;
    uint32_t count;
  } kCounts[] = {{MapOddity::kEmpty, want.empty},
                 {MapOddity::kBeyond, want.beyond},
                 {MapOddity::kDisabled, want.disabled},
                 {MapOddity::kUnknownType, want.unknown},
                 {MapOddity::kOpenEnd, want.open_end}};
  for (const auto& count : kCounts) {
    KILN_CHECK(report.count(count.kind) == count.count, "%u times, not %u: %s",
               report.count(count.kind), count.count, clay::map_oddity_text(count.kind));
  }
  KILN_CHECK(report.entries == want.entries, "%u entries, not %u", report.entries, want.entries);
}

std::string describe(const MemoryMap& map) {
  std::string out;
  for (const MemoryRange& range : map.ranges()) {
    char line[96];
    snprintf(line, sizeof line, "0x%016" PRIx64 "-0x%016" PRIx64 " %s\n", range.first, range.last,
             clay::memory_type_name(range.type));
    out += line;
  }
  return out + std::to_string(map.bytes_of(MemoryType::kUsable) >> 10) + " KiB are usable\n";
}

} // namespace kiln::targets
