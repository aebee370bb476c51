#include "targets/mm/address_world.h"

#include "hal-host/tlb.h"
#include "targets/sync/support.h"

// Everything is made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::mm {
namespace {

using ull = unsigned long long;
using Wide = unsigned __int128;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLarge = uint64_t{2} << 20;
constexpr uint64_t kHuge = uint64_t{1} << 30;
constexpr uint64_t kLowerHalfEnd = uint64_t{1} << 47;
constexpr uint64_t kUpperHalf = 0xFFFF'8000'0000'0000;

clay::PageRights kernel_rights(const Rights& rights) {
  return {.write = rights.write, .execute = rights.execute, .user = rights.user};
}

MemoryShape draw_memory(sim::Run& run) {
  auto data = run.tape.data();
  const size_t lead = static_cast<size_t>(data.below(8));
  const size_t frames =
      static_cast<size_t>(data.boolean() ? data.between(10, 24) : data.between(24, 90));
  return {frames, true, 0, lead};
}

unsigned draw_physical_bits(sim::Run& run) {
  static constexpr unsigned kBits[] = {46, 46, 52, 48};
  return run.tape.data().pick(kBits);
}

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

AddressProbes::AddressProbes(const char* target)
    : full(target, "a range is refused for want of room"),
      fragmented(target, "a range is refused though there is room for it in all gaps together"),
      align_refused(target, "a range is refused only because of its alignment"),
      joined(target, "two gaps become one when what lay between them goes"),
      exact(target, "a range fills a gap to the last page"),
      last_page(target, "a range reaches the last page but one of all addresses"),
      guard(target, "an access right behind a mapping faults"),
      large(target, "a device is mapped by a large page"),
      small_instead(target, "a device that could have large pages has no room for them"),
      device_offset(target, "a device begins in the middle of a page"),
      no_memory(target, "memory is refused for want of a page after some were mapped"),
      failed(target, "an allocation is made to fail"),
      freed_seen(target, "a CPU has to forget what is unmapped"),
      odd_window(target, "a window is refused") {}

AddressWorld::AddressWorld(sim::Run& run, const AddressProbes& probes)
    : machine_(run.machine), probes_(probes), physical_bits_(draw_physical_bits(run)),
      window_(draw_window(run.tape)), memory_(draw_memory(run)), cache_(memory_.allocator),
      model_(window_.first, window_.last),
      shadow_(memory_.address_of(0), memory_.model.size() * kPage), failure_(run.machine) {
  memory_.add_range(memory_.model.first(), memory_.model.size());
  table_.emplace(cache_, physical_bits_);
  KILN_CHECK(table_->start().ok(), "there is no memory for the top table");
  ranges_.emplace(cache_, clay::AddressRanges::Window{window_.first, window_.last});
  const clay::Result<> started = ranges_->start();
  KILN_CHECK(started.ok(), "addresses from %llx to %llx are refused: %s",
             static_cast<ull>(window_.first), static_cast<ull>(window_.last),
             clay::error_text(started.error()));
  mappings_.emplace(*table_, *ranges_, cache_);
  mmu_.emplace(memory_, table_->root(), physical_bits_);
  mmu_->judge_pages();
  hal_host::on_tlb_flush(
      [](void* self, unsigned cpu, uint64_t root, uint64_t first, uint64_t last) {
        static_cast<AddressWorld*>(self)->mmu_->flush(cpu, root, first, last);
      },
      this);
}

AddressWorld::~AddressWorld() { hal_host::on_tlb_flush(nullptr, nullptr); }

// --- Refusals

/// Judges an answer of kNoMemory.
void AddressWorld::excuse_memory(const Operation& operation, uint64_t before, size_t free,
                                 uint64_t needed) {
  if (failure_.may_have_struck(before)) {
    probes_.failed.hit();
    return;
  }
  KILN_CHECK(!operation.alone() || free < needed, "no memory, with %zu pages free and %llu needed",
             free, static_cast<ull>(needed));
}

void AddressWorld::judge_no_room(const Operation& operation, uint64_t bytes, uint64_t align) {
  if (!operation.alone()) {
    return;
  }
  KILN_CHECK(!model_.place_for(bytes, align),
             "no room for %llx bytes at a multiple of %llx, and there is", static_cast<ull>(bytes),
             static_cast<ull>(align));
  probes_.full.hit();
  if (align > kPage && model_.place_for(bytes, kPage)) probes_.align_refused.hit();
  if (align == kPage && model_.gaps() > 1 && model_.room() >= bytes) probes_.fragmented.hit();
}

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
  if (model_.gaps() < gaps) probes_.joined.hit();
  ranges_->free(address);
}

