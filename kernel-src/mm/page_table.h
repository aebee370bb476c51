#pragma once
// The page tables of an address space, x86-64 with four levels: pages of 4 KiB, 2 MiB and 1 GiB.
//
//   PageTable table(cache, 46);                     // physical addresses have 46 bits
//   CLAY_TRY(table.start());
//   CLAY_TRY(table.map(address, physical, bytes, {.write = true}));
//   CLAY_TRY(table.protect(address, kPageBytes, {.execute = true}));
//   CLAY_TRY(table.unmap(address, bytes));
//
// Ranges are mapped by the largest pages that fit; a large page of which a part is changed is
// split, which takes memory. Tables without entries are given back. No page is both written and
// executed. Nothing has changed when an operation fails. CPUs may walk the tables at any moment:
// they see the old state or the new one, entry by entry, and when an operation returns none
// remembers the old.
//
// One operation at a time: the caller has a lock for it, a Mutex or a SpinLock that nobody takes
// with interrupts off. map, unmap, protect, reserve and unreserve spin until all other CPUs have
// forgotten what has changed: in any context but NMI, with no lock held that is waited for with
// interrupts off (tlb_shootdown.h).
//
// Errors of all: kInvalid for what is no multiple of kPageBytes or empty, kOutOfRange for addresses
// that are not canonical, go round the end, or are larger than the CPU's; kNoMemory.

#include <atomic>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/mm/page_cache.h"
#include "kernel-src/mm/page_entry.h"
#include "kernel-src/mm/stale_ranges.h"

namespace clay {

/// How an address is translated.
struct Mapping {
  uint64_t physical;   ///< of the address itself
  uint64_t page_bytes; ///< size of the page that it lies in
  PageRights rights;
};

class PageTable {
 public:
  explicit PageTable(PageCache& pages, unsigned physical_bits);
  /// No CPU uses the tables any more. What is mapped need not be unmapped.
  ~PageTable();
  PageTable(const PageTable&) = delete;
  PageTable& operator=(const PageTable&) = delete;

  /// Makes the top table; once, before everything else.
  Result<> start();
  /// Its physical address, for the CPU.
  uint64_t root() const { return physical_of(*root_); }

  /// kExists when a page in the range is mapped; kNotPermitted for rights to write and execute.
  Result<> map(uint64_t address, uint64_t physical, uint64_t bytes, const PageRights& rights);
  /// What is not mapped in the range is passed over.
  Result<> unmap(uint64_t address, uint64_t bytes);
  /// kNotFound when a page in the range is not mapped; kNotPermitted as above.
  Result<> protect(uint64_t address, uint64_t bytes, const PageRights& rights);

  // --- Pages whose tables stay, so that setting one takes no memory: for a mapping window. The
  // range is left alone by all other operations.

  /// Makes the tables for pages of 4 KiB and keeps them. kExists when a page is mapped there.
  Result<> reserve(uint64_t address, uint64_t bytes);
  /// The tables need not stay any longer; no page is mapped there.
  void unreserve(uint64_t address, uint64_t bytes);
  /// Any context, beside other operations. `address` is reserved, and nothing is mapped there.
  void set_reserved(uint64_t address, uint64_t physical, const PageRights& rights);
  /// The same; something is mapped there. CPUs remember it until the caller has shot `stale` down,
  /// to which it is added.
  void clear_reserved(uint64_t address, StaleRanges& stale);

  /// Whether the CPU has these physical addresses: kInvalid, kOutOfRange.
  Result<> check_physical(uint64_t physical, uint64_t bytes) const;

  /// kNotFound where nothing is mapped. `address` need not be aligned.
  Result<Mapping> find(uint64_t address) const;

  /// Tables in use, the top one included.
  size_t tables() const { return tables_; }

 private:
  using Entry = std::atomic<uint64_t>;
  /// Both ends included, so that a range may end where addresses do.
  struct Range {
    uint64_t first;
    uint64_t last;
  };
  /// An entry and where it is.
  struct Place {
    PageFrame* table;
    Entry* entry;
    unsigned level;
  };

  static Result<Range> range_of(uint64_t address, uint64_t bytes);

  uint64_t physical_of(const PageFrame& table) const {
    return allocator_.number_of(table) * kPageBytes;
  }
  PageFrame& table_of(PageEntry entry) const;
  Entry& entry_in(const PageFrame& table, unsigned index) const;
  static PageEntry read(const Entry& entry);

  PageFrame* make_table();
  void free_tables(PageList& tables);
  void free_below(PageFrame& table, unsigned level, PageList& freed);

  Place leaf_place(uint64_t address) const;
  Result<Place> make_place(uint64_t address, unsigned level);
  static unsigned level_for(uint64_t address, uint64_t physical, uint64_t bytes);

  template <typename Visit>
  bool for_entries(PageFrame& table, unsigned level, Range range, Visit visit);
  bool any_mapped(PageFrame& table, unsigned level, Range range);
  bool all_mapped(PageFrame& table, unsigned level, Range range);
  bool clear(PageFrame& table, unsigned level, Range range, PageList& freed);
  void change(PageFrame& table, unsigned level, Range range, const PageRights& rights);
  Result<> split_at(uint64_t address);
  Result<> split(const Place& place);
  Result<> split_borders(Range range);
  void remove(Range range);

  PageCache& cache_;
  PageAllocator& allocator_;
  const unsigned physical_bits_;
  PageFrame* root_ = nullptr;
  size_t tables_ = 0;
};

} // namespace clay
