#include "targets/block/part_compare.h"

#include <cinttypes>
#include <iterator>

#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/boot/counted.h"

namespace kiln::targets {
namespace {

using clay::Error;
using clay::PartitionOddity;
using clay::PartitionRefusal;
using worlds::PartitionReading;
using worlds::TableFault;
using Counts = PartitionReading::Counts;
using Verdict = PartitionReading::Verdict;

#define KILN_PART_PROBE(id, text) {kPart, "counted: " text},
const sim::Probe kOddityProbes[] = {CLAY_PARTITION_ODDITIES(KILN_PART_PROBE)};
#undef KILN_PART_PROBE
#define KILN_PART_PROBE(id, text) {kPart, "refused: " text},
const sim::Probe kRefusalProbes[] = {CLAY_PARTITION_REFUSALS(KILN_PART_PROBE)};
#undef KILN_PART_PROBE
#define KILN_PART_PROBE(id, text) {kPart, "a backup: " text},
const sim::Probe kBackupProbes[] = {CLAY_GPT_REFUSALS(KILN_PART_PROBE)};
#undef KILN_PART_PROBE
constexpr auto kFirstOfCopy = static_cast<size_t>(PartitionRefusal::kOutside);

constexpr struct {
  TableFault fault;
  PartitionRefusal refusal;
} kReasons[] = {
    {TableFault::kNone, PartitionRefusal::kNone},
    {TableFault::kNoMedium, PartitionRefusal::kNoMedium},
    {TableFault::kSectorUnreadable, PartitionRefusal::kSectorUnreadable},
    {TableFault::kProtectiveStart, PartitionRefusal::kProtectiveStart},
    {TableFault::kBootIndicator, PartitionRefusal::kBootIndicator},
    {TableFault::kRecordOutside, PartitionRefusal::kRecordOutside},
    {TableFault::kRecordOverlap, PartitionRefusal::kRecordOverlap},
    {TableFault::kOutside, PartitionRefusal::kOutside},
    {TableFault::kHeaderUnreadable, PartitionRefusal::kHeaderUnreadable},
    {TableFault::kSignature, PartitionRefusal::kSignature},
    {TableFault::kRevision, PartitionRefusal::kRevision},
    {TableFault::kHeaderSize, PartitionRefusal::kHeaderSize},
    {TableFault::kHeaderSum, PartitionRefusal::kHeaderSum},
    {TableFault::kMyLba, PartitionRefusal::kMyLba},
    {TableFault::kUsable, PartitionRefusal::kUsable},
    {TableFault::kEntrySize, PartitionRefusal::kEntrySize},
    {TableFault::kNoEntries, PartitionRefusal::kNoEntries},
    {TableFault::kManyEntries, PartitionRefusal::kManyEntries},
    {TableFault::kEntriesPlace, PartitionRefusal::kEntriesPlace},
    {TableFault::kEntriesUnreadable, PartitionRefusal::kEntriesUnreadable},
    {TableFault::kEntriesSum, PartitionRefusal::kEntriesSum},
};
static_assert(std::size(kReasons) == clay::kPartitionRefusals);

constexpr struct {
  PartitionOddity kind;
  uint32_t Counts::* count;
} kCounts[] = {
    {PartitionOddity::kStrayGpt, &Counts::stray_gpt},
    {PartitionOddity::kHybrid, &Counts::hybrid},
    {PartitionOddity::kProtectiveSize, &Counts::protective_size},
    {PartitionOddity::kPrimaryBad, &Counts::primary_bad},
    {PartitionOddity::kBackupBad, &Counts::backup_bad},
    {PartitionOddity::kBackupDiffers, &Counts::backup_differs},
    {PartitionOddity::kBackupNotLast, &Counts::backup_not_last},
    {PartitionOddity::kAlternatePlace, &Counts::alternate_place},
    {PartitionOddity::kReserved, &Counts::reserved},
    {PartitionOddity::kSmallArray, &Counts::small_array},
    {PartitionOddity::kEnds, &Counts::ends},
    {PartitionOddity::kNotUsable, &Counts::not_usable},
    {PartitionOddity::kOverlap, &Counts::overlap},
    {PartitionOddity::kOnTable, &Counts::on_table},
    {PartitionOddity::kSameId, &Counts::same_id},
    {PartitionOddity::kNoId, &Counts::no_id},
    {PartitionOddity::kAttributes, &Counts::attributes},
    {PartitionOddity::kName, &Counts::name},
    {PartitionOddity::kFull, &Counts::full},
    {PartitionOddity::kEmptyRecord, &Counts::empty_record},
    {PartitionOddity::kUntypedRecord, &Counts::untyped_record},
    {PartitionOddity::kSecondExtended, &Counts::second_extended},
    {PartitionOddity::kChainUnreadable, &Counts::chain_unreadable},
    {PartitionOddity::kChainSignature, &Counts::chain_signature},
    {PartitionOddity::kChainLoop, &Counts::chain_loop},
    {PartitionOddity::kChainLong, &Counts::chain_long},
    {PartitionOddity::kLinkOutside, &Counts::link_outside},
    {PartitionOddity::kLinkLength, &Counts::link_length},
    {PartitionOddity::kLinkExtra, &Counts::link_extra},
    {PartitionOddity::kLogicalOutside, &Counts::logical_outside},
};
static_assert(std::size(kCounts) == clay::kPartitionOddities);

void check_verdict(const clay::Result<>& read, const clay::PartitionTable& table,
                   const PartitionReading& want) {
  switch (want.verdict) {
  case Verdict::kNoMedium:
    KILN_CHECK(read.failed_with(Error::kNoDevice), "a table is found without a medium");
    return;
  case Verdict::kCorrupt:
  case Verdict::kUnreadable: {
    const Error error = want.verdict == Verdict::kCorrupt ? Error::kCorrupt : Error::kIo;
    KILN_CHECK(!read.ok(), "a table is taken that cannot be believed or read");
    KILN_CHECK(read.error() == error, "it is refused: %s", clay::error_text(read.error()));
    return;
  }
  default:
    KILN_CHECK(read.ok(), "a sound table is refused: %s, %s",
               clay::partition_refusal_text(table.refusal()),
               clay::partition_refusal_text(table.backup_refusal()));
    KILN_CHECK((table.scheme() == clay::PartitionScheme::kGpt) == (want.verdict == Verdict::kGpt) &&
                   (table.scheme() == clay::PartitionScheme::kMbr) ==
                       (want.verdict == Verdict::kMbr),
               "the table is of another scheme");
  }
}

void check_reason(PartitionRefusal got, TableFault want, const char* whose) {
  for (const auto& reason : kReasons) {
    KILN_CHECK(reason.fault != want || got == reason.refusal, "%s: '%s', not '%s'", whose,
               clay::partition_refusal_text(got), clay::partition_refusal_text(reason.refusal));
  }
}

void check_reasons(const clay::PartitionTable& table, const PartitionReading& want) {
  check_reason(table.refusal(), want.fault, "the table");
  check_reason(table.backup_refusal(), want.backup_fault, "the backup");
  hit_counted(kRefusalProbes[static_cast<size_t>(table.refusal())],
              clay::partition_refusal_text(table.refusal()));
  if (table.backup_refusal() == PartitionRefusal::kNone) return;
  hit_counted(kBackupProbes[static_cast<size_t>(table.backup_refusal()) - kFirstOfCopy],
              clay::partition_refusal_text(table.backup_refusal()));
}

void check_oddities(const clay::PartitionTable& table, const PartitionReading& want) {
  for (const auto& count : kCounts) {
    const uint32_t wanted = want.counts.*count.count;
    KILN_CHECK(table.oddities(count.kind) == wanted, "%u times, not %u: %s",
               table.oddities(count.kind), wanted, clay::partition_oddity_text(count.kind));
    if (wanted == 0) continue;
    hit_counted(kOddityProbes[static_cast<size_t>(count.kind)],
                clay::partition_oddity_text(count.kind));
  }
}

bool same(const clay::Guid& got, const PartitionReading::Guid& want) {
  return std::equal(want.begin(), want.end(), std::begin(got.bytes));
}

void check_partition(const clay::Partition& got, const PartitionReading::Partition& want) {
  KILN_CHECK(got.number == want.number, "partition %u stands in place of %u", got.number,
             want.number);
  KILN_CHECK(got.first == want.first && got.last() == want.last,
             "partition %u is %" PRIu64 " to %" PRIu64 ", not %" PRIu64 " to %" PRIu64, got.number,
             got.first, got.last(), want.first, want.last);
  KILN_CHECK(got.sectors != 0, "partition %u is empty", got.number);
  KILN_CHECK(got.type == want.type && got.active == want.active,
             "partition %u is of type 0x%x, not 0x%x", got.number, got.type, want.type);
  KILN_CHECK(same(got.kind, want.kind) && same(got.id, want.id), "partition %u has other GUIDs",
             got.number);
  KILN_CHECK(got.attributes == want.attributes, "partition %u has attributes 0x%" PRIx64,
             got.number, got.attributes);
  const clay::StringView name = got.name.view();
  KILN_CHECK(name == clay::StringView(want.name.data(), want.name.size()),
             "partition %u is called '%.*s', not '%s'", got.number, static_cast<int>(name.size()),
             name.data(), want.name.c_str());
}

} // namespace

worlds::PartitionLimits partition_limits() {
  return {clay::PartitionTable::kMostPartitions, clay::PartitionTable::kMostLinks,
          clay::PartitionTable::kMostEntryBytes};
}

void compare_partitions(const clay::Result<>& read, const clay::PartitionTable& table,
                        const PartitionReading& want) {
  check_verdict(read, table, want);
  check_reasons(table, want);
  check_oddities(table, want);
  KILN_CHECK(table.partitions().size() == want.partitions.size(), "%zu partitions, not %zu",
             table.partitions().size(), want.partitions.size());
  for (size_t i = 0; i < want.partitions.size(); ++i) {
    check_partition(table.partitions()[i], want.partitions[i]);
  }
  KILN_CHECK(same(table.disk_id(), want.disk_id), "the disk has another GUID");
  KILN_CHECK(table.disk_signature() == want.disk_signature, "the disk's signature is 0x%x",
             table.disk_signature());
}

} // namespace kiln::targets
