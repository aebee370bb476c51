#pragma once
// What a board is, as whoever wrote its tree knows it: the model that a kernel's own board
// description is held against. It knows nothing of a kernel's limits.

#include <cstdint>
#include <string>
#include <vector>

#include "generators/fdt/builder.h"

namespace kiln::gen::fdt {

struct Facts {
  struct Reserved {
    Range range;
    bool no_map = false;
  };

  std::string model;
  std::vector<Range> memory;      ///< usable, in the tree's order
  std::vector<Reserved> reserved; ///< the reservation block's, then /reserved-memory's
  std::vector<uint64_t> cpus;     ///< ids of those that run
  std::string bootargs;
  Range initrd;            ///< size 0: none
  bool has_serial = false; ///< /chosen names one
  Range serial;            ///< its registers, where a CPU sees them
  std::string serial_compatible;
};

} // namespace kiln::gen::fdt
