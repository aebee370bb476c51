// What a reader of tables owes its caller when sectors cannot be read. Everything else about tables
// is the subject of block/part and of tests/worlds/partitions.

#include <gtest/gtest.h>
#include <memory>

#include "generators/gpt.h"
#include "kernel-src/block/partition_table.h"
#include "targets/block/part_device.h"
#include "tests/support/in_machine.h"

namespace clay::test {
namespace {

namespace gen = kiln::gen;

/// Reads the table of a plain, empty GPT of which one sector cannot be read: the n-th from the
/// beginning or, below 0, from the end.
Result<> read_without(int64_t sector, PartitionTable& table) {
  kiln::sim::Tape tape{std::span<const uint8_t>()};
  const gen::SparseDisk contents = gen::make_gpt(tape).disk;
  const auto lost =
      static_cast<uint64_t>(sector < 0 ? static_cast<int64_t>(contents.sectors) + sector : sector);
  kiln::worlds::Disk disk = kiln::targets::make_disk(contents, {lost});
  kiln::targets::PartDevice device(disk);
  return table.read(device);
}

TEST(PartitionTable, AReadErrorIsNoEmptyTable) {
  const kiln::sim::Outcome outcome = kiln::test::run_in_machine([](kiln::sim::Run&) {
    const std::unique_ptr<PartitionTable> table(new PartitionTable);
    KILN_CHECK(read_without(0, *table).failed_with(Error::kIo), "an unreadable table is taken");
    KILN_CHECK(table->refusal() == PartitionRefusal::kSectorUnreadable, "%s",
               partition_refusal_text(table->refusal()));
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

TEST(PartitionTable, TheBackupCountsWhenThePrimaryCannotBeRead) {
  const kiln::sim::Outcome outcome = kiln::test::run_in_machine([](kiln::sim::Run&) {
    for (const int64_t lost : {1, 2}) { // the header, the first entries
      const std::unique_ptr<PartitionTable> table(new PartitionTable);
      KILN_CHECK(read_without(lost, *table).ok(), "the backup is not used");
      KILN_CHECK(table->scheme() == PartitionScheme::kGpt, "it is no GPT");
      KILN_CHECK(table->oddities(PartitionOddity::kPrimaryBad) == 1, "and nobody hears of it");
    }
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

TEST(PartitionTable, ALostBackupIsReportedBeforeItIsNeeded) {
  const kiln::sim::Outcome outcome = kiln::test::run_in_machine([](kiln::sim::Run&) {
    const std::unique_ptr<PartitionTable> table(new PartitionTable);
    KILN_CHECK(read_without(-1, *table).ok(), "a sound primary is refused");
    KILN_CHECK(table->oddities(PartitionOddity::kBackupBad) == 1, "nobody hears of it");
    KILN_CHECK(table->backup_refusal() == PartitionRefusal::kHeaderUnreadable, "%s",
               partition_refusal_text(table->backup_refusal()));
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

} // namespace
} // namespace clay::test
