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

/// Where registers and interrupts lead, and why not.
void check_ways(const clay::fdt::Tree& got, const worlds::fdt::Tree& want);

/// That a blob is refused in the place where it is wrong, and for what is wrong there.
void check_refusal_holds(std::span<const uint8_t> bytes, const clay::fdt::Refused& why,
                         const worlds::fdt::Tree& want);

/// Every field and the exact count of what was left out; Clay's limits applied to `want`.
void check_board(const clay::Board& got, const worlds::fdt::Board& want);

/// The devices alone, and one interrupt.
void check_devices(const clay::Board& board, const worlds::fdt::Devices& want);
void check_optional_irq(const char* what, const clay::OptionalIrq& got,
                        const std::optional<worlds::fdt::Irq>& want);

/// The second reader against what the generator meant: the first proves itself against the second.
void check_meant(const worlds::fdt::Tree& read, const gen::fdt::Product& product);
void check_facts(const worlds::fdt::Board& read, const gen::fdt::Facts& facts);
/// `foreign`: interrupts that go to a controller other than the board's.
void check_facts(const worlds::fdt::Devices& read, const gen::fdt::Facts& facts, unsigned foreign);

} // namespace kiln::targets
