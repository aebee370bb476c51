// boot/microcode: files of Intel microcode updates.
//
// The file lies in memory of exactly its length. Which update is handed out, to the byte, and what
// was passed over is held against a second reader, for several processors.

#include "kernel-src/boot/microcode.h"

#include <bit>
#include <string>

#include "generators/microcode.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/counted.h"
#include "worlds/firmware/microcode.h"

namespace kiln::targets {
namespace {

using clay::MicrocodeOddity;
using clay::MicrocodeUpdate;
using worlds::MicrocodeFault;

constexpr const char* kName = "boot/microcode";

#define KILN_MICROCODE_PROBE(id, text) {kName, "passed over: " text},
const sim::Probe kOddityProbes[] = {CLAY_MICROCODE_ODDITIES(KILN_MICROCODE_PROBE)};
#undef KILN_MICROCODE_PROBE
const sim::Probe kChosen{kName, "an update for the CPU"};
const sim::Probe kNone{kName, "no update for the CPU among sound ones"};
const sim::Probe kBest{kName, "the newest of several for the CPU"};
const sim::Probe kEqual{kName, "two of the same revision: the first"};
const sim::Probe kOlder{kName, "an update older than what the CPU runs"};
const sim::Probe kNegative{kName, "an update of a negative revision"};
const sim::Probe kByTable{kName, "the CPU is named in the table only"};
const sim::Probe kOldForm{kName, "an update with sizes of 0"};
const sim::Probe kWraps{kName, "a table whose size is right in 32 bits only"};
const sim::Probe kDamaged{kName, "the best update is damaged and another is taken"};

uint32_t count_faults(const worlds::MicrocodeFile& file, MicrocodeFault fault) {
  uint32_t count = 0;
  for (const worlds::MicrocodeUpdate& update : file.updates) {
    count += update.fault == fault ? 1 : 0;
  }
  return count;
}

void check_report(const clay::MicrocodeReport& report, const worlds::MicrocodeFile& file) {
  const struct {
    MicrocodeOddity kind;
    uint32_t count;
  } kCounts[] = {{MicrocodeOddity::kOpenEnd, file.open_end ? 1u : 0u},
                 {MicrocodeOddity::kSizes, file.lost ? 1u : 0u},
                 {MicrocodeOddity::kVersion, count_faults(file, MicrocodeFault::kVersion)},
                 {MicrocodeOddity::kSum, count_faults(file, MicrocodeFault::kSum)},
                 {MicrocodeOddity::kExtendedTable, count_faults(file, MicrocodeFault::kTable)},
                 {MicrocodeOddity::kExtendedSum, count_faults(file, MicrocodeFault::kTableSum)}};
  static_assert(std::size(kCounts) == clay::kMicrocodeOddities);
  for (const auto& count : kCounts) {
    KILN_CHECK(report.count(count.kind) == count.count, "%u times, not %u: %s",
               report.count(count.kind), count.count, clay::microcode_oddity_text(count.kind));
    if (count.count == 0) continue;
    hit_counted(kOddityProbes[static_cast<size_t>(count.kind)],
                clay::microcode_oddity_text(count.kind));
  }
  KILN_CHECK(report.updates == count_faults(file, MicrocodeFault::kNone),
             "%u updates are sound, not %u", report.updates,
             count_faults(file, MicrocodeFault::kNone));
}

bool is_for(const worlds::MicrocodeUpdate& update, const clay::MicrocodeCpu& cpu) {
  for (const auto& whom : update.for_whom) {
    if (whom.signature == cpu.signature && (whom.flags >> cpu.platform & 1) != 0) {
      return true;
    }
  }
  return false;
}

void note_probes(const worlds::MicrocodeFile& file, const clay::MicrocodeCpu& cpu,
                 std::optional<size_t> chosen) {
  size_t fitting = 0;
  for (size_t i = 0; i < file.updates.size(); ++i) {
    const worlds::MicrocodeUpdate& update = file.updates[i];
    if (update.table_wraps) kWraps.hit();
    if (!is_for(update, cpu)) {
      continue;
    }
    if (chosen && update.fault != MicrocodeFault::kNone &&
        update.revision > file.updates[*chosen].revision) {
      kDamaged.hit();
    }
    if (update.fault != MicrocodeFault::kNone) {
      continue;
    }
    ++fitting;
    if (update.revision < cpu.revision) kOlder.hit();
    if (update.revision < 0) kNegative.hit();
    if (chosen && i != *chosen && update.revision == file.updates[*chosen].revision) kEqual.hit();
  }
  if (!chosen) {
    if (count_faults(file, MicrocodeFault::kNone) != 0) kNone.hit();
    return;
  }
  const worlds::MicrocodeUpdate& update = file.updates[*chosen];
  kChosen.hit();
  if (fitting > 1) kBest.hit();
  if (update.for_whom.front().signature != cpu.signature) kByTable.hit();
  if (update.data == 2000) kOldForm.hit();
}

void check_cpu(std::span<const uint8_t> bytes, const worlds::MicrocodeFile& file,
               const clay::MicrocodeCpu& cpu) {
  clay::MicrocodeReport report;
  const clay::Result<MicrocodeUpdate> got = clay::select_microcode(bytes, cpu, report);
  check_report(report, file);
  const std::optional<size_t> want =
      worlds::choose_microcode(file, cpu.signature, cpu.platform, cpu.revision);
  note_probes(file, cpu, want);
  if (!want) {
    KILN_CHECK(got.failed_with(clay::Error::kNotFound),
               "an update is handed out, and none is right");
    return;
  }
  const worlds::MicrocodeUpdate& update = file.updates[*want];
  KILN_CHECK(got.ok(), "update %zu is not handed out", *want);
  KILN_CHECK(got.value().whole.data() == bytes.data() + update.begin &&
                 got.value().whole.size() == update.total &&
                 got.value().revision == update.revision,
             "the update at %zu is handed out, not that at %zu",
             static_cast<size_t>(got.value().whole.data() - bytes.data()), update.begin);
  KILN_CHECK(got.value().data.data() == bytes.data() + update.begin + 48 &&
                 got.value().data.size() == update.data,
             "the processor would be given %zu bytes, not %zu", got.value().data.size(),
             update.data);
  KILN_CHECK(got.value().date == update.date, "the update is of 0x%x, not of 0x%x",
             got.value().date, update.date);
  sim::machine().digest(update.begin);
}

void run(sim::Run& run) {
  const std::vector<uint8_t> bytes = gen::make_microcode(run.tape);
  run.machine.artefact(bytes);
  const sim::ExactBlock block(bytes);
  const worlds::MicrocodeFile file = worlds::read_microcode(bytes);
  for (uint64_t cpus = run.tape.data().between(1, 4); cpus != 0; --cpus) {
    const uint32_t signature = gen::make_microcode_signature(run.tape);
    const auto platform = static_cast<uint32_t>(run.tape.data().below(8));
    const auto revision = static_cast<int32_t>(run.tape.data().below(4));
    check_cpu(block.bytes(), file, {signature, platform, revision});
  }
}

void feed(sim::Feed& feed) {
  const sim::ExactBlock block(feed.bytes);
  const worlds::MicrocodeFile file = worlds::read_microcode(feed.bytes);
  for (const worlds::MicrocodeUpdate& update : file.updates) {
    char line[96];
    snprintf(line, sizeof line, "at %zu: %zu bytes, revision 0x%x, %s\n", update.begin,
             update.total, static_cast<unsigned>(update.revision),
             worlds::microcode_fault_text(update.fault));
    feed.out += line;
    for (const auto& whom : update.for_whom) {
      snprintf(line, sizeof line, "  for CPUs 0x%08x, platforms 0x%x\n", whom.signature,
               whom.flags);
      feed.out += line;
      // One platform that it is for and one that it is not: each look goes through the whole file.
      for (const int platform : {std::countr_zero(whom.flags), std::countr_one(whom.flags)}) {
        check_cpu(block.bytes(), file, {whom.signature, static_cast<uint32_t>(platform & 7), 0});
      }
    }
  }
  check_cpu(block.bytes(), file, {0, 0, 0});
  feed.out += file.lost || file.open_end ? "what follows is no whole update\n" : "";
}

const sim::Target target{{
    .name = kName,
    .purpose = "Files of Intel microcode updates against a second reader, for several CPUs.",
    .run = run,
    .feed = feed,
    .feed_takes = "a file of Intel microcode updates",
    .gate_inputs = 40'000,
    .longest_tape = 512,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
