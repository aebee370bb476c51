#pragma once
// What a worker does with mutants before it boots the machine: what it boots with holds until it
// ends.

#include <cstdint>
#include <vector>

namespace kiln::gates {

struct BootPlan {
  std::vector<uint32_t> armed; ///< numbers in sim::mutant_table()
  int64_t loop_fuel = 0;       ///< 0: no limit
  bool record = false;         ///< notes the sites that the boot visits (RecordDone::boot_sites)
};

} // namespace kiln::gates
