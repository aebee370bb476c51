#include "kernel-src/mm/kernel_mappings.h"

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

constinit LockClass kernel_mappings_class{"kernel-mappings"};

/// Whole pages for `bytes` from an offset in the first of them on.
Result<uint64_t> pages_for(uint64_t offset, uint64_t bytes) {
  if (bytes == 0) {
    return Error::kInvalid;
  }
  return align_up<uint64_t>(CLAY_TRY(checked_add(offset, bytes)), kPageBytes);
}

} // namespace

KernelMappings::KernelMappings(PageTable& table, AddressRanges& ranges, PageCache& pages)
    : table_(table), ranges_(ranges), cache_(pages), allocator_(pages.pages()),
      lock_(kernel_mappings_class) {}

// --- Devices

/// As aligned as the largest page that could map it, where there is room for that.
Result<uint64_t> KernelMappings::take_range(uint64_t physical, uint64_t bytes) {
  for (unsigned level = kLargestLeafLevel; level > 1; --level) {
    if (bytes >= span_of(level) && is_aligned(physical, span_of(level))) {
      const Result<uint64_t> taken = ranges_.allocate(bytes, span_of(level), kDevice);
      if (!taken.failed_with(Error::kNoSpace)) {
        return taken;
      }
    }
  }
  return ranges_.allocate(bytes, kPageBytes, kDevice);
}

Result<uint64_t> KernelMappings::map_device(uint64_t physical, uint64_t bytes,
                                            const PageRights& rights) {
  const uint64_t offset = physical % kPageBytes;
  const Result<uint64_t> whole = pages_for(offset, bytes);
  if (!whole.ok()) {
    return whole.failed_with(Error::kOverflow) ? Error::kOutOfRange : whole.error();
  }
  CLAY_TRY(table_.check_physical(physical - offset, whole.value()));
  const uint64_t address = CLAY_TRY(take_range(physical - offset, whole.value()));
  MutexGuard guard(lock_);
  const Result<> mapped = table_.map(address, physical - offset, whole.value(), rights);
  if (!mapped.ok()) {
    ranges_.free(address);
    return mapped.error();
  }
  hal_resource_taken(kHalMapping, this);
  return address + offset;
}

// --- Memory

Result<> KernelMappings::add_page(uint64_t address) {
  PageFrame* const page = cache_.allocate();
  if (page == nullptr) {
    return Error::kNoMemory;
  }
  const uint64_t physical = allocator_.number_of(*page) * kPageBytes;
  const Result<> mapped = table_.map(address, physical, kPageBytes, {.write = true});
  if (!mapped.ok()) {
    cache_.free(*page);
  }
  return mapped;
}

Result<uint64_t> KernelMappings::allocate(uint64_t bytes) {
  const Result<uint64_t> whole = pages_for(0, bytes);
  if (!whole.ok()) {
    return whole.failed_with(Error::kOverflow) ? Error::kNoMemory : whole.error();
  }
  if (whole.value() / kPageBytes > allocator_.managed()) {
    return Error::kNoMemory;
  }
  const uint64_t address = CLAY_TRY(ranges_.allocate(whole.value(), kPageBytes, kFresh));
  MutexGuard guard(lock_);
  for (uint64_t done = 0; done < whole.value(); done += kPageBytes) {
    const Result<> added = add_page(address + done);
    if (!added.ok()) {
      remove_pages(address, done);
      ranges_.free(address);
      return added.error();
    }
  }
  hal_resource_taken(kHalMapping, this);
  return address;
}

// --- Undoing

/// What is mapped there, by pages that end where the range does: nothing has to be split.
void KernelMappings::remove(uint64_t address, uint64_t bytes) {
  const Result<> unmapped = table_.unmap(address, bytes);
  CLAY_ASSERT(unmapped.ok());
}

/// The pages go once no CPU remembers them.
void KernelMappings::remove_pages(uint64_t address, uint64_t bytes) {
  PageList pages;
  for (uint64_t done = 0; done < bytes; done += kPageBytes) {
    const Mapping mapping = table_.find(address + done).value();
    pages.push_back(allocator_.frame_at(mapping.physical / kPageBytes));
  }
  if (bytes != 0) {
    remove(address, bytes);
  }
  while (PageFrame* const page = pages.pop_front()) {
    cache_.free(*page);
  }
}

void KernelMappings::unmap(uint64_t address) {
  const AddressRanges::Range range = ranges_.find(address).value();
  const uint64_t offset = address - range.address;
  CLAY_ASSERT((range.use == kDevice && offset < kPageBytes) ||
              (range.use == kFresh && offset == 0));
  {
    MutexGuard guard(lock_);
    range.use == kFresh ? remove_pages(range.address, range.bytes)
                        : remove(range.address, range.bytes);
  }
  ranges_.free(range.address); // nobody is handed them while a CPU remembers
  hal_resource_returned(kHalMapping, this);
}

} // namespace clay
