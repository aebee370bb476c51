#pragma once
// A partition table in words, for `feed block/part`.

#include <string>

#include "kernel-src/block/partition_table.h"

namespace kiln::targets {

std::string describe(const clay::Result<>& read, const clay::PartitionTable& table);

} // namespace kiln::targets
