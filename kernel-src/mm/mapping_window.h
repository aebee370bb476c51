#pragma once
// Addresses by which any page of physical memory is reached for a moment: a few slots of one page
// each, whose tables are made once, so that a mapping never fails for want of memory.
//
//   MappingWindow window(table, kWindowAddress, 16);
//   CLAY_TRY(window.start());                         // with the lock of the page table held
//   uint64_t address = CLAY_TRY(window.map(physical));
//   ...
//   window.unmap(address);
//
// Every mapping is undone: one that is left is a leak (kHalMapping), and panics when the window
// goes. map() and unmap(): any context but NMI, beside each other and beside operations on the page
// table, none of which may touch the window's range. map() waits for nobody; unmap() spins until
// all other CPUs have forgotten the page: with no lock held that is waited for with interrupts off,
// which they are on the calling CPU until the slowest of the others has answered (tlb_shootdown.h).
// Several pages cost one such wait when they are unmapped together.

#include <atomic>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/mm/page_table.h"

namespace clay {

class MappingWindow {
 public:
  static constexpr unsigned kMostSlots = 64;

  /// 1 to kMostSlots pages of addresses from `address` on; the table must outlive the window.
  MappingWindow(PageTable& table, uint64_t address, unsigned slots);
  ~MappingWindow();
  MappingWindow(const MappingWindow&) = delete;
  MappingWindow& operator=(const MappingWindow&) = delete;

  /// Makes the tables; once. Errors of PageTable::reserve.
  Result<> start();

  /// Where the page at `physical` can be read and written. kTooMany when all slots are in use,
  /// kInvalid when it is no multiple of kPageBytes, kOutOfRange when no CPU has such an address.
  Result<uint64_t> map(uint64_t physical);
  /// `address` is what map() returned. No CPU remembers it afterwards.
  void unmap(uint64_t address) { unmap(Span<const uint64_t>(&address, 1)); }
  void unmap(Span<const uint64_t> addresses);

 private:
  unsigned take_slot();
  uint64_t bit_of(uint64_t address) const;

  PageTable& table_;
  const uint64_t address_;
  const unsigned slots_;
  bool started_ = false;
  std::atomic<uint64_t> free_; ///< bit n: slot n is free
};

} // namespace clay
