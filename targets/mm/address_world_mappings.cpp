// Devices and memory that are mapped and unmapped, and CPUs that use them.

#include "targets/mm/address_world.h"
#include "targets/mm/paging.h"

// Everything is made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::mm {
namespace {

using Wide = unsigned __int128;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLarge = uint64_t{2} << 20;
constexpr uint64_t kHuge = uint64_t{1} << 30;
/// Pages with which the first page of memory is mapped, whatever was there before: for the range's
/// records, three tables, and itself.
constexpr size_t kMostForFirstPage = 1 + 3 + 1;

Wide whole_pages(Wide bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// What a mapping of a device is best aligned to.
uint64_t best_align(uint64_t physical, uint64_t bytes) {
  for (const uint64_t size : {kHuge, kLarge}) {
    if (bytes >= size && physical % size == 0) {
      return size;
    }
  }
  return kPage;
}

} // namespace

// --- Mappings

void AddressWorld::note_mapping(const Mapping& mapping) {
  live_.push_back(mapping);
  if (mapping.device) {
    mapped_.map(mapping.first, mapping.first + (mapping.bytes - 1), mapping.physical,
                mapping.rights);
  }
}

bool AddressWorld::meets_memory(const AddressStep& step) const {
  const Wide first = Wide{memory_.model.first()} * kPage;
  const Wide end = first + Wide{memory_.model.size()} * kPage;
  return step.physical < end && Wide{step.physical} + step.bytes + kPage > first;
}

/// In the smallest gap for it: so that the largest pages that fit can map it, if there is room.
std::optional<uint64_t> AddressWorld::place_for_device(uint64_t physical, uint64_t bytes) const {
  for (const uint64_t size : {kHuge, kLarge, kPage}) {
    const bool fits = bytes >= size && physical % size == 0;
    const auto place = fits ? model_.place_for(bytes, size) : std::nullopt;
    if (place) {
      return place;
    }
  }
  return std::nullopt;
}

void AddressWorld::map_device(const AddressStep& step) {
  if (meets_memory(step)) {
    return; // no device is there
  }
  Operation operation(traffic_);
  const uint64_t offset = step.physical % kPage;
  const Wide whole = whole_pages(Wide{offset} + step.bytes);
  const bool out = Wide{step.physical} - offset + whole > Wide{1} << physical_bits_;
  const bool denied = step.rights.write && step.rights.execute;
  const uint64_t align = best_align(step.physical - offset, static_cast<uint64_t>(whole));
  const auto place = out || step.bytes == 0
                         ? std::nullopt
                         : place_for_device(step.physical - offset, static_cast<uint64_t>(whole));
  const uint64_t before = failure_.before();
  const size_t free = free_pages();
  const clay::Result<uint64_t> got =
      mappings_->map_device(step.physical, step.bytes, kernel_rights(step.rights));
  if (got.failed_with(clay::Error::kNoMemory)) {
    const bool small = align == kPage || !model_.place_for(static_cast<uint64_t>(whole), align);
    excuse_memory(operation, before, free, 9 + (small ? static_cast<uint64_t>(whole / kLarge) : 0));
    return;
  }
  if (step.bytes == 0 || out) {
    const clay::Error want = step.bytes == 0 ? clay::Error::kInvalid : clay::Error::kOutOfRange;
    KILN_CHECK(got.failed_with(want), "a device of %llx bytes at %llx is not refused",
               static_cast<ull>(step.bytes), static_cast<ull>(step.physical));
    return;
  }
  const auto bytes = static_cast<uint64_t>(whole);
  if (got.failed_with(clay::Error::kNoSpace)) {
    return judge_no_room(operation, bytes, kPage);
  }
  KILN_CHECK(got.failed_with(clay::Error::kNotPermitted) == denied && got.ok() != denied,
             "a device is %s", got.ok() ? "mapped to be written and executed" : "refused");
  if (denied) {
    return;
  }
  const uint64_t first = got.value() - offset;
  KILN_CHECK(!operation.alone() || place == first,
             "a device of %llx bytes at %llx is mapped at %llx, and there is a better place",
             static_cast<ull>(bytes), static_cast<ull>(step.physical), static_cast<ull>(first));
  note_range(first, bytes, kPage);
  note_mapping({got.value(), first, bytes, step.physical - offset, step.rights, true});
  if (offset != 0) probes_.device_offset.hit();
  if (align > kPage) (first % align == 0 ? probes_.large : probes_.small_instead).hit();
}

/// A page that was mapped: learnt from the MMU, judged and filled by the shadow.
void AddressWorld::took_page(uint64_t address) {
  const Mmu::Outcome outcome = mmu_->access(hal_cpu_id(), address, {});
  KILN_CHECK(!outcome.fault, "a page of memory at %llx is not mapped", static_cast<ull>(address));
  const uint64_t index = (outcome.physical / kPage) - memory_.model.first();
  KILN_CHECK(outcome.physical % kPage == 0 && index < memory_.model.size(),
             "a page of memory at %llx is no page of memory", static_cast<ull>(address));
  shadow_.add(memory_.address_of(static_cast<size_t>(index)), kPage, kPage);
  mapped_.map(address, address + (kPage - 1), outcome.physical, {true, false, false});
  ++fresh_pages_;
}

void AddressWorld::map_memory(const AddressStep& step) {
  Operation operation(traffic_);
  const uint64_t before = failure_.before();
  const size_t free = free_pages();
  const uint64_t pages = static_cast<uint64_t>(whole_pages(step.bytes) / kPage);
  const clay::Result<uint64_t> got = mappings_->allocate(step.bytes);
  if (step.bytes == 0) {
    KILN_CHECK(got.failed_with(clay::Error::kInvalid), "no memory at all is not refused");
    return;
  }
  if (got.failed_with(clay::Error::kNoMemory)) {
    const bool struck = excuse_memory(operation, before, free, pages + 9);
    const bool began =
        operation.alone() && pages <= memory_.allocator.managed() && free >= kMostForFirstPage;
    if (!struck && began) probes_.no_memory.hit();
    return;
  }
  if (!got.ok()) {
    KILN_CHECK(got.error() == clay::Error::kNoSpace, "memory is refused: %s",
               clay::error_text(got.error()));
    return judge_no_room(operation, pages * kPage, kPage);
  }
  note_range(got.value(), pages * kPage, kPage);
  for (uint64_t i = 0; i < pages; ++i) {
    took_page(got.value() + i * kPage);
  }
  note_mapping({got.value(), got.value(), pages * kPage, 0, {true, false, false}, false});
}

/// When it was alone, no CPU remembers any of it.
void AddressWorld::check_forgotten(const Operation& operation, uint64_t first,
                                   uint64_t bytes) const {
  if (operation.alone()) {
    KILN_CHECK(!mmu_->remembers_any(first, first + (bytes - 1)),
               "a CPU remembers what was mapped at %llx", static_cast<ull>(first));
  }
}

void AddressWorld::unmap(size_t n) {
  if (live_.empty()) {
    return;
  }
  Operation operation(traffic_);
  n %= live_.size();
  const Mapping mapping = live_[n];
  live_[n] = live_.back();
  live_.pop_back();
  for (uint64_t at = mapping.first; !mapping.device && at - mapping.first < mapping.bytes;
       at += kPage) {
    const uint64_t index = mapped_.find(at)->physical / kPage - memory_.model.first();
    shadow_.remove(memory_.address_of(static_cast<size_t>(index)));
    --fresh_pages_;
  }
  mapped_.unmap(mapping.first, mapping.first + (mapping.bytes - 1));
  const size_t gaps = model_.gaps();
  model_.remove(mapping.first);
  ++given_back_;
  if (model_.gaps() < gaps) probes_.joined.hit();
  if (mmu_->remembers_any(mapping.first, mapping.first + (mapping.bytes - 1))) {
    probes_.freed_seen.hit();
  }
  mappings_->unmap(mapping.address);
  check_forgotten(operation, mapping.first, mapping.bytes);
}

/// All pages of a memory that the tables take none of can be mapped; for more than that none is
/// taken.
void AddressWorld::check_all_of_a_memory() {
  failure_.disarm();
  constexpr size_t kPages = 3;
  Memory other({kPages, true, 0, 0});
  other.add_range(other.model.first(), kPages);
  clay::PageCache pages(other.allocator);
  clay::KernelMappings mappings(*table_, *ranges_, pages);
  const uint64_t before = machine_.allocations();
  const clay::Result<uint64_t> more = mappings.allocate(kPages * kPage + 1);
  KILN_CHECK(more.failed_with(clay::Error::kNoMemory) && machine_.allocations() == before,
             "asked for more than all memory: %s, after %llu allocations",
             more.ok() ? "mapped" : clay::error_text(more.error()),
             static_cast<ull>(machine_.allocations() - before));
  const clay::Result<uint64_t> all = mappings.allocate(kPages * kPage);
  const bool room = model_.place_for(kPages * kPage, kPage).has_value();
  KILN_CHECK(room ? all.ok() : all.failed_with(clay::Error::kNoSpace),
             "asked for all of a memory: %s", all.ok() ? "mapped" : clay::error_text(all.error()));
  if (all.ok()) mappings.unmap(all.value());
}

// --- Accesses

/// In what somebody has, right behind it, or anywhere in the window.
uint64_t AddressWorld::pick_address(const AddressStep& step) const {
  const uint64_t span = window_.last - window_.first; // less one
  const uint64_t any = window_.first + step.offset % span;
  if (step.which % 8 == 7 || (live_.empty() && taken_.empty())) {
    return any;
  }
  const bool mapping = taken_.empty() || (!live_.empty() && step.which % 2 == 0);
  const size_t n = step.which / 8;
  const auto [first, bytes] =
      mapping ? std::pair(live_[n % live_.size()].first, live_[n % live_.size()].bytes)
              : taken_[n % taken_.size()];
  switch (step.which % 8) {
  case 4:
    return first + (bytes - 1);
  case 5:
    return first + bytes; // a guard page
  case 6:
    return first - 1; // another
  default:
    return first + step.offset % bytes;
  }
}

void AddressWorld::use(const AddressStep& step) {
  const uint64_t address = pick_address(step);
  const auto want = mapped_.find(address);
  const bool quiet = traffic_.quiet();
  const Mmu::Outcome got = mmu_->access(hal_cpu_id(), address, step.access);
  const bool granted = want && want->rights.allow(step.access);
  if (granted) {
    KILN_CHECK(!got.fault, "an access to %llx faults, and should not", static_cast<ull>(address));
    KILN_CHECK(got.physical == want->physical, "an access to %llx goes to another place",
               static_cast<ull>(address));
    return;
  }
  KILN_CHECK(!quiet || got.fault, "an access to %llx is let through, and should not",
             static_cast<ull>(address));
  const bool behind = address >= kPage && model_.find(address - kPage).has_value();
  if (got.fault && behind && !model_.find(address)) probes_.guard.hit();
}

} // namespace kiln::mm
// NOLINTEND(bugprone-unchecked-optional-access)
