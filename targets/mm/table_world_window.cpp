// The mapping window of a world of page tables.

#include "targets/mm/paging.h"
#include "targets/mm/table_world.h"

// The table, its MMU and the window are made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::mm {
namespace {

/// Mapped by one step: so many that more of them lie apart than a request to forget has ranges.
constexpr unsigned kManySlots = 2 * clay::StaleRanges::kMost + 1;
static_assert(kManySlots <= TableWorld::kSlots);

} // namespace

/// Small memories have no room for its tables.
void TableWorld::start_window() {
  window_.emplace(*table_, kWindow, kSlots);
  const size_t free = memory_.allocator.free_pages() + cache_.cached();
  const bool started = window_->start().ok();
  KILN_CHECK(started == (free >= 4), "a window is %s with %zu pages free",
             started ? "made" : "refused", free);
  if (started) {
    mmu_->except(kWindow, kSlots * 4096);
  } else {
    KILN_CHECK(table_->tables() == 1, "%zu tables are left of a window", table_->tables());
    window_.reset();
  }
  check();
}

/// Such ranges are not for anybody else.
bool TableWorld::meets_window(const TableStep& step) const {
  const auto end = static_cast<unsigned __int128>(step.address) + step.bytes;
  return window_ && step.address < kWindow + kSlots * 4096 && end > kWindow;
}

/// The n-th page of those in the window is not expected there any more.
uint64_t TableWorld::take_from_window(size_t n) {
  const uint64_t address = in_window_[n];
  in_window_[n] = in_window_.back();
  in_window_.pop_back();
  model_.unmap(address, address + 4095);
  forget_writes(address, address + 4095);
  return address;
}

void TableWorld::unmap_at_once(const std::vector<uint64_t>& addresses) {
  leaving_window_ += addresses.size();
  addresses.size() == 1 ? window_->unmap(addresses.front())
                        : window_->unmap(clay::Span<const uint64_t>(addresses));
  leaving_window_ -= addresses.size();
  for (const uint64_t address : addresses) {
    KILN_CHECK(window_busy_ > 1 || !mmu_->remembers_any(address, address),
               "a CPU remembers slot %llx of the window, which is unmapped",
               static_cast<ull>(address));
  }
}

/// Up to `most` pages at once, from the n-th on.
void TableWorld::unmap_from_window(size_t n, size_t most) {
  std::vector<uint64_t> addresses;
  for (; addresses.size() < most && !in_window_.empty(); n = 0) {
    addresses.push_back(take_from_window(n));
  }
  unmap_at_once(addresses);
}

/// No two of these touch, so that each is a range of its own as long as a request has room.
void TableWorld::unmap_every_other() {
  std::vector<uint64_t> addresses;
  for (size_t n = 0; n < in_window_.size();) {
    if ((in_window_[n] - kWindow) / 4096 % 2 == 0) {
      addresses.push_back(take_from_window(n));
    } else {
      ++n;
    }
  }
  if (addresses.size() > clay::StaleRanges::kMost) probes_.many_at_once.hit();
  unmap_at_once(addresses);
}

/// One with interrupts off: answers come from CPUs that may wait for one themselves.
void TableWorld::unmap_with_irqs_off(size_t n) {
  const bool were_on = hal_irq_save();
  own_request_[hal_cpu_id()] = in_window_[n];
  unmap_from_window(n, 1);
  own_request_[hal_cpu_id()] = 0;
  hal_irq_restore(were_on);
}

/// Whether a slot was free.
bool TableWorld::map_in_window(uint64_t physical) {
  const clay::Result<uint64_t> got = window_->map(physical);
  if (!got.ok()) {
    KILN_CHECK(got.error() == clay::Error::kTooMany, "the window refuses: %s",
               clay::error_text(got.error()));
    KILN_CHECK(in_window_.size() + leaving_window_ + window_busy_ > kSlots,
               "the window is full with %zu pages", in_window_.size());
    probes_.window_full.hit();
    return false;
  }
  const uint64_t address = got.value();
  KILN_CHECK(address % 4096 == 0 && address >= kWindow && address < kWindow + kSlots * 4096,
             "the window maps a page at %llx", static_cast<ull>(address));
  KILN_CHECK(!model_.find(address).has_value(), "a slot of the window is handed out twice");
  model_.map(address, address + 4095, physical, {true, false, false});
  in_window_.push_back(address);
  const auto before = slots_.find(address);
  if (before != slots_.end() && before->second != physical) probes_.window_again.hit();
  slots_[address] = physical;
  check_access(address, {}, mmu_->access(hal_cpu_id(), address, {}));
  return true;
}

