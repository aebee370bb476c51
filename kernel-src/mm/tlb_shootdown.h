#pragma once
// Has all CPUs forget translations that are no longer true. A CPU can only make itself forget, so
// the others are asked by interrupt kHalTlbIrq, and shoot_down() returns once each has done it:
// only then may what the translations led to, and the tables that they went through, be used for
// something else.
//
// Every CPU has a mailbox of one word. Half of its bits say which CPUs ask this one, the other half
// which CPUs have not yet answered its own request. Interrupts are off from the request to the last
// answer, so a CPU has at most one request out, which is kept for the others to read until then.
// Two that come at once are two bits; one that comes while another is served finds its bit set and
// raises the interrupt again: none is lost.
//
// Nobody waits for good. A CPU that waits serves those that ask it, so two may ask each other with
// interrupts off. Any other CPU takes the interrupt as soon as it turns interrupts on; idle ones,
// too. What is left is the rule for callers:
//
//   Hold no lock that anybody waits for with interrupts off, so no IrqSpinLock. A CPU that spins
//   for it with interrupts off would answer when it has the lock, and its holder waits for the
//   answer.
//
// Any context but NMI. Interrupts are off on the calling CPU until the slowest of the others has
// answered, whatever the caller had.

#include "kernel-src/mm/stale_ranges.h"

namespace clay {

/// When it returns, no CPU remembers a translation of these ranges, or how the tables were linked.
/// Of none it does nothing, but the rule for callers holds.
void shoot_down(const StaleRanges& stale);

/// Connects the interrupt. Once, at boot, before page tables are changed.
void boot_tlb_shootdown();

} // namespace clay
