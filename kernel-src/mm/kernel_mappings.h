#pragma once
// What the kernel maps for itself, at addresses of its own choice: the registers of devices, and
// memory in a row that need not be so physically.
//
//   KernelMappings mappings(table, ranges, cache);
//   uint64_t registers = CLAY_TRY(mappings.map_device(0xFEB0'0010, 256, {.write = true}));
//   uint64_t buffer = CLAY_TRY(mappings.allocate(300'000));
//   ...
//   mappings.unmap(buffer);
//   mappings.unmap(registers);
//
// Nothing has changed when one fails. Guard pages lie around each (address_ranges.h). When unmap()
// returns no CPU can use the addresses, and only then are pages and addresses given to others.
// Whether devices' pages are cached is what the CPU's MTRRs say of them: the entries ask for
// write-back, which MTRRs overrule (Intel SDM volume 3A, 11.5.2.2).
//
// A mapping is undone once, by the address that it was given; of a device, another in its first
// page will do. Anything else is a bug and panics, ranges that somebody else took included. One
// that is left is a leak (kHalMapping). Task context, nothing held: calls wait for each other, and
// for other CPUs: unmap(), map_device() and allocate() when they fail. Interrupts are off on the
// calling CPU until the slowest of the others has answered (tlb_shootdown.h).

#include <stdint.h>

#include "kernel-src/mm/address_ranges.h"
#include "kernel-src/mm/page_table.h"
#include "kernel-src/sync/mutex.h"

namespace clay {

class KernelMappings {
 public:
  /// All of them outlive it. Nobody else operates on the table, mapping windows aside. Ranges that
  /// others take have a use (AddressRanges::Range) of neither 1 nor 2.
  KernelMappings(PageTable& table, AddressRanges& ranges, PageCache& pages);
  KernelMappings(const KernelMappings&) = delete;
  KernelMappings& operator=(const KernelMappings&) = delete;

  /// Where the `bytes` from physical address `physical` on can be used: on the same place of its
  /// page. By large pages where they fit, if the first physical page is itself aligned to them and
  /// there is room for a range that is. kInvalid when `bytes` is 0, kOutOfRange for addresses
  /// that the CPU does not have, kNotPermitted for rights to write and execute, kNoSpace,
  /// kNoMemory.
  Result<uint64_t> map_device(uint64_t physical, uint64_t bytes, const PageRights& rights);
  /// Fresh pages for `bytes`, to be read and written; contents undefined. kInvalid when `bytes` is
  /// 0, kNoSpace, kNoMemory; the latter before anything is taken from others when `bytes` are more
  /// than all memory.
  Result<uint64_t> allocate(uint64_t bytes);
  /// Undoes either.
  void unmap(uint64_t address);

 private:
  enum Use : uint8_t { kOther, kDevice, kFresh }; ///< of a range; kOther is the default

  Result<uint64_t> take_range(uint64_t physical, uint64_t bytes);

  // With lock_ held.
  Result<> add_page(uint64_t address);
  void remove(uint64_t address, uint64_t bytes);
  void remove_pages(uint64_t address, uint64_t bytes);

  PageTable& table_;
  AddressRanges& ranges_;
  PageCache& cache_;
  PageAllocator& allocator_;
  Mutex lock_; ///< of the table
};

} // namespace clay