void TableWorld::unmap_some(const TableStep& step) {
  const size_t n = step.which % in_window_.size();
  if ((step.which & 64) != 0) {
    unmap_with_irqs_off(n);
  } else if (step.which % 4 == 2) {
    unmap_every_other();
  } else {
    unmap_from_window(n, step.which % 5 == 0 ? in_window_.size() : 1);
  }
}

void TableWorld::use_window(const TableStep& step) {
  if (!window_) {
    return;
  }
  ++window_busy_;
  const uint64_t physical = step.physical & 0x0000'3FFF'FFFF'F000;
  bool mapped = true;
  for (unsigned left = step.which % 4 == 1 ? kManySlots : 1; left != 0 && mapped; --left) {
    mapped = map_in_window(physical ^ (uint64_t{left} - 1) * 4096);
  }
  if (!in_window_.empty() && (!mapped || step.which % 3 == 0)) {
    unmap_some(step);
  }
  --window_busy_;
}

/// As many slots as a window can have, all of them in use.
void TableWorld::check_largest_window() {
  constexpr unsigned kMost = clay::MappingWindow::kMostSlots;
  clay::MappingWindow window(*table_, kWindow, kMost);
  if (!window.start().ok()) {
    return; // for want of memory, or because a page is mapped there
  }
  std::vector<uint64_t> addresses;
  std::set<uint64_t> pages;
  for (uint64_t n = 0; n < kMost; ++n) {
    const clay::Result<uint64_t> got = window.map(n * 4096);
    KILN_CHECK(got.ok(), "a window of %u slots has no room for page %llu", kMost,
               static_cast<ull>(n));
    KILN_CHECK(got.value() >= kWindow && got.value() < kWindow + kMost * 4096,
               "the window maps a page at %llx", static_cast<ull>(got.value()));
    addresses.push_back(got.value());
    pages.insert(got.value() / 4096);
  }
  KILN_CHECK(pages.size() == kMost, "%zu slots are %u", pages.size(), kMost);
  KILN_CHECK(window.map(0).failed_with(clay::Error::kTooMany), "a window has too many slots");
  window.unmap(clay::Span<const uint64_t>(addresses));
}

/// Up to the last of all addresses.
void TableWorld::check_last_window() {
  constexpr uint64_t kFirst = UINT64_MAX - (2 * 4096 - 1);
  clay::MappingWindow window(*table_, kFirst, 2);
  if (!window.start().ok()) {
    return; // for want of memory, or because a page is mapped there
  }
  for (const uint64_t physical : {0x5000, 0x7000}) {
    const clay::Result<uint64_t> got = window.map(physical);
    KILN_CHECK(got.ok() && got.value() >= kFirst, "the last two pages are no window");
    const Mmu::Outcome seen = mmu_->access(hal_cpu_id(), got.value(), {});
    KILN_CHECK(!seen.fault && seen.physical == physical, "%llx is not mapped to %llx",
               static_cast<ull>(got.value()), static_cast<ull>(physical));
  }
  for (const uint64_t address : {kFirst + 4096, kFirst}) {
    window.unmap(address);
    KILN_CHECK(!mmu_->remembers_any(address, address), "a CPU remembers %llx, which is unmapped",
               static_cast<ull>(address));
  }
}

/// No window where a page is mapped or no addresses are, and no page of one that is none.
void TableWorld::check_window_refusals() {
  KILN_CHECK(
      clay::MappingWindow(*table_, kWindow + 8, 1).start().failed_with(clay::Error::kInvalid),
      "a window is made that begins in the middle of a page");
  KILN_CHECK(clay::MappingWindow(*table_, kLowerHalfEnd - 4096, 2)
                 .start()
                 .failed_with(clay::Error::kOutOfRange),
             "a window is made over addresses that no CPU has");
  KILN_CHECK(!window_ || window_->map(1).failed_with(clay::Error::kInvalid),
             "the window maps half a page");
  const bool behind = table_->map(kWindow + kSlots * 4096, 0, 4096, {}).ok();
  window_.reset();
  mmu_->except(0, 0); // its tables are gone
  if (behind) {
    KILN_CHECK(table_->find(kWindow + kSlots * 4096).ok(), "a page behind the window goes with it");
    KILN_CHECK(table_->unmap(kWindow + kSlots * 4096, 4096).ok(), "a page cannot be unmapped");
  }
  check();
  if (table_->map(kWindow + 4096, 0, 4096, {}).ok()) {
    KILN_CHECK(
        clay::MappingWindow(*table_, kWindow, kSlots).start().failed_with(clay::Error::kExists),
        "a window is made over a page that is mapped");
    KILN_CHECK(table_->unmap(kWindow, kSlots * 4096).ok(), "a page cannot be unmapped");
  }
}

} // namespace kiln::mm
// NOLINTEND(bugprone-unchecked-optional-access)
