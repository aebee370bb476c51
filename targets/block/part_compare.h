#pragma once
// What the kernel made of a partition table against what the second reader did.

#include "kernel-src/block/partition_table.h"
#include "worlds/partitions/reader.h"

namespace kiln::targets {

inline constexpr const char* kPart = "block/part";

/// The kernel's limits, for the second reader.
worlds::PartitionLimits partition_limits();

/// Verdict, reasons, partitions and the count of everything that made no sense.
void compare_partitions(const clay::Result<>& read, const clay::PartitionTable& table,
                        const worlds::PartitionReading& want);

} // namespace kiln::targets
