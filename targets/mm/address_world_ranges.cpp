// Ranges that are taken and given back, windows, and pages held so that memory is short.

#include <utility>

#include "targets/mm/address_world.h"
#include "targets/mm/paging.h"

// Everything is made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::mm {
namespace {

using Wide = unsigned __int128;

constexpr uint64_t kPage = 4096;

/// What a machine's CPUs cannot address, or what is not made of pages.
std::optional<clay::Error> window_fault(const AddressWindow& window) {
  const bool lower = window.last < kLowerHalfEnd;
  const bool upper = window.first >= kUpperHalf;
  if (window.first > window.last || (!lower && !upper)) {
    return clay::Error::kOutOfRange;
  }
  const Wide bytes = Wide{window.last} + 1 - window.first;
  const bool pages = window.first % kPage == 0 && bytes % kPage == 0 && bytes >= 3 * kPage;
  return pages ? std::nullopt : std::optional(clay::Error::kInvalid);
}

} // namespace

// --- Ranges

void AddressWorld::note_range(uint64_t address, uint64_t bytes, uint64_t align) {
  const size_t gaps = model_.gaps();
  model_.add(address, bytes, align);
  if (model_.gaps() < gaps) probes_.exact.hit();
  if (address + (bytes - 1) == UINT64_MAX - kPage) probes_.last_page.hit();
}

void AddressWorld::take(const AddressStep& step) {
  Operation operation(traffic_);
  const bool invalid = step.bytes == 0 || step.bytes % kPage != 0 || step.align < kPage ||
                       (step.align & (step.align - 1)) != 0;
  const std::optional<uint64_t> place =
      invalid ? std::nullopt : model_.place_for(step.bytes, step.align);
  const uint64_t before = failure_.before();
  const size_t free = free_pages();
  const clay::Result<uint64_t> got =
      ranges_->allocate(step.bytes, step.align, static_cast<uint8_t>(step.which | 0x80));
  KILN_CHECK(got.failed_with(clay::Error::kInvalid) == invalid, "%llx bytes at %llx: %s",
             static_cast<ull>(step.bytes), static_cast<ull>(step.align),
             invalid ? "not refused as wrong" : "refused as wrong");
  if (invalid) {
    return;
  }
  if (got.failed_with(clay::Error::kNoMemory)) {
    excuse_memory(operation, before, free, 2);
    return;
  }
  if (!got.ok()) {
    KILN_CHECK(got.error() == clay::Error::kNoSpace, "a range is refused: %s",
               clay::error_text(got.error()));
    return judge_no_room(operation, step.bytes, step.align);
  }
  KILN_CHECK(!operation.alone() || place == got.value(),
             "a range of %llx bytes lies at %llx, not in the smallest gap",
             static_cast<ull>(step.bytes), static_cast<ull>(got.value()));
  note_range(got.value(), step.bytes, step.align);
  taken_.push_back({got.value(), step.bytes});
}

void AddressWorld::give_back(size_t n) {
  if (taken_.empty()) {
    return;
  }
  Operation operation(traffic_);
  n %= taken_.size();
  const uint64_t address = taken_[n].first;
  taken_[n] = taken_.back();
  taken_.pop_back();
  const size_t gaps = model_.gaps();
  model_.remove(address);
  ++given_back_;
  if (model_.gaps() < gaps) probes_.joined.hit();
  ranges_->free(address);
}

void AddressWorld::find(const AddressStep& step) {
  Operation operation(traffic_);
  const uint64_t address = pick_address(step);
  const auto want = model_.find(address);
  const uint64_t given_back = given_back_;
  const clay::Result<clay::AddressRanges::Range> got = ranges_->find(address);
  const bool stayed = want.has_value() && given_back_ == given_back;
  if (!operation.alone() && !stayed) {
    return; // others may have taken it, or given it back
  }
  KILN_CHECK(got.ok() == want.has_value(), "the range of %llx is %s", static_cast<ull>(address),
             got.ok() ? "found, and nobody's" : "not found");
  if (got.ok()) {
    KILN_CHECK(got.value().address == want->first && got.value().bytes == want->second,
               "the range of %llx is found as %llx bytes at %llx", static_cast<ull>(address),
               static_cast<ull>(got.value().bytes), static_cast<ull>(got.value().address));
  }
}

/// A window of its own, that nothing is taken from.
void AddressWorld::try_window(const AddressStep& step) {
  Operation operation(traffic_);
  const std::optional<clay::Error> fault = window_fault(step.window);
  const uint64_t before = failure_.before();
  const size_t free = free_pages();
  clay::AddressRanges ranges(cache_, {step.window.first, step.window.last});
  const clay::Result<> got = ranges.start();
  if (got.failed_with(clay::Error::kNoMemory)) {
    excuse_memory(operation, before, free, 1);
    return;
  }
  KILN_CHECK(got.ok() != fault.has_value() && (got.ok() || got.error() == *fault),
             "addresses from %llx to %llx are %s", static_cast<ull>(step.window.first),
             static_cast<ull>(step.window.last), got.ok() ? "taken" : "refused");
  if (!got.ok()) probes_.odd_window.hit();
}

/// All but a few, until the next time.
void AddressWorld::hold_pages(unsigned leave) {
  if (!held_pages_.empty()) {
    return let_pages_go();
  }
  Operation operation(traffic_);
  while (free_pages() > leave) {
    clay::PageFrame* const page = cache_.allocate();
    if (page == nullptr) {
      break; // made to fail, or others were faster
    }
    held_pages_.push_back(page);
  }
}

/// Those of now: who holds pages meanwhile could go on for ever with what comes free here.
void AddressWorld::let_pages_go() {
  Operation operation(traffic_);
  for (clay::PageFrame* const page : std::exchange(held_pages_, {})) {
    cache_.free(*page);
  }
}

} // namespace kiln::mm
// NOLINTEND(bugprone-unchecked-optional-access)
