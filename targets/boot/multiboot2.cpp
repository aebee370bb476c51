// boot/multiboot2: what a Multiboot2 loader hands over.
//
// The block lies in memory of exactly its length. Verdict, texts, modules, tables, memory map and
// the count of everything that was left out are held against a second reader.

#include "kernel-src/boot/multiboot2.h"

#include <cinttypes>
#include <cstring>
#include <memory>
#include <string>

#include "generators/multiboot.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/counted.h"
#include "targets/boot/memmap_compare.h"
#include "worlds/firmware/multiboot.h"

namespace kiln::targets {
namespace {

using clay::Error;
using clay::MultibootInfo;
using clay::MultibootOddity;
using worlds::MultibootReading;
using Verdict = MultibootReading::Verdict;

constexpr const char* kName = "boot/multiboot2";

#define KILN_MULTIBOOT_PROBE(id, text) {kName, "counted: " text},
const sim::Probe kOddityProbes[] = {CLAY_MULTIBOOT_ODDITIES(KILN_MULTIBOOT_PROBE)};
#undef KILN_MULTIBOOT_PROBE
const sim::Probe kTruncated{kName, "a block longer than what is there"};
const sim::Probe kCorrupt{kName, "tags that lead to no end tag"};
const sim::Probe kSlack{kName, "bytes behind the block"};
const sim::Probe kMostModules{kName, "exactly as many modules as there is room for"};
const sim::Probe kNewRsdp{kName, "the newer root pointer counts where both came"};
const sim::Probe kBothMaps{kName, "a memory map of the BIOS and one of UEFI"};
const sim::Probe kServices{kName, "boot services still run"};
const sim::Probe kEverything{kName, "command line, module, memory and root pointer together"};

constexpr worlds::MultibootLimits kLimits = {MultibootInfo::kCommandLineMax,
                                             MultibootInfo::kNameMax, MultibootInfo::kModulesMax};

Verdict verdict_of(const clay::Result<void>& read) {
  if (read.ok()) {
    return Verdict::kTaken;
  }
  KILN_CHECK(read.error() == Error::kTruncated || read.error() == Error::kCorrupt,
             "the block is refused: %s", clay::error_text(read.error()));
  return read.error() == Error::kTruncated ? Verdict::kTruncated : Verdict::kCorrupt;
}

void check_text(clay::StringView got, const std::string& want, const char* what) {
  KILN_CHECK(got == clay::StringView(want.data(), want.size()), "the %s is '%.*s', not '%s'", what,
             static_cast<int>(got.size()), got.data(), want.c_str());
}

void check_modules(const MultibootInfo& info, const MultibootReading& want) {
  KILN_CHECK(info.modules().size() == want.modules.size(), "%zu modules, not %zu",
             info.modules().size(), want.modules.size());
  for (size_t i = 0; i < want.modules.size(); ++i) {
    const MultibootInfo::Module& module = info.modules()[i];
    KILN_CHECK(module.first == want.modules[i].first && module.last == want.modules[i].last,
               "module %zu is at 0x%x to 0x%x", i, module.first, module.last);
    check_text(module.name.view(), want.modules[i].name, "name of a module");
  }
  if (want.modules.size() == MultibootInfo::kModulesMax) kMostModules.hit();
}

void check_tables(const MultibootInfo& info, const MultibootReading& want) {
  KILN_CHECK(info.rsdp().size() == want.rsdp.size() &&
                 std::equal(want.rsdp.begin(), want.rsdp.end(), info.rsdp().data()),
             "the root pointer has %zu bytes, not %zu", info.rsdp().size(), want.rsdp.size());
  KILN_CHECK(info.efi_system_table() == want.system_table, "the system table is at 0x%" PRIx64,
             info.efi_system_table());
  KILN_CHECK(info.boot_services_run() == want.services_run, "boot services run or not");
  const MultibootInfo::Framebuffer& got = info.framebuffer();
  KILN_CHECK(got.address == want.framebuffer.address && got.pitch == want.framebuffer.pitch &&
                 got.width == want.framebuffer.width && got.height == want.framebuffer.height &&
                 got.bits == want.framebuffer.bits && got.type == want.framebuffer.type,
             "the framebuffer is at 0x%" PRIx64, got.address);
  if (want.services_run) kServices.hit();
}

void check_oddities(const MultibootInfo& info, const MultibootReading& want) {
  const struct {
    MultibootOddity kind;
    uint32_t count;
  } kCounts[] = {{MultibootOddity::kTagShort, want.tags_short},
                 {MultibootOddity::kTextOpen, want.texts_open},
                 {MultibootOddity::kTextCut, want.texts_cut},
                 {MultibootOddity::kModuleEnds, want.module_ends},
                 {MultibootOddity::kModulesFull, want.modules_full},
                 {MultibootOddity::kMapStride, want.map_strides},
                 {MultibootOddity::kMapNotFinal, want.maps_not_final},
                 {MultibootOddity::kTwice, want.tags_twice},
                 {MultibootOddity::kUnknownTag, want.tags_unknown}};
  static_assert(std::size(kCounts) == clay::kMultibootOddities);
  for (const auto& count : kCounts) {
    KILN_CHECK(info.oddities(count.kind) == count.count, "%zu times, not %u: %s",
               info.oddities(count.kind), count.count, clay::multiboot_oddity_text(count.kind));
    if (count.count == 0) continue;
    hit_counted(kOddityProbes[static_cast<size_t>(count.kind)],
                clay::multiboot_oddity_text(count.kind));
  }
}

/// Everything about one block; the caller owns what was read. False: it is refused.
bool read_and_check(std::span<const uint8_t> bytes, MultibootInfo& info, clay::MemoryMap& map) {
  const MultibootReading want = worlds::read_multiboot(bytes, kLimits);
  const Verdict verdict = verdict_of(info.read(bytes, map));
  KILN_CHECK(verdict == want.verdict, "the block is %s",
             verdict == Verdict::kTaken ? "taken" : "refused");
  if (verdict != Verdict::kTaken) {
    (verdict == Verdict::kTruncated ? kTruncated : kCorrupt).hit();
    KILN_CHECK(map.ranges().size() == 0, "a block that is refused has left memory in the map");
    return false;
  }
  check_text(info.command_line(), want.command_line, "command line");
  check_text(info.loader(), want.loader, "loader's name");
  check_modules(info, want);
  check_tables(info, want);
  check_oddities(info, want);
  check_map_report(info.map_report(), want.map_oddities);
  check_map(map, want.memory.segments());
  if (want.rsdp.size() == MultibootInfo::kRsdpMax && want.seen.contains(14)) kNewRsdp.hit();
  if (want.seen.contains(6) && want.seen.contains(17)) kBothMaps.hit();
  if (want.size < bytes.size()) kSlack.hit();
  if (!want.command_line.empty() && !want.modules.empty() && map.ranges().size() != 0 &&
      !want.rsdp.empty()) {
    kEverything.hit();
  }
  return true;
}

void run(sim::Run& run) {
  const std::vector<uint8_t> bytes = gen::make_multiboot(run.tape);
  run.machine.artefact(bytes);
  const sim::ExactBlock block(bytes);
  const std::unique_ptr<MultibootInfo> info(new MultibootInfo);
  const std::unique_ptr<clay::MemoryMap> map(new clay::MemoryMap);
  read_and_check(block.bytes(), *info, *map);
  run.machine.digest(info->modules().size());
  run.machine.digest(map->ranges().size());
  run.machine.digest(info->command_line().size());
}

void feed(sim::Feed& feed) {
  const sim::ExactBlock block(feed.bytes);
  const std::unique_ptr<MultibootInfo> info(new MultibootInfo);
  const std::unique_ptr<clay::MemoryMap> map(new clay::MemoryMap);
  if (!read_and_check(block.bytes(), *info, *map)) {
    feed.out += "refused: it is cut off, or its tags do not lead to an end\n";
    return;
  }
  const auto text = [](clay::StringView view) { return std::string(view.data(), view.size()); };
  feed.out +=
      "command line '" + text(info->command_line()) + "', loader '" + text(info->loader()) + "'\n";
  for (const MultibootInfo::Module& module : info->modules()) {
    feed.out += "module '" + text(module.name.view()) + "'\n";
  }
  feed.out += describe(*map);
}

const sim::Target target{{
    .name = kName,
    .purpose = "Multiboot2 information against a second reader, tag by tag.",
    .run = run,
    .feed = feed,
    .feed_takes = "a Multiboot2 information block",
    .gate_inputs = 40'000,
    .longest_tape = 2048,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
