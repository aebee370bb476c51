#pragma once
// What a CPU remembers of page tables.

#include <stdint.h>

extern "C" {

/// The calling CPU forgets what it remembers of translations of [first, last], both ends included,
/// by the tables whose top table lies at physical address `root`, and of how these tables are
/// linked, before the call returns. Other CPUs remember on. Never waits; any context but NMI, where
/// the caller keeps its CPU.
void hal_tlb_flush_local(uint64_t root, uint64_t first, uint64_t last);
}
