#pragma once
// What a devicetree says of a board, for oracles: written from the Devicetree Specification v0.4
// (2.2, 2.3, 3.3 to 3.8, 5.3) over the tree that fdt_reader.h reads.
//
// What makes no sense costs only the entry that it describes, and is counted.

#include <string_view>
#include <vector>

#include "worlds/firmware/fdt_reader.h"

namespace kiln::worlds::fdt {

struct Range {
  uint64_t base = 0;
  uint64_t size = 0;
  bool operator==(const Range&) const = default;
};

struct Board {
  struct Reserved {
    Range range;
    bool no_map = false;
  };

  std::string_view model;
  std::vector<Range> memory;
  std::vector<Reserved> reserved;
  std::vector<uint64_t> cpus;
  std::string_view bootargs;
  Range initrd;
  bool has_serial = false;
  Range serial;
  bool serial_translated = false; ///< its bus sees it at another address
  std::string_view serial_compatible;

  // --- What was left out
  unsigned reg_shape = 0;    ///< reg missing, or not whole entries of its parent's cells
  unsigned range_beyond = 0; ///< numbers or an end of more than 64 bits
  unsigned range_empty = 0;
  unsigned text_open = 0; ///< a text without NUL
  unsigned initrd_odd = 0;
  unsigned serial_path = 0;    ///< a console path to no node
  unsigned serial_address = 0; ///< a console that no CPU can reach
};

Board read_board(const Tree& tree);

} // namespace kiln::worlds::fdt
