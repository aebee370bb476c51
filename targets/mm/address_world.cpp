#include "targets/mm/address_world.h"

#include "hal-host/tlb.h"
#include "targets/mm/paging.h"
#include "targets/sync/support.h"

// Everything is made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::mm {
namespace {

constexpr uint64_t kPage = 4096;

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
      window_(draw_window(run.tape)), memory_(draw_direct_memory(run, 10, 24, 90)),
      cache_(memory_.allocator), model_(window_.first, window_.last),
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

/// Judges an answer of kNoMemory. Whether it may be the doing of the allocation that is made to
/// fail.
bool AddressWorld::excuse_memory(const Operation& operation, uint64_t before, size_t free,
                                 uint64_t needed) {
  if (failure_.may_have_struck(before)) {
    probes_.failed.hit();
    return true;
  }
  KILN_CHECK(!operation.alone() || free < needed, "no memory, with %zu pages free and %llu needed",
             free, static_cast<ull>(needed));
  return false;
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

/// One range takes all addresses. There is memory for that: the one gap's record lies in a page
/// that has room for those which the range takes besides, and no allocation is made to fail any
/// more.
void AddressWorld::check_all_is_back() {
  failure_.disarm();
  KILN_CHECK(ranges_->record_pages() != 0, "the record of the last gap lies nowhere");
  const clay::Result<uint64_t> all = ranges_->allocate(model_.largest());
  KILN_CHECK(all.ok(), "not all addresses have come back: %s", clay::error_text(all.error()));
  model_.add(all.value(), model_.largest(), kPage);
  ranges_->free(all.value());
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
  check_all_of_a_memory();
  check_all_is_back();
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
