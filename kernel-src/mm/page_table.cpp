// A table's frame counts its entries in use (PageFrame::objects), so that one that has none is
// seen.

#include "kernel-src/mm/page_table.h"

#include "kernel-src/hal/annotate.h"
#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/mm/canonical.h"
#include "kernel-src/mm/tlb_shootdown.h"

namespace clay {
namespace {

constexpr bool is_page_aligned(uint64_t n) { return is_aligned<uint64_t>(n, kPageBytes); }

/// The part of `address`'s range that one entry of a level translates.
constexpr uint64_t first_of_entry(unsigned level, uint64_t address) {
  return align_down(address, span_of(level));
}

bool may_be(const PageRights& rights) { return !(rights.write && rights.execute); }

} // namespace

PageTable::PageTable(PageCache& pages, unsigned physical_bits)
    : cache_(pages), allocator_(pages.pages()), physical_bits_(physical_bits) {
  CLAY_ASSERT(physical_bits >= 32 && physical_bits <= 52);
}

PageTable::~PageTable() {
  if (root_ != nullptr) {
    PageList freed;
    free_below(*root_, kTopLevel, freed);
    freed.push_back(*root_);
    free_tables(freed);
  }
}

Result<> PageTable::start() {
  CLAY_ASSERT(root_ == nullptr);
  root_ = make_table();
  return root_ != nullptr ? Result<>() : Error::kNoMemory;
}

// --- Ranges

Result<PageTable::Range> PageTable::range_of(uint64_t address, uint64_t bytes) {
  if (bytes == 0 || !is_page_aligned(address) || !is_page_aligned(bytes)) {
    return Error::kInvalid;
  }
  const uint64_t last =
      CLAY_TRY(checked_add(address, bytes - 1).ok() ? checked_add(address, bytes - 1)
                                                    : Result<uint64_t>(Error::kOutOfRange));
  return is_canonical(address, last) ? Result<Range>(Range{address, last}) : Error::kOutOfRange;
}

Result<> PageTable::check_physical(uint64_t physical, uint64_t bytes) const {
  if (!is_page_aligned(physical)) {
    return Error::kInvalid;
  }
  const bool fits = range_within(physical, bytes, uint64_t{1} << physical_bits_);
  return fits ? Result<>() : Error::kOutOfRange;
}

// --- Tables

PageFrame& PageTable::table_of(PageEntry entry) const {
  return allocator_.frame_at(entry.physical() / kPageBytes);
}

PageTable::Entry& PageTable::entry_in(const PageFrame& table, unsigned index) const {
  static_assert(sizeof(Entry) * kEntriesPerTable == kPageBytes);
  return reinterpret_cast<Entry*>(allocator_.address_of(table))[index];
}

/// Relaxed: entries are written by the operation at hand, and by CPUs, which only set bits.
PageEntry PageTable::read(const Entry& entry) { return {entry.load(std::memory_order_relaxed)}; }

/// Empty, and not linked yet. Null when there is no memory.
PageFrame* PageTable::make_table() {
  PageFrame* const table = cache_.allocate();
  if (table != nullptr) {
    memset(allocator_.address_of(*table), 0, kPageBytes);
    table->objects = 0;
    ++tables_;
  }
  return table;
}

void PageTable::free_tables(PageList& tables) {
  while (PageFrame* const table = tables.pop_front()) {
    cache_.free(*table);
    --tables_;
  }
}

/// All tables below one.
void PageTable::free_below(PageFrame& table, unsigned level, PageList& freed) {
  for (unsigned i = 0; i < kEntriesPerTable && level > 1 && table.objects != 0; ++i) {
    const PageEntry entry = read(entry_in(table, i));
    if (entry.present() && !entry.maps_page(level)) {
      PageFrame& below = table_of(entry);
      free_below(below, level - 1, freed);
      freed.push_back(below);
    }
  }
}

// --- Walking

/// The entry that maps the page of an address, or the one on the way to it where nothing is.
PageTable::Place PageTable::leaf_place(uint64_t address) const {
  PageFrame* table = root_;
  for (unsigned level = kTopLevel;; --level) {
    Entry& entry = entry_in(*table, index_at(level, address));
    const PageEntry value = read(entry);
    if (!value.present() || value.maps_page(level)) {
      return {table, &entry, level};
    }
    table = &table_of(value);
  }
}

/// The entry of a level for an address, with tables made on the way: there is no larger page there.
Result<PageTable::Place> PageTable::make_place(uint64_t address, unsigned level) {
  PageFrame* table = root_;
  for (unsigned at = kTopLevel; at > level; --at) {
    Entry& entry = entry_in(*table, index_at(at, address));
    if (!read(entry).present()) {
      PageFrame* const below = make_table();
      if (below == nullptr) {
        return Error::kNoMemory;
      }
      // Release: whoever sees the table sees that it is empty.
      entry.store(PageEntry::table(physical_of(*below)).bits, std::memory_order_release);
      ++table->objects;
    }
    table = &table_of(read(entry));
  }
  return Place{table, &entry_in(*table, index_at(level, address)), level};
}

/// Of the largest page that begins at both addresses and has no more than `bytes`.
unsigned PageTable::level_for(uint64_t address, uint64_t physical, uint64_t bytes) {
  unsigned level = kLargestLeafLevel;
  while (level > 1 && (!is_aligned(address | physical, span_of(level)) || bytes < span_of(level))) {
    --level;
  }
  return level;
}

/// Calls visit(entry, part) for the entries of a table that a range touches, part being what the
/// range has of each; ends early, and returns false, when visit does.
template <typename Visit>
bool PageTable::for_entries(PageFrame& table, unsigned level, Range range, Visit visit) {
  for (uint64_t first = range.first;;) {
    const uint64_t entry_last = first_of_entry(level, first) + (span_of(level) - 1);
    const Range part{first, entry_last < range.last ? entry_last : range.last};
    if (!visit(entry_in(table, index_at(level, first)), part)) {
      return false;
    }
    if (part.last == range.last) {
      return true;
    }
    first = part.last + 1;
  }
}

bool PageTable::any_mapped(PageFrame& table, unsigned level, Range range) {
  return !for_entries(table, level, range, [&](Entry& entry, Range part) {
    const PageEntry value = read(entry);
    if (!value.present()) {
      return true;
    }
    return !value.maps_page(level) && !any_mapped(table_of(value), level - 1, part);
  });
}

bool PageTable::all_mapped(PageFrame& table, unsigned level, Range range) {
  return for_entries(table, level, range, [&](Entry& entry, Range part) {
    const PageEntry value = read(entry);
    return value.present() &&
           (value.maps_page(level) || all_mapped(table_of(value), level - 1, part));
  });
}

// --- Splitting

/// Puts a table of smaller pages in the place of a large one. A CPU may use the large one on until
/// a part of it is changed and shot down: it says the same (Intel SDM volume 3A, 4.10.2.3).
Result<> PageTable::split(const Place& place) {
  PageFrame* const table = make_table();
  if (table == nullptr) {
    return Error::kNoMemory;
  }
  table->objects = kEntriesPerTable;
  uint64_t seen = place.entry->load(std::memory_order_relaxed);
  do { // again when a CPU has set a bit meanwhile
    for (unsigned i = 0; i < kEntriesPerTable; ++i) {
      const PageEntry part = PageEntry{seen}.part(place.level, i);
      entry_in(*table, i).store(part.bits, std::memory_order_relaxed);
    }
  } while (!place.entry->compare_exchange_strong(seen, PageEntry::table(physical_of(*table)).bits,
                                                 std::memory_order_release,
                                                 std::memory_order_relaxed));
  return {};
}

/// Sees to it that no page lies on both sides of `address`.
Result<> PageTable::split_at(uint64_t address) {
  for (;;) {
    const Place place = leaf_place(address);
    if (!read(*place.entry).present() || is_aligned(address, span_of(place.level))) {
      return {};
    }
    CLAY_TRY(split(place));
  }
}

Result<> PageTable::split_borders(Range range) {
  CLAY_TRY(split_at(range.first));
  const bool at_end = range.last == UINT64_MAX || range.last == kLowerHalfEnd - 1;
  return at_end ? Result<>() : split_at(range.last + 1);
}

// --- Operations

/// No page lies across the range's borders. Whether there was anything.
bool PageTable::clear(PageFrame& table, unsigned level, Range range, PageList& freed) {
  bool any = false;
  for_entries(table, level, range, [&](Entry& entry, Range part) {
    const PageEntry value = read(entry);
    if (!value.present()) {
      return true;
    }
    if (!value.maps_page(level)) {
      PageFrame& below = table_of(value);
      any |= clear(below, level - 1, part, freed);
      if (below.objects != 0) {
        return true;
      }
      freed.push_back(below);
    }
    entry.store(0, std::memory_order_relaxed);
    --table.objects;
    any = true;
    return true;
  });
  return any;
}

/// Unmaps, and gives tables back once no CPU remembers them.
void PageTable::remove(Range range) {
  PageList freed;
  StaleRanges stale(root());
  if (clear(*root_, kTopLevel, range, freed)) {
    stale.add(range.first, range.last);
  }
  shoot_down(stale);
  free_tables(freed);
}

Result<> PageTable::map(uint64_t address, uint64_t physical, uint64_t bytes,
                        const PageRights& rights) {
  hal_waits_for_cpus("page table map");
  const Range range = CLAY_TRY(range_of(address, bytes));
  CLAY_TRY(check_physical(physical, bytes));
  if (!may_be(rights)) {
    return Error::kNotPermitted;
  }
  if (any_mapped(*root_, kTopLevel, range)) {
    return Error::kExists;
  }
  for (uint64_t done = 0; done < bytes;) {
    const unsigned level = level_for(address + done, physical + done, bytes - done);
    const Result<Place> place = make_place(address + done, level);
    if (!place.ok()) {
      remove(range);
      return place.error();
    }
    const PageEntry page = PageEntry::page(level, physical + done, rights);
    place.value().entry->store(page.bits, std::memory_order_release);
    ++place.value().table->objects;
    done += span_of(level);
  }
  return {};
}

Result<> PageTable::unmap(uint64_t address, uint64_t bytes) {
  hal_waits_for_cpus("page table unmap");
  const Range range = CLAY_TRY(range_of(address, bytes));
  CLAY_TRY(split_borders(range));
  remove(range);
  return {};
}

void PageTable::change(PageFrame& table, unsigned level, Range range, const PageRights& rights) {
  for_entries(table, level, range, [&](Entry& entry, Range part) {
    uint64_t seen = entry.load(std::memory_order_relaxed);
    if (!PageEntry{seen}.maps_page(level)) {
      change(table_of({seen}), level - 1, part, rights);
      return true;
    }
    while (!entry.compare_exchange_strong(seen, PageEntry{seen}.with_rights(rights).bits,
                                          std::memory_order_relaxed, std::memory_order_relaxed)) {
    }
    return true;
  });
}

Result<> PageTable::protect(uint64_t address, uint64_t bytes, const PageRights& rights) {
  hal_waits_for_cpus("page table protect");
  const Range range = CLAY_TRY(range_of(address, bytes));
  if (!may_be(rights)) {
    return Error::kNotPermitted;
  }
  if (!all_mapped(*root_, kTopLevel, range)) {
    return Error::kNotFound;
  }
  CLAY_TRY(split_borders(range));
  change(*root_, kTopLevel, range, rights);
  StaleRanges stale(root());
  stale.add(range.first, range.last);
  shoot_down(stale);
  return {};
}

// --- Reserved pages

/// Each page of the range counts as an entry of its table, mapped or not.
Result<> PageTable::reserve(uint64_t address, uint64_t bytes) {
  hal_waits_for_cpus("page table reserve");
  const Range range = CLAY_TRY(range_of(address, bytes));
  if (any_mapped(*root_, kTopLevel, range)) {
    return Error::kExists;
  }
  for (uint64_t done = 0; done < bytes; done += kPageBytes) {
    const Result<Place> place = make_place(address + done, 1);
    if (!place.ok()) {
      unreserve(address, done);
      remove(range); // tables on the way to the page that failed
      return place.error();
    }
    ++place.value().table->objects;
  }
  return {};
}

void PageTable::unreserve(uint64_t address, uint64_t bytes) {
  hal_waits_for_cpus("page table unreserve");
  for (uint64_t done = 0; done < bytes; done += kPageBytes) {
    --leaf_place(address + done).table->objects;
  }
  if (bytes != 0) {
    remove({address, address + (bytes - 1)});
  }
}

void PageTable::set_reserved(uint64_t address, uint64_t physical, const PageRights& rights) {
  Entry& entry = *leaf_place(address).entry;
  CLAY_ASSERT(!read(entry).present() && may_be(rights));
  entry.store(PageEntry::page(1, physical, rights).bits, std::memory_order_release);
}

void PageTable::clear_reserved(uint64_t address, StaleRanges& stale) {
  const Place place = leaf_place(address);
  CLAY_ASSERT(place.level == 1 && read(*place.entry).present());
  place.entry->store(0, std::memory_order_relaxed);
  stale.add(address, address + (kPageBytes - 1));
}

Result<Mapping> PageTable::find(uint64_t address) const {
  if (!is_canonical(address, address)) {
    return Error::kOutOfRange;
  }
  const Place place = leaf_place(address);
  const PageEntry value = read(*place.entry);
  if (!value.present()) {
    return Error::kNotFound;
  }
  const uint64_t span = span_of(place.level);
  return Mapping{value.physical() + address % span, span, value.rights()};
}

} // namespace clay
