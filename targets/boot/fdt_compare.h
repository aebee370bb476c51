#pragma once
// Oracles of boot/fdt: what Clay read against what others read in the same blob. Each check names
// the broken expectation and ends the run.

#include "generators/fdt.h"
#include "kernel-src/boot/board.h"
#include "worlds/firmware/fdt_board.h"
#include "worlds/firmware/fdt_reader.h"

namespace kiln::targets {

/// Every node, property, cell count and reg entry, in order, and the reservations.
void check_tree(const clay::fdt::Tree& got, const worlds::fdt::Tree& want);

/// Every field and the exact count of what was left out; Clay's limits applied to `want`.
void check_board(const clay::Board& got, const worlds::fdt::Board& want);

/// The second reader against what the generator meant: the first proves itself against the second.
void check_meant(const worlds::fdt::Tree& read, const gen::fdt::Product& product);
void check_facts(const worlds::fdt::Board& read, const gen::fdt::Facts& facts);

} // namespace kiln::targets
