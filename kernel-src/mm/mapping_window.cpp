#include "kernel-src/mm/mapping_window.h"

#include <bit>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/mm/tlb_shootdown.h"

namespace clay {
namespace {

constexpr unsigned kNoSlot = MappingWindow::kMostSlots;

constexpr uint64_t first_bits(unsigned count) {
  return count == 64 ? UINT64_MAX : (uint64_t{1} << count) - 1;
}

} // namespace

MappingWindow::MappingWindow(PageTable& table, uint64_t address, unsigned slots)
    : table_(table), address_(address), slots_(slots), free_(first_bits(slots)) {
  CLAY_ASSERT(slots >= 1 && slots <= kMostSlots);
}

MappingWindow::~MappingWindow() {
  CLAY_ASSERT(free_.load(std::memory_order_relaxed) ==
              first_bits(slots_)); // a mapping has been left
  if (started_) {
    table_.unreserve(address_, slots_ * kPageBytes);
  }
}

Result<> MappingWindow::start() {
  CLAY_TRY(table_.reserve(address_, slots_ * kPageBytes));
  started_ = true;
  return {};
}

/// kNoSlot when none is free.
unsigned MappingWindow::take_slot() {
  uint64_t free = free_.load(std::memory_order_relaxed);
  // Acquire pairs with the release in unmap(): the slot's last mapping is gone.
  while (free != 0 &&
         !free_.compare_exchange_weak(free, free & (free - 1), std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
  }
  return static_cast<unsigned>(std::countr_zero(free)); // of none: kNoSlot
}

Result<uint64_t> MappingWindow::map(uint64_t physical) {
  CLAY_ASSERT(started_);
  CLAY_TRY(table_.check_physical(physical, kPageBytes));
  const unsigned slot = take_slot();
  if (slot == kNoSlot) {
    return Error::kTooMany;
  }
  const uint64_t address = address_ + slot * kPageBytes;
  table_.set_reserved(address, physical, {.write = true});
  hal_resource_taken(kHalMapping, this);
  return address;
}

/// Of the slot that an address of map() belongs to.
uint64_t MappingWindow::bit_of(uint64_t address) const {
  CLAY_ASSERT(address >= address_ && (address - address_) / kPageBytes < slots_);
  return uint64_t{1} << ((address - address_) / kPageBytes);
}

void MappingWindow::unmap(Span<const uint64_t> addresses) {
  StaleRanges stale(table_.root());
  uint64_t bits = 0;
  for (const uint64_t address : addresses) {
    bits |= bit_of(address);
    table_.clear_reserved(address, stale); // panics when it is unmapped twice
    hal_resource_returned(kHalMapping, this);
  }
  shoot_down(stale); // before anybody gets the slots
  free_.fetch_or(bits, std::memory_order_release);
}

} // namespace clay
