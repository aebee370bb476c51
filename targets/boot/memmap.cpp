// boot/memmap: the memory map that firmware hands over, in each of its forms.
//
// The entries lie in a block of the kernel's heap of exactly their length. Clay's list is held
// against a model that keeps every entry and works in 128 bits: each range, each count of what was
// left out, the type of single bytes, the runs of whole usable pages, and the same again after the
// kernel has taken parts for itself. A map beyond the limit may lose usable memory, and must never
// gain any.

#include <memory>

#include "generators/memory_map.h"
#include "kernel-src/boot/firmware_map.h"
#include "kernel-src/lib/checked.h"
#include "sim/artefact.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/counted.h"
#include "targets/boot/memmap_compare.h"
#include "targets/boot/memmap_steps.h"
#include "targets/boot/memmap_text.h"
#include "worlds/firmware/memory_model.h"

namespace kiln::targets {
namespace {

using clay::MapOddity;
using clay::MemoryMap;
using clay::MemoryRange;
using clay::MemoryType;
using worlds::MemoryModel;
using worlds::MemoryRank;
using worlds::MemorySegment;
using worlds::Wide;

constexpr const char* kName = "boot/memmap";

#define KILN_MAP_ODDITY_PROBE(id, text) {kName, "counted: " text},
const sim::Probe kOddityProbes[] = {CLAY_MAP_ODDITIES(KILN_MAP_ODDITY_PROBE)};
#undef KILN_MAP_ODDITY_PROBE
const sim::Probe kSplit{kName, "an entry in the middle of another splits it in three"};
const sim::Probe kFull{kName, "exactly as many ranges as there is room for"};
const sim::Probe kGivenUp{kName, "usable memory given up for want of room"};
const sim::Probe kLastByte{kName, "memory up to the last byte of 64 bits"};
const sim::Probe kPageLost{kName, "a usable range without a whole page"};
const sim::Probe kPageZero{kName, "page 0 is usable and not handed out"};
const sim::Probe kUefi{kName, "a UEFI map with room behind each descriptor"};
const sim::Probe kNothing{kName, "a map without usable memory"};
const sim::Probe kTakenInside{kName, "the kernel takes memory out of the middle of a usable range"};

void note_probes(const MemoryMap& map, const std::vector<MemorySegment>& want) {
  if (map.given_up() != 0) kGivenUp.hit();
  if (!map.complete()) {
    return;
  }
  if (want.size() == MemoryMap::kRangesMax) kFull.hit();
  if (!want.empty() && want.back().end == MemoryModel::kEnd) kLastByte.hit();
  if (map.bytes_of(MemoryType::kUsable) == 0) kNothing.hit();
  for (size_t i = 0; i < want.size(); ++i) {
    const MemorySegment& segment = want[i];
    if (segment.rank == MemoryRank::kUsable) {
      const Wide whole = segment.end / MemoryMap::kPage;
      if (segment.first == 0 && whole != 0) kPageZero.hit();
      if ((segment.first + MemoryMap::kPage - 1) / MemoryMap::kPage >= whole) kPageLost.hit();
    }
    if (i >= 2 && want[i - 2].rank == segment.rank && want[i - 2].end == want[i - 1].first &&
        want[i - 1].end == segment.first) {
      kSplit.hit();
    }
  }
}

clay::Result<void> read_map(gen::MapFormat format, size_t stride, clay::Bytes bytes, MemoryMap& out,
                            clay::MapReport& report) {
  switch (format) {
  case gen::MapFormat::kUefi:
    return clay::read_uefi_map(bytes, stride, out, report);
  case gen::MapFormat::kMultiboot:
    return clay::read_multiboot_map(bytes, stride, out, report);
  case gen::MapFormat::kE820:
    break;
  }
  return clay::read_e820(bytes, stride, out, report);
}

/// What has no room for an entry, or ends before it begins, is refused and changes nothing.
void check_refusals(const gen::FirmwareMap& firmware, clay::Bytes bytes, MemoryMap& map) {
  const size_t least =
      firmware.format == gen::MapFormat::kUefi ? clay::kUefiDescriptor : clay::kE820Entry;
  clay::MapReport report;
  KILN_CHECK(
      read_map(firmware.format, least - 1, bytes, map, report).failed_with(clay::Error::kInvalid) &&
          map.add(1, 0, MemoryType::kUsable).failed_with(clay::Error::kInvalid) &&
          map.ranges().empty() && report.entries == 0 && !map.is_all(0, 0, MemoryType::kUsable),
      "what makes no sense is taken");
}

/// The kernel takes what it needs for itself: mostly near the ends of ranges, or inside of one.
/// False: nothing.
bool take_some(sim::Tape& tape, MemoryMap& map, MemoryModel& model) {
  bool any = false;
  for (uint64_t takes = tape.data().below(4); takes != 0 && map.ranges().size() != 0; --takes) {
    const MemoryRange range = map.ranges()[tape.data().below(map.ranges().size())];
    const uint64_t size = range.last - range.first;
    const uint64_t first = range.first + std::min(size, tape.data().below(4) * 0x800);
    const bool some = tape.data().boolean();
    const uint64_t last =
        some ? std::min<Wide>(Wide{first} + tape.data().u16(), UINT64_MAX) : range.last;
    if (range.type == MemoryType::kUsable && first > range.first && last < range.last) {
      kTakenInside.hit();
    }
    any = true;
    add_and_check(map, {first, last, MemoryType::kKernel});
    model.add(first, Wide{last} + 1, MemoryRank::kKernel);
    KILN_CHECK(!map.is_all(first, last, MemoryType::kUsable), "what the kernel took is usable");
  }
  return any;
}

/// Whether there is room for every entry when its turn comes.
bool has_room(const gen::FirmwareMap& firmware) {
  gen::FirmwareMap some = firmware;
  const size_t all = firmware.entries.size();
  // Each entry makes two ranges more at most.
  for (size_t n = MemoryMap::kRangesMax / 2; n <= all; ++n) {
    some.entries.assign(firmware.entries.begin(),
                        firmware.entries.begin() + static_cast<ptrdiff_t>(n));
    MemoryModel model;
    worlds::read_firmware_map(some, model);
    if (model.segments().size() > MemoryMap::kRangesMax) return false;
  }
  return true;
}

/// The last places of a map go to somebody, and more comes when there is none.
void overfill(sim::Tape::View data, MemoryMap& map) {
  constexpr uint64_t kStep = 0x2000;
  for (uint64_t at = map.ranges().back().last; map.complete() && at < UINT64_MAX - 2 * kStep;) {
    at += kStep;
    const auto type = data.boolean() ? MemoryType::kUsable : MemoryType::kReserved;
    add_and_check(map, {at, at + 0xFFF, type});
  }
}

/// More is added to a map that is nearly full: holes, bridges, neighbours, by one byte at times.
void crowd(sim::Tape& tape, MemoryMap& map) {
  auto data = tape.data();
  for (uint64_t adds = data.between(4, 16); adds != 0 && map.ranges().size() != 0; --adds) {
    const MemoryRange one = data.pick(map.ranges());
    const MemoryRange other = data.chance(1, 4) ? data.pick(map.ranges()) : one;
    static constexpr uint64_t kInto[] = {0, 1, 0x800, ~uint64_t{0}, 2};
    const uint64_t first = clay::wrapping_add(std::min(one.first, other.first), data.pick(kInto));
    const uint64_t last = clay::wrapping_sub(std::max(one.last, other.last), data.pick(kInto));
    const auto type = static_cast<MemoryType>(data.pick({5, 7, 0, 1, 3}));
    if (first <= last) add_and_check(map, {first, last, type});
  }
  if (map.ranges().size() > MemoryMap::kRangesMax - 8) overfill(data, map);
}

/// Reads the map and holds it against the model, which it fills; the model's segments.
std::vector<MemorySegment> read_and_check(const gen::FirmwareMap& firmware, MemoryMap& map,
                                          MemoryModel& model) {
  const sim::ExactBlock blob(firmware.blob);
  check_refusals(firmware, blob.bytes(), map);
  clay::MapReport report;
  const clay::Result<void> read =
      read_map(firmware.format, firmware.stride, blob.bytes(), map, report);
  KILN_CHECK(read.ok(), "the map is refused: %s", clay::error_text(read.error()));
  check_map_report(report, worlds::read_firmware_map(firmware, model));
  for (size_t kind = 0; kind < clay::kMapOddities; ++kind) {
    const auto oddity = static_cast<MapOddity>(kind);
    if (report.count(oddity) != 0) hit_counted(kOddityProbes[kind], clay::map_oddity_text(oddity));
  }
  KILN_CHECK(map.complete() == (report.count(MapOddity::kNoRoom) == 0),
             "the map lacks something, and its report does not say so");
  KILN_CHECK(map.complete() == has_room(firmware), "there is %s for the map, and something is %s",
             map.complete() ? "no room" : "room", map.complete() ? "not left out" : "left out");
  std::vector<MemorySegment> want = model.segments();
  check_map(map, want);
  return want;
}

void run(sim::Run& run) {
  const gen::FirmwareMap firmware = gen::make_memory_map(run.tape);
  if (sim::artefact_wanted()) {
    const std::string text = write_memory_map(firmware);
    run.machine.artefact({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  if (firmware.format == gen::MapFormat::kUefi && firmware.stride > clay::kUefiDescriptor) {
    kUefi.hit();
  }
  const std::unique_ptr<MemoryMap> map(new MemoryMap);
  MemoryModel model;
  note_probes(*map, read_and_check(firmware, *map, model));
  if (take_some(run.tape, *map, model)) check_map(*map, model.segments());
  if (!map->complete() || map->ranges().size() > MemoryMap::kRangesMax - 8) crowd(run.tape, *map);
  for (const MemoryRange& range : map->ranges()) {
    run.machine.digest(range.first ^ range.last ^ static_cast<uint64_t>(range.type) << 56);
    run.machine.digest(std::string_view(clay::memory_type_name(range.type)).size());
  }
}

void feed(sim::Feed& feed) {
  gen::FirmwareMap firmware;
  const auto* text = reinterpret_cast<const char*>(feed.bytes.data());
  if (!parse_memory_map({text, feed.bytes.size()}, firmware, &feed.out)) {
    return;
  }
  const std::unique_ptr<MemoryMap> map(new MemoryMap);
  MemoryModel model;
  read_and_check(firmware, *map, model);
  feed.out += describe(*map);
}

const sim::Target target{{
    .name = kName,
    .purpose = "Memory maps of firmware against a model that keeps every entry.",
    .run = run,
    .feed = feed,
    .feed_takes = "a memory map as text, as a kernel's log has it",
    .gate_inputs = 60'000,
    .longest_tape = 1024,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
