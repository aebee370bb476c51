#pragma once
// What a devicetree says of a board, for oracles: written from the Devicetree Specification v0.4
// (2.2, 2.3, 3.3 to 3.8, 5.3) over the tree that fdt_reader.h reads. Devices are fdt_devices.h's.
//
// What makes no sense costs only the entry that it describes, and is counted.

#include <string_view>
#include <vector>

#include "worlds/firmware/fdt_devices.h"

namespace kiln::worlds::fdt {

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
  std::optional<Irq> serial_irq;
  Devices devices;

  // --- What was left out
  unsigned reg_shape = 0;    ///< reg missing, or not whole entries of its parent's cells
  unsigned range_beyond = 0; ///< numbers or an end of more than 64 bits
  unsigned range_empty = 0;
  unsigned text_open = 0; ///< a text without NUL
  unsigned initrd_odd = 0;
  unsigned serial_path = 0;    ///< a console path to no node
  unsigned serial_address = 0; ///< a console that no CPU can reach
};

/// `most_maps`: an interrupt that passes more maps than that is lost; no rule of the specification
/// but the kernel's.
Board read_board(const Tree& tree, size_t most_maps);

} // namespace kiln::worlds::fdt