void AddressWorld::find(const AddressStep& step) {
  Operation operation(traffic_);
  const uint64_t address = pick_address(step);
  const auto want = model_.find(address);
  const clay::Result<clay::AddressRanges::Range> got = ranges_->find(address);
  if (!operation.alone()) {
    return;
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

void AddressWorld::let_pages_go() {
  Operation operation(traffic_);
  while (!held_pages_.empty()) {
    clay::PageFrame* const page = held_pages_.back();
    held_pages_.pop_back();
    cache_.free(*page);
  }
}

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
  const bool roomy = !operation.alone() || align == kPage || model_.place_for(bytes, align);
  note_range(first, bytes, operation.alone() && roomy ? align : kPage);
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
    excuse_memory(operation, before, free, pages + 9);
    if (pages > 1 && pages <= memory_.allocator.managed()) probes_.no_memory.hit();
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
  if (model_.gaps() < gaps) probes_.joined.hit();
  if (mmu_->remembers_any(mapping.first, mapping.first + (mapping.bytes - 1))) {
    probes_.freed_seen.hit();
  }
  mappings_->unmap(mapping.address);
  check_forgotten(operation, mapping.first, mapping.bytes);
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

// --- Steps

void AddressWorld::do_step(const AddressStep& step, bool in_task) {
  switch (step.act) {
  case AddressAct::kTake:
    take(step);
    break;
  case AddressAct::kGiveBack:
    give_back(step.which);
    break;
  case AddressAct::kTakeMany:
    for (unsigned i = 0; i < step.count % 12; ++i) {
      AddressStep one = step;
      one.bytes = (1 + (step.which + i) % 3) * kPage;
      take(one);
    }
    break;
  case AddressAct::kMapDevice:
    in_task ? map_device(step) : use(step);
    break;
  case AddressAct::kMapMemory:
    in_task ? map_memory(step) : use(step);
    break;
  case AddressAct::kUnmap:
    in_task ? unmap(step.which) : use(step);
    break;
  case AddressAct::kUse:
    use(step);
    break;
  case AddressAct::kFind:
    find(step);
    break;
  case AddressAct::kOddWindow:
    try_window(step);
    break;
  case AddressAct::kHoldPages:
    in_task ? hold_pages(step.count % 8) : use(step);
    break;
  case AddressAct::kRaise:
    // A handler that raised its own line would go on for ever.
    in_task ? machine_.raise_irq(step.which % machine_.cpus(), sync::kDeviceLine) : sync::breathe();
    break;
  }
  check();
}

/// The tables say what the model says, and no CPU remembers anything else.
void AddressWorld::check_tables() {
  uint64_t bytes = 0;
  for (const Mmu::Page& page : mmu_->pages()) {
    const auto found = mapped_.find(page.address);
    KILN_CHECK(mapped_.justifies(page) && found->rights == page.rights,
               "a page of %llu bytes at %llx is not mapped as asked for",
               static_cast<ull>(page.bytes), static_cast<ull>(page.address));
    bytes += page.bytes;
  }
  KILN_CHECK(bytes == mapped_.bytes(), "%llu bytes are mapped, not %llu", static_cast<ull>(bytes),
             static_cast<ull>(mapped_.bytes()));
  for (const Mmu::Page& page : mmu_->remembered()) {
    KILN_CHECK(mapped_.justifies(page), "a CPU remembers a page of %llu bytes at %llx as it was",
               static_cast<ull>(page.bytes), static_cast<ull>(page.address));
  }
  mmu_->check_remembered_tables();
}

/// What holds when nobody is in the middle of anything: also, where every page is.
void AddressWorld::check() {
  if (!traffic_.quiet()) {
    return;
  }
  const uint64_t begun = traffic_.begun;
  const size_t free = free_pages();
  const size_t used =
      table_->tables() + ranges_->record_pages() + fresh_pages_ + held_pages_.size();
  const size_t gaps = ranges_->gaps();
  const size_t managed = memory_.allocator.managed();
  if (!traffic_.quiet() || traffic_.begun != begun) {
    return;
  }
  KILN_CHECK(free + used == managed, "%zu pages of %zu are free, %zu in use", free, managed, used);
  KILN_CHECK(gaps == model_.gaps(), "there are %zu gaps; joined as can be there are %zu", gaps,
             model_.gaps());
  check_tables();
}

void AddressWorld::finish() {
  let_pages_go();
  while (!taken_.empty()) {
    give_back(0);
  }
  while (!live_.empty()) {
    unmap(0);
  }
  check();
  KILN_CHECK(table_->tables() == 1, "%zu tables are left", table_->tables());
  const clay::Result<uint64_t> all = ranges_->allocate(model_.largest());
  KILN_CHECK(all.ok() || all.error() == clay::Error::kNoMemory, "not all addresses have come back");
  if (all.ok()) {
    model_.add(all.value(), model_.largest(), kPage);
    ranges_->free(all.value());
  }
  mappings_.reset();
  ranges_.reset();
  table_.reset();
  cache_.drain();
  const size_t free = memory_.allocator.free_pages();
  KILN_CHECK(free == memory_.allocator.managed(), "%zu pages of %zu have come back", free,
             memory_.allocator.managed());
}

} // namespace kiln::mm
// NOLINTEND(bugprone-unchecked-optional-access)
