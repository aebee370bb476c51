// Outside judges: what sfdisk (util-linux) and sgdisk (gdisk) make of generated tables, against the
// second reader, which the kernel is held against in every input of block/part.
//
// The rules: a table that the second reader takes without a remark is taken by both, with the same
// partitions and, by sgdisk -v, without a problem. And the other way round: where they have nothing
// to say and the second reader has, one of the reasons below says whose rule that is. No other
// disagreement is allowed.

#include <algorithm>
#include <gtest/gtest.h>

#include "generators/gpt.h"
#include "generators/mbr.h"
#include "tests/worlds/partitions/tools.h"
#include "worlds/partitions/reader.h"

namespace kiln::test {
namespace {

using worlds::PartitionReading;
using worlds::TableFault;
using Counts = PartitionReading::Counts;
using Verdict = PartitionReading::Verdict;

constexpr worlds::PartitionLimits kLimits = {128, 64, 256 * 1024};

struct Case {
  std::string name;
  PartitionReading reading;
  std::string image;

  bool is_taken() const {
    return reading.verdict == Verdict::kGpt || reading.verdict == Verdict::kMbr;
  }
  bool has(uint32_t Counts::* count) const { return reading.counts.*count != 0; }
  bool has_fault(std::initializer_list<TableFault> faults) const {
    return std::find(faults.begin(), faults.end(), reading.fault) != faults.end();
  }
  bool has_remarks() const {
    const auto* counts = reinterpret_cast<const uint32_t*>(&reading.counts);
    return std::any_of(counts, counts + sizeof(Counts) / sizeof(uint32_t),
                       [](uint32_t count) { return count != 0; });
  }
  std::set<Listed> partitions() const {
    std::set<Listed> listed;
    for (const PartitionReading::Partition& partition : reading.partitions) {
      listed.insert({partition.number, partition.first, partition.last - partition.first + 1});
    }
    return listed;
  }
};

/// A disagreement that is settled: `applies` to it, and why the second reader is right.
struct Settled {
  bool (*applies)(const Case& c);
  const char* why;
};

bool is_settled(std::span<const Settled> rules, const Case& c) {
  return std::any_of(rules.begin(), rules.end(),
                     [&](const Settled& rule) { return rule.applies(c); });
}

constexpr Settled kSfdisk[] = {
    {[](const Case& c) {
       return c.has_fault({TableFault::kRevision, TableFault::kEntrySize, TableFault::kUsable,
                           TableFault::kEntriesPlace});
     },
     "UEFI 5.3.2, table 5.5 and 5.3.1: revision 1.0, entries of 128 * 2^n bytes, between header "
     "and "
     "what is usable. libfdisk looks at the sums alone"},
    {[](const Case& c) { return c.has(&Counts::primary_bad) || c.has(&Counts::backup_bad); },
     "the same, of one copy"},
    {[](const Case& c) { return c.has_fault({TableFault::kManyEntries}); },
     "a limit of the kernel, 256 KiB of entries"},
    {[](const Case& c) { return c.has_fault({TableFault::kProtectiveStart}); },
     "UEFI 5.2.3, table 5.4: the protective record begins at 1"},
    {[](const Case& c) {
       return c.reading.verdict == Verdict::kCorrupt && c.reading.fault >= TableFault::kOutside;
     },
     "a GPT that is refused: sfdisk shows its protective record as a partition"},
    {[](const Case& c) {
       return c.has_fault(
           {TableFault::kBootIndicator, TableFault::kRecordOutside, TableFault::kRecordOverlap});
     },
     "UEFI 5.2.1: such a record makes the whole table invalid. sfdisk lists it and leaves the rest "
     "to --verify"},
    {[](const Case& c) { return c.has(&Counts::empty_record) || c.has(&Counts::untyped_record); },
     "UEFI 5.2.1, table 5.2: without a type or without sectors a record is not in use"},
    {[](const Case& c) {
       return c.has(&Counts::ends) || c.has(&Counts::not_usable) || c.has(&Counts::overlap) ||
              c.has(&Counts::on_table) || c.has(&Counts::logical_outside);
     },
     "UEFI 5.3.1: partitions lie in what is usable and do not overlap. sfdisk lists what is "
     "written"},
    {[](const Case& c) { return c.has(&Counts::full); }, "a limit of the kernel, 128 partitions"},
    {[](const Case& c) {
       return c.has(&Counts::chain_loop) || c.has(&Counts::chain_signature) ||
              c.has(&Counts::link_extra) || c.has(&Counts::second_extended) ||
              c.has(&Counts::chain_long) || c.has(&Counts::link_outside);
     },
     "a chain that leads back or astray: sfdisk goes on to its limit of 60 partitions"},
};

constexpr Settled kSgdisk[] = {
    {[](const Case& c) { return c.has(&Counts::hybrid); },
     "UEFI 5.2.3: a protective record stands alone. sgdisk makes hybrid records itself"},
    {[](const Case& c) {
       return c.has(&Counts::attributes) || c.has(&Counts::reserved) || c.has(&Counts::name) ||
              c.has(&Counts::same_id) || c.has(&Counts::no_id) || c.has(&Counts::protective_size);
     },
     "UEFI 5.3.2 and 5.3.3 want them so; sgdisk does not look"},
    {[](const Case& c) { return c.has(&Counts::small_array); },
     "UEFI 5.3.1: 16 KiB are reserved for entries. sgdisk warns and counts no problem"},
    {[](const Case& c) { return c.has(&Counts::full); }, "a limit of the kernel, 128 partitions"},
    {[](const Case& c) { return c.has_fault({TableFault::kManyEntries}); },
     "a limit of the kernel, 256 KiB of entries"},
    {[](const Case& c) { return c.has_fault({TableFault::kProtectiveStart}); },
     "UEFI 5.2.3, table 5.4: the protective record begins at 1"},
    {[](const Case& c) { return c.has(&Counts::stray_gpt); },
     "UEFI 5.2.3: a GPT has a protective record. sgdisk is there to repair"},
};

void judge_by_sfdisk(const Case& c) {
  const SfdiskVerdict verdict = ask_sfdisk(c.image);
  const std::string label = c.reading.verdict == Verdict::kGpt   ? "gpt"
                            : c.reading.verdict == Verdict::kMbr ? "dos"
                                                                 : "";
  const std::set<Listed> ours = c.partitions();
  const bool agrees = verdict.label == label && verdict.partitions == ours;
  // Its documented limit: MAXIMUM_PARTS.
  const bool within_limit = std::all_of(ours.begin(), ours.end(), [](const Listed& partition) {
    return std::get<0>(partition) <= 60;
  });
  EXPECT_TRUE(agrees || !within_limit || is_settled(kSfdisk, c))
      << c.name << ": sfdisk says '" << verdict.label << "' with " << verdict.partitions.size()
      << " partitions, the second reader '" << label << "' with " << ours.size();
}

void judge_by_sgdisk(const Case& c) {
  const SgdiskVerdict verdict = ask_sgdisk(c.image);
  if (verdict.other_entries) return; // what it says is of entries that are not there
  const bool clean = c.reading.verdict == Verdict::kGpt && !c.has_remarks();
  const bool agrees = verdict.clean == clean && (!clean || verdict.partitions == c.partitions());
  EXPECT_TRUE(agrees || is_settled(kSgdisk, c))
      << c.name << ": sgdisk " << (verdict.clean ? "finds no problem" : "finds problems") << " and "
      << verdict.partitions.size() << " partitions, the second reader "
      << c.reading.partitions.size() << (c.has_remarks() ? " with" : " without")
      << " remarks, its verdict is " << static_cast<unsigned>(c.reading.verdict) << ", fault "
      << static_cast<unsigned>(c.reading.fault);
}

/// Those that the tools can be asked about: sectors of 512 bytes, and a size that files can have.
bool can_be_asked(const gen::SparseDisk& disk) {
  return disk.sector_bytes == 512 && disk.sectors >= 1 && disk.sectors <= uint64_t{1} << 32;
}

template <typename Product> void judge(size_t tables, Product (*make)(sim::Tape&), bool by_sgdisk) {
  const ImageFolder folder;
  const std::set<uint64_t> nothing;
  for (uint64_t i = 0; tables != 0; ++i) {
    sim::Tape tape(sim::SeededInput{"block/part", 2, i, 1024});
    const Product product = make(tape);
    if (!can_be_asked(product.disk)) continue;
    --tables;
    const Case c{"input " + std::to_string(i) + ", lie " +
                     std::to_string(static_cast<unsigned>(product.lie)),
                 worlds::read_partitions(product.disk, nothing, kLimits),
                 folder.write("disk" + std::to_string(i) + ".img", product.disk)};
    judge_by_sfdisk(c);
    if (by_sgdisk) judge_by_sgdisk(c);
    std::filesystem::remove(c.image);
  }
}

TEST(PartitionJudges, AgreeAboutGpts) {
  if (gates::find_program("sfdisk").empty()) GTEST_SKIP() << "sfdisk is missing: install fdisk";
  if (gates::find_program("sgdisk").empty()) GTEST_SKIP() << "sgdisk is missing: install gdisk";
  judge(150, gen::make_gpt, true);
}

TEST(PartitionJudges, AgreeAboutMasterBootRecords) {
  if (gates::find_program("sfdisk").empty()) GTEST_SKIP() << "sfdisk is missing: install fdisk";
  judge(120, gen::make_mbr, false);
}

} // namespace
} // namespace kiln::test
