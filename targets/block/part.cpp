// block/part: partition tables, MBR and GPT.
//
// A disk of any size and sector size, sound or with one lie, of which some sectors cannot be read;
// now and then the device goes away or memory runs out. Verdict, reasons, partitions and the count
// of everything that made no sense are held against a second reader, and where no lie was told that
// one against what was meant.

#include <algorithm>
#include <memory>
#include <set>

#include "generators/endian.h"
#include "generators/gpt.h"
#include "generators/mbr.h"
#include "kernel-src/task/heap.h"
#include "sim/artefact.h"
#include "sim/exhibit.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/block/part_compare.h"
#include "targets/block/part_device.h"
#include "targets/block/part_words.h"
#include "worlds/disk/show.h"

namespace kiln::targets {
namespace {

using clay::Error;
using clay::PartitionTable;
using worlds::PartitionReading;
using Verdict = PartitionReading::Verdict;

const sim::Probe kPlain{kPart, "no table"};
const sim::Probe kMbr{kPart, "a sound MBR"};
const sim::Probe kLogical{kPart, "a sound MBR with three logical partitions"};
const sim::Probe kLongestChain{kPart, "a chain of as many logical partitions as are followed"};
const sim::Probe kGpt{kPart, "a sound GPT"};
const sim::Probe kStride{kPart, "a sound GPT with entries of 256 bytes or more"};
const sim::Probe kStraddle{kPart, "a partition whose entry lies in two sectors"};
const sim::Probe kMostPartitions{kPart, "exactly as many partitions as there is room for"};
const sim::Probe kOldest{kPart, "sectors of 512 bytes"};
const sim::Probe kOdd{kPart, "sectors of no power of two"};
const sim::Probe kLargest{kPart, "sectors of 64 KiB"};
const sim::Probe kTop{kPart, "a partition near sector 2^64"};
const sim::Probe kAround32{kPart, "a partition that ends with sector 2^32 - 1 or 2^32"};
const sim::Probe kLostCopy{kPart, "a GPT of which one copy cannot be read"};
const sim::Probe kLostLink{kPart, "partitions of a chain that is cut by a read error"};
const sim::Probe kGone{kPart, "the device goes away"};
const sim::Probe kNoMemory{kPart, "memory runs out"};

#define KILN_PART_TEXT(id, text) text,
constexpr const char* kGptLieTexts[] = {KILN_GPT_LIES(KILN_PART_TEXT)};
constexpr const char* kMbrLieTexts[] = {KILN_MBR_LIES(KILN_PART_TEXT)};
#undef KILN_PART_TEXT

/// A disk, and what was meant by it when nothing was a lie.
struct Subject {
  gen::SparseDisk disk;
  bool sound = true;
  const char* lie = nullptr; ///< in words
  std::vector<gen::MeantPartition> meant;
};

Subject make_subject(sim::Tape& tape) {
  if (tape.data().chance(2, 5)) {
    gen::MbrProduct product = gen::make_mbr(tape);
    return {std::move(product.disk), product.lie == gen::MbrLie::kNone,
            kMbrLieTexts[static_cast<size_t>(product.lie)], std::move(product.meant)};
  }
  gen::GptProduct product = gen::make_gpt(tape);
  return {std::move(product.disk), product.lie == gen::GptLie::kNone,
          kGptLieTexts[static_cast<size_t>(product.lie)], std::move(product.meant)};
}

/// One to three of those that hold something.
std::set<uint64_t> draw_unreadable(sim::Tape& tape, const gen::SparseDisk& disk) {
  std::set<uint64_t> lost;
  sim::Tape::View fault = tape.fault();
  if (!fault.chance(1, 6) || disk.contents.empty()) {
    return lost;
  }
  for (uint64_t count = fault.between(1, 3); count != 0; --count) {
    lost.insert(
        std::next(disk.contents.begin(), static_cast<ptrdiff_t>(fault.below(disk.contents.size())))
            ->first);
  }
  return lost;
}

/// The second reader reads what was meant.
void check_meant(const std::vector<gen::MeantPartition>& meant, const PartitionReading& got) {
  KILN_CHECK(meant.size() == got.partitions.size(), "%zu partitions were meant, %zu are read",
             meant.size(), got.partitions.size());
  for (size_t i = 0; i < meant.size(); ++i) {
    const PartitionReading::Partition& partition = got.partitions[i];
    KILN_CHECK(partition.number == meant[i].number && partition.first == meant[i].first &&
                   partition.last == meant[i].first + (meant[i].sectors - 1),
               "partition %u was meant elsewhere", meant[i].number);
    KILN_CHECK(partition.type == meant[i].type && partition.name == meant[i].name,
               "partition %u was meant to be '%s', not '%s'", meant[i].number,
               meant[i].name.c_str(), partition.name.c_str());
  }
}

void note_sizes(const gen::SparseDisk& disk, const PartitionReading& reading) {
  const uint32_t bytes = disk.sector_bytes;
  if (reading.partitions.empty()) return;
  if (bytes == 512) kOldest.hit();
  if ((bytes & (bytes - 1)) != 0) kOdd.hit();
  if (bytes == 65536) kLargest.hit();
  for (const PartitionReading::Partition& partition : reading.partitions) {
    if (partition.last > UINT64_MAX - 4096) kTop.hit();
    if (partition.last == UINT32_MAX || partition.last == uint64_t{UINT32_MAX} + 1) {
      kAround32.hit();
    }
  }
}

void note_probes(const Subject& subject, const PartitionReading& reading) {
  note_sizes(subject.disk, reading);
  if (reading.verdict == Verdict::kNone) kPlain.hit();
  if (!subject.sound) return;
  const size_t partitions = reading.partitions.size();
  if (reading.verdict == Verdict::kMbr && partitions != 0) {
    kMbr.hit();
    const uint32_t last = reading.partitions.back().number;
    if (last >= 7) kLogical.hit();
    if (last == 4 + PartitionTable::kMostLinks) kLongestChain.hit();
  }
  if (reading.verdict != Verdict::kGpt || partitions == 0) return;
  kGpt.hit();
  const std::vector<uint8_t>& header = subject.disk.contents.at(1);
  const uint64_t stride = gen::load_le<uint32_t>(&header[84]);
  if (stride >= 256) kStride.hit();
  if (partitions == PartitionTable::kMostPartitions) kMostPartitions.hit();
  for (const PartitionReading::Partition& partition : reading.partitions) {
    const uint64_t begin = (partition.number - 1) * stride;
    if (begin / subject.disk.sector_bytes != (begin + 127) / subject.disk.sector_bytes) {
      kStraddle.hit();
    }
  }
}

/// No table is worth more than its sectors, each read once.
void check_reads(const PartDevice& device) {
  const uint64_t array = PartitionTable::kMostEntryBytes / device.shape().sector_bytes + 1;
  const uint64_t most = 2 + std::max<uint64_t>(PartitionTable::kMostLinks, 2 * (1 + array));
  KILN_CHECK(device.reads() <= most, "%zu sectors are read", static_cast<size_t>(device.reads()));
}

/// What a finding shows: the disk, what is wrong with it, and what should be read.
struct Shown {
  const Subject& subject;
  const std::set<uint64_t>& unreadable;
  const worlds::Disk& disk;
};

void show(sim::Exhibitor& to, void* arg) {
  const auto& shown = *static_cast<const Shown*>(arg);
  std::string words = std::string("the lie: ") + shown.subject.lie + "\n";
  for (const uint64_t sector : shown.unreadable) {
    words += "sector " + std::to_string(sector) + " cannot be read\n";
  }
  const PartitionReading reading =
      worlds::read_partitions(shown.subject.disk, shown.unreadable, partition_limits());
  for (const PartitionReading::Partition& partition : reading.partitions) {
    words += "partition " + std::to_string(partition.number) + ": sectors " +
             std::to_string(partition.first) + " to " + std::to_string(partition.last) + "\n";
  }
  to.text("The table, and what should be read", words);
  worlds::show_disk(shown.disk, to);
}

void run(sim::Run& run) {
  const Subject subject = make_subject(run.tape);
  const gen::SparseDisk& disk = subject.disk;
  constexpr uint64_t kMostArtefact = uint64_t{16} << 20;
  if (sim::artefact_wanted() && disk.sectors <= kMostArtefact / disk.sector_bytes) {
    run.machine.artefact(disk.image());
  }
  const std::set<uint64_t> unreadable = draw_unreadable(run.tape, disk);
  worlds::Disk medium = make_disk(disk, unreadable);
  Shown shown{subject, unreadable, medium};
  const sim::Exhibit exhibit(show, &shown);
  PartDevice device(medium);
  sim::Tape::View fault = run.tape.fault();
  Error breaks = Error::kNoDevice;
  if (fault.chance(1, 24)) {
    breaks = fault.pick({Error::kNoDevice, Error::kTimedOut});
    device.break_after(fault.below(8), breaks);
  }
  const bool starved = fault.chance(1, 24);
  clay::Result<clay::Box<PartitionTable>> table = clay::make_box<PartitionTable>(kHalAllocMayWait);
  KILN_CHECK(table.ok(), "there is no memory for a table");
  if (starved) {
    run.machine.fail_allocation(fault.below(4));
  }
  const clay::Result<> read = table.value()->read(device);
  run.machine.fail_allocation(UINT64_MAX);
  check_reads(device);
  if (device.is_broken()) {
    KILN_CHECK(read.failed_with(breaks), "the device is gone, and nobody says so");
    kGone.hit();
    return;
  }
  if (read.failed_with(Error::kNoMemory)) {
    KILN_CHECK(starved, "memory runs out");
    kNoMemory.hit();
    return;
  }
  const PartitionReading want = worlds::read_partitions(disk, unreadable, partition_limits());
  compare_partitions(read, *table.value(), want);
  if (subject.sound && unreadable.empty()) check_meant(subject.meant, want);
  note_probes(subject, want);
  if (device.met_unreadable() && read.ok()) {
    (want.verdict == Verdict::kGpt ? kLostCopy : kLostLink).hit();
  }
  run.machine.digest(read.ok() ? table.value()->partitions().size() + 1 : 0);
}

// --- Real images

/// The sector size for which the second sector begins like a GPT; else what most disks have.
uint32_t guess_sector_bytes(std::span<const uint8_t> image) {
  constexpr std::string_view kSignature = "EFI PART";
  for (uint32_t bytes = 512; bytes <= 65536; bytes += 4) {
    if (image.size() >= bytes + kSignature.size() &&
        std::equal(kSignature.begin(), kSignature.end(), image.begin() + bytes)) {
      return bytes;
    }
  }
  return 512;
}

gen::SparseDisk disk_of(std::span<const uint8_t> image) {
  gen::SparseDisk disk;
  disk.sector_bytes = guess_sector_bytes(image);
  disk.sectors = image.size() / disk.sector_bytes;
  for (uint64_t sector = 0; sector < disk.sectors; ++sector) {
    const auto bytes = image.subspan(sector * disk.sector_bytes, disk.sector_bytes);
    if (std::any_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; })) {
      disk.contents[sector].assign(bytes.begin(), bytes.end());
    }
  }
  return disk;
}

void feed(sim::Feed& feed) {
  const gen::SparseDisk disk = disk_of(feed.bytes);
  const std::set<uint64_t> nothing;
  worlds::Disk medium = make_disk(disk, nothing);
  PartDevice device(medium);
  clay::Result<clay::Box<PartitionTable>> table = clay::make_box<PartitionTable>(kHalAllocMayWait);
  KILN_CHECK(table.ok(), "there is no memory for a table");
  const clay::Result<> read = table.value()->read(device);
  feed.out += std::to_string(disk.sectors) + " sectors of " + std::to_string(disk.sector_bytes) +
              " bytes\n" + describe(read, *table.value());
  compare_partitions(read, *table.value(),
                     worlds::read_partitions(disk, nothing, partition_limits()));
}

const sim::Target target{{
    .name = kPart,
    .purpose = "Partition tables, MBR and GPT, against a second reader, with read errors.",
    .run = run,
    .feed = feed,
    .feed_takes = "a disk image",
    .gate_inputs = 20'000,
    .longest_tape = 1024,
    .tags = "block,parser",
}};

} // namespace
} // namespace kiln::targets
