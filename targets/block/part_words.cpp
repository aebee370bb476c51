#include "targets/block/part_words.h"

#include <cinttypes>
#include <cstdio>

namespace kiln::targets {
namespace {

using clay::PartitionOddity;
using clay::PartitionRefusal;

/// The first three fields are little-endian in memory.
std::string text_of(const clay::Guid& guid) {
  static constexpr uint8_t kOrder[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  std::string text;
  for (size_t i = 0; i < sizeof kOrder; ++i) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02X", unsigned{guid.bytes[kOrder[i]]});
    text += digits;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

std::string describe(const clay::Partition& partition, bool gpt) {
  char line[160];
  snprintf(line, sizeof line, "%u: sectors %" PRIu64 " to %" PRIu64, partition.number,
           partition.first, partition.last());
  std::string text = line;
  if (gpt) {
    const clay::StringView name = partition.name.view();
    snprintf(line, sizeof line, ", attributes 0x%" PRIx64, partition.attributes);
    text += ", type " + text_of(partition.kind) + ", GUID " + text_of(partition.id);
    text += (partition.attributes != 0 ? line : "");
    text += ", '" + std::string(name.data(), name.size()) + "'";
  } else {
    snprintf(line, sizeof line, ", type 0x%02x%s", unsigned{partition.type},
             partition.active ? ", active" : "");
    text += line;
  }
  return text + "\n";
}

std::string head_of(const clay::PartitionTable& table) {
  switch (table.scheme()) {
  case clay::PartitionScheme::kNone:
    return "no partition table\n";
  case clay::PartitionScheme::kMbr: {
    char line[64];
    snprintf(line, sizeof line, "master boot record, disk 0x%08x\n", table.disk_signature());
    return line;
  }
  case clay::PartitionScheme::kGpt:
    break;
  }
  return "GPT, disk " + text_of(table.disk_id()) + "\n";
}

} // namespace

std::string describe(const clay::Result<>& read, const clay::PartitionTable& table) {
  std::string text =
      read.ok() ? head_of(table) : std::string("refused: ") + clay::error_text(read.error()) + "\n";
  for (const clay::Partition& partition : table.partitions()) {
    text += describe(partition, table.scheme() == clay::PartitionScheme::kGpt);
  }
  if (table.refusal() != PartitionRefusal::kNone) {
    text += std::string("the table, or its primary copy: ") +
            clay::partition_refusal_text(table.refusal()) + "\n";
  }
  if (table.backup_refusal() != PartitionRefusal::kNone) {
    text +=
        std::string("the backup: ") + clay::partition_refusal_text(table.backup_refusal()) + "\n";
  }
  for (size_t i = 0; i < clay::kPartitionOddities; ++i) {
    const auto oddity = static_cast<PartitionOddity>(i);
    if (table.oddities(oddity) == 0) continue;
    text += std::to_string(table.oddities(oddity)) +
            " times: " + clay::partition_oddity_text(oddity) + "\n";
  }
  return text;
}

} // namespace kiln::targets
