#pragma once
// What CPUs remember of page tables.

#include <stdint.h>

extern "C" {

/// Every CPU forgets what it remembers of translations of [address, address + bytes) by the tables
/// whose top table lies at physical address `root`, and of how these tables are linked, before the
/// call returns. `bytes` is not 0; address + bytes may be 2^64. Never waits; any context but NMI.
void hal_tlb_flush(uint64_t root, uint64_t address, uint64_t bytes);
}
