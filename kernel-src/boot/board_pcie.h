#pragma once
// A board's PCIe hosts.

#include "kernel-src/boot/board_interrupts.h"

namespace clay {

/// Reads the host that `walk` is at. kNotFound: it cannot be used, which has been counted.
Result<PcieHost> read_pcie_host(const fdt::Walk& walk, BoardInterrupts& interrupts,
                                Oddities& oddities);

/// Whether the node is a host that Clay knows.
bool is_pcie_host(const fdt::Property& compatible);

} // namespace clay
