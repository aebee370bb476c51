#include "targets/mm/table_world.h"

#include <algorithm>

#include "hal-host/tlb.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/mm/object_pool.h"
#include "targets/mm/paging.h"

// The table, its MMU and the window are made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::mm {
TableProbes::TableProbes(const char* target)
    : large(target, "a page of 2 MiB is mapped"), huge(target, "a page of 1 GiB is mapped"),
      split(target, "a large page is split"),
      table_freed(target, "a table that has no entries goes back"),
      forgotten(target, "a CPU has to forget a page"),
      exists(target, "a range is refused because a part is mapped"),
      not_found(target, "a range is refused because a part is not mapped"),
      not_permitted(target, "rights to write and execute are refused"),
      not_canonical(target, "a range that is not canonical is refused"),
      no_memory(target, "an operation fails for want of a table"),
      last_page(target, "the last page of all addresses is mapped"),
      dirty_split(target, "a large page is split that was written"),
      denied(target, "an access is stopped by a page's rights"),
      failed(target, "an allocation is made to fail"),
      window_full(target, "all slots of the window are in use"),
      window_again(target, "a slot of the window shows another page than before"),
      many_at_once(target,
                   "more pages of the window that lie apart go at once than a request has ranges") {
}

TableWorld::TableWorld(sim::Run& run, const TableProbes& probes)
    : machine_(run.machine), probes_(probes), physical_bits_(draw_physical_bits(run)),
      memory_(draw_direct_memory(run, 2, 16, 40)), cache_(memory_.allocator),
      failure_(run.machine) {
  memory_.add_range(memory_.model.first(), memory_.model.size());
  table_.emplace(cache_, physical_bits_);
  KILN_CHECK(table_->start().ok(), "there is no memory for the top table");
  mmu_.emplace(memory_, table_->root(), physical_bits_);
  hal_host::on_tlb_flush(
      [](void* self, unsigned cpu, uint64_t root, uint64_t first, uint64_t last) {
        static_cast<TableWorld*>(self)->flush(cpu, root, first, last);
      },
      this);
  start_window();
}

TableWorld::~TableWorld() { hal_host::on_tlb_flush(nullptr, nullptr); }

void TableWorld::flush(unsigned cpu, uint64_t root, uint64_t first, uint64_t last) {
  const uint64_t own = own_request_[cpu];
  if (own != 0 && (own < first || own > last) && asked_while_waiting_ != nullptr) {
    asked_while_waiting_->hit();
  }
  mmu_->flush(cpu, root, first, last);
}

// --- What an operation must say

bool TableWorld::Verdict::allows(clay::Error error) const {
  switch (error) {
  case clay::Error::kInvalid:
    return invalid;
  case clay::Error::kOutOfRange:
    return out_of_range;
  case clay::Error::kNotPermitted:
    return not_permitted;
  case clay::Error::kExists:
    return exists;
  case clay::Error::kNotFound:
    return not_found;
  default:
    return false;
  }
}

TableWorld::Verdict TableWorld::judge_range(const TableStep& step) const {
  Verdict verdict;
  verdict.invalid = step.bytes == 0 || step.address % 4096 != 0 || step.bytes % 4096 != 0;
  const auto end = static_cast<unsigned __int128>(step.address) + step.bytes;
  const bool lower = end <= kLowerHalfEnd;
  const bool upper = step.address >= kUpperHalf && end <= static_cast<unsigned __int128>(1) << 64;
  verdict.out_of_range = !lower && !upper;
  return verdict;
}

/// Does an operation, and judges its answer. True when it was done.
template <typename Call>
bool TableWorld::operate(const TableStep& step, const Verdict& verdict, const Operation& operation,
                         uint64_t tables_needed, Call call) {
  const size_t free = memory_.allocator.free_pages() + cache_.cached();
  const uint64_t before = failure_.before();
  operation_ = operation;
  const clay::Result<> got = call();
  operation_.reset(); // with no scheduling point since the last change
  const bool short_of_memory = got.failed_with(clay::Error::kNoMemory);
  if (short_of_memory && failure_.may_have_struck(before)) {
    probes_.failed.hit();
    return false;
  }
  KILN_CHECK(!short_of_memory || free < tables_needed,
             "%llu bytes at %llx: no memory, with %zu pages free", static_cast<ull>(step.bytes),
             static_cast<ull>(step.address), free);
  if (short_of_memory) {
    probes_.no_memory.hit();
    return false;
  }
  KILN_CHECK(got.ok() || verdict.allows(got.error()), "%llu bytes at %llx are refused: %s",
             static_cast<ull>(step.bytes), static_cast<ull>(step.address),
             clay::error_text(got.error()));
  KILN_CHECK(!got.ok() || verdict.none(), "%llu bytes at %llx are not refused",
             static_cast<ull>(step.bytes), static_cast<ull>(step.address));
  if (verdict.out_of_range && !verdict.invalid) probes_.not_canonical.hit();
  if (got.failed_with(clay::Error::kNotPermitted)) probes_.not_permitted.hit();
  if (got.failed_with(clay::Error::kExists)) probes_.exists.hit();
  if (got.failed_with(clay::Error::kNotFound)) probes_.not_found.hit();
  return got.ok();
}

// --- Operations

void TableWorld::map(const TableStep& step) {
  Verdict verdict = judge_range(step);
  const uint64_t last =
      clay::wrapping_add(step.address, clay::wrapping_sub<uint64_t>(step.bytes, 1));
  const auto physical_end = static_cast<unsigned __int128>(step.physical) + step.bytes;
  verdict.invalid = verdict.invalid || step.physical % 4096 != 0;
  const bool beyond = physical_end > uint64_t{1} << physical_bits_;
  verdict.not_permitted = step.rights.write && step.rights.execute;
  verdict.exists = !verdict.invalid && !verdict.out_of_range && model_.any(step.address, last);
  verdict.out_of_range = verdict.out_of_range || beyond;
  const Operation operation{step.address, last, step.physical, step.rights, true};
  const uint64_t needed = (step.bytes >> 21) + (step.bytes >> 30) + 8;
  if (verdict.none() && step.bytes > uint64_t{64} << 30) {
    return; // as large as that it takes too long
  }
  const bool mapped = operate(step, verdict, operation, needed, [&] {
    return table_->map(step.address, step.physical, step.bytes, kernel_rights(step.rights));
  });
  if (mapped) {
    model_.map(step.address, last, step.physical, step.rights);
    just_mapped_ = {step.address, last};
    if (last == UINT64_MAX) probes_.last_page.hit();
  } else if (!verdict.exists && !verdict.invalid && !verdict.out_of_range) {
    forget_writes(step.address, last); // made before it was undone
  }
}

void TableWorld::unmap(const TableStep& step) {
  const Verdict verdict = judge_range(step);
  const uint64_t last =
      clay::wrapping_add(step.address, clay::wrapping_sub<uint64_t>(step.bytes, 1));
  const Operation operation{step.address, last, 0, std::nullopt, false};
  const size_t before = table_->tables();
  const bool done =
      operate(step, verdict, operation, 5, [&] { return table_->unmap(step.address, step.bytes); });
  if (done) {
    model_.unmap(step.address, last);
    forget_writes(step.address, last);
    if (table_->tables() < before) probes_.table_freed.hit();
  }
}

void TableWorld::protect(const TableStep& step) {
  Verdict verdict = judge_range(step);
  const uint64_t last =
      clay::wrapping_add(step.address, clay::wrapping_sub<uint64_t>(step.bytes, 1));
  verdict.not_permitted = step.rights.write && step.rights.execute;
  verdict.not_found = !verdict.invalid && !verdict.out_of_range && !model_.all(step.address, last);
  const Operation operation{step.address, last, 0, step.rights, false};
  const size_t before = table_->tables();
  const bool done = operate(step, verdict, operation, 5, [&] {
    return table_->protect(step.address, step.bytes, kernel_rights(step.rights));
  });
  if (done) {
    model_.protect(step.address, last, step.rights);
  }
  if (table_->tables() > before) probes_.split.hit();
}

/// Also where the addresses that CPUs have begin and end.
void TableWorld::find(const TableStep& step) {
  for (const uint64_t address :
       {pick_address(step), kLowerHalfEnd - 1, kLowerHalfEnd, kUpperHalf - 1, kUpperHalf}) {
    find_at(address);
  }
}

void TableWorld::find_at(uint64_t address) {
  if (address >= kWindow && address < kWindow + kSlots * 4096) {
    return; // others may map and unmap there meanwhile
  }
  const clay::Result<clay::Mapping> got = table_->find(address);
  const auto want = model_.find(address);
  KILN_CHECK(got.ok() == want.has_value(), "address %llx is %s", static_cast<ull>(address),
             got.ok() ? "found, and not mapped" : "mapped, and not found");
  const bool canonical = address < kLowerHalfEnd || address >= kUpperHalf;
  const clay::Error want_error = canonical ? clay::Error::kNotFound : clay::Error::kOutOfRange;
  KILN_CHECK(got.ok() || got.error() == want_error, "address %llx is not found: %s, and not: %s",
             static_cast<ull>(address), clay::error_text(got.error()),
             clay::error_text(want_error));
  if (got.ok()) {
    KILN_CHECK(got.value().physical == want->physical, "address %llx is found elsewhere",
               static_cast<ull>(address));
    KILN_CHECK(got.value().rights == kernel_rights(want->rights), "address %llx has other rights",
               static_cast<ull>(address));
  }
}

// --- Accesses

/// In what is mapped, more often than not.
uint64_t TableWorld::pick_address(const TableStep& step) const {
  const auto* interval = model_.pick(step.which);
  if (interval == nullptr || step.which % 4 == 3) {
    return step.address;
  }
  const uint64_t bytes = interval->second.last - interval->first; // less one
  const uint64_t offset = step.which % 4 == 0   ? 0
                          : step.which % 4 == 1 ? bytes
                                                : step.bytes % bytes;
  return interval->first + offset;
}

void TableWorld::check_access(uint64_t address, const Access& access,
                              const Mmu::Outcome& outcome) const {
  const auto before = model_.find(address);
  const bool granted = before.has_value() && before->rights.allow(access);
  if (granted != outcome.fault && (!granted || before->physical == outcome.physical)) {
    return;
  }
  const bool changes = operation_ && operation_->first <= address && address <= operation_->last;
  KILN_CHECK(changes, "an access to %llx %s", static_cast<ull>(address),
             outcome.fault ? "faults, and should not"
             : granted     ? "goes to another place"
                           : "is let through, and should not");
  if (outcome.fault) {
    return; // an entry on its way
  }
  const uint64_t place = operation_->maps     ? operation_->physical + (address - operation_->first)
                         : before.has_value() ? before->physical
                                              : UINT64_MAX;
  KILN_CHECK(operation_->rights.has_value() && operation_->rights->allow(access) &&
                 place == outcome.physical,
             "an access to %llx is let through, neither as it was nor as it will be",
             static_cast<ull>(address));
}

void TableWorld::access(const TableStep& step) {
  const unsigned cpu = hal_cpu_id();
  const uint64_t address = pick_address(step);
  const Mmu::Outcome outcome = mmu_->access(cpu, address, step.access);
  check_access(address, step.access, outcome);
  if (!outcome.fault && step.access.write) {
    written_.insert(address & ~uint64_t{4095});
  }
  if (outcome.fault && model_.find(address).has_value()) probes_.denied.hit();
}

void TableWorld::forget_writes(uint64_t first, uint64_t last) {
  written_.erase(written_.lower_bound(first), written_.upper_bound(last));
}

// --- Steps

void TableWorld::do_step(const TableStep& step) {
  if (meets_window(step)) {
    return;
  }
  just_mapped_.reset();
  const size_t remembered = mmu_->remembered().size();
  switch (step.act) {
  case TableAct::kMap:
    map(step);
    break;
  case TableAct::kUnmap:
    unmap(step);
    break;
  case TableAct::kProtect:
    protect(step);
    break;
  case TableAct::kAccess:
    access(step);
    break;
  case TableAct::kAccessMany:
    for (uint8_t i = 0; i < 8; ++i) {
      TableStep one = step;
      one.which = static_cast<uint8_t>((step.which + 37 * i) & 0xFF);
      access(one);
    }
    break;
  case TableAct::kFind:
    find(step);
    break;
  case TableAct::kWindow:
    use_window(step);
    break;
  case TableAct::kRaise:
    machine_.raise_irq(step.which % machine_.cpus(), sync::kDeviceLine);
    break;
  }
  const bool takes = step.act == TableAct::kUnmap || step.act == TableAct::kProtect;
  if (takes && mmu_->remembered().size() < remembered) probes_.forgotten.hit();
  if (takes || step.act == TableAct::kMap) {
    check();
  }
}

/// Of what this step has mapped: no larger page begins there, physically, too, and fits.
void TableWorld::check_largest(const Mmu::Page& page) const {
  if (!just_mapped_ || page.address < just_mapped_->first || page.address > just_mapped_->second) {
    return;
  }
  for (const uint64_t larger : {uint64_t{2} << 20, uint64_t{1} << 30}) {
    const bool begins = (page.address | page.physical) % larger == 0;
    KILN_CHECK(page.bytes >= larger || !begins || just_mapped_->second - page.address < larger - 1,
               "%llx is mapped by a page of %llu bytes, and one of %llu fits",
               static_cast<ull>(page.address), static_cast<ull>(page.bytes),
               static_cast<ull>(larger));
  }
}

/// The tables say what the intervals say, and no CPU remembers anything else.
void TableWorld::check() {
  if (window_busy_ != 0) {
    return;
  }
  const std::vector<Mmu::Page> pages = mmu_->pages();
  uint64_t bytes = 0;
  for (const Mmu::Page& page : pages) {
    const auto found = model_.find(page.address);
    KILN_CHECK(model_.justifies(page) && found->rights == page.rights,
               "a page of %llu bytes at %llx is not mapped as asked for",
               static_cast<ull>(page.bytes), static_cast<ull>(page.address));
    check_largest(page);
    bytes += page.bytes;
    if (page.bytes == uint64_t{2} << 20) probes_.large.hit();
    if (page.bytes == uint64_t{1} << 30) probes_.huge.hit();
  }
  KILN_CHECK(bytes == model_.bytes(), "%llu bytes are mapped, not %llu", static_cast<ull>(bytes),
             static_cast<ull>(model_.bytes()));
  KILN_CHECK(table_->tables() == mmu_->tables().size(), "there are %zu tables, and %zu are said",
             mmu_->tables().size(), table_->tables());
  for (const uint64_t address : written_) {
    const auto above =
        std::upper_bound(pages.begin(), pages.end(), address,
                         [](uint64_t at, const Mmu::Page& page) { return at < page.address; });
    KILN_CHECK(above != pages.begin() && std::prev(above)->dirty,
               "the page at %llx was written, and is not dirty", static_cast<ull>(address));
    if (std::prev(above)->bytes == 4096 && address % (uint64_t{2} << 20) != 0) {
      probes_.dirty_split.hit();
    }
  }
  for (const Mmu::Page& page : mmu_->remembered()) {
    KILN_CHECK(model_.justifies(page), "a CPU remembers a page of %llu bytes at %llx as it was",
               static_cast<ull>(page.bytes), static_cast<ull>(page.address));
  }
  mmu_->check_remembered_tables();
}

/// A page that was a table is as good as any other: for objects, and for a table.
void TableWorld::check_pages_after_tables() {
  {
    clay::ObjectPool pool(cache_, {"after-tables", 64, 64});
    if (void* const object = pool.allocate()) {
      pool.free(object);
    }
    pool.trim();
    KILN_CHECK(pool.pages() == 0, "a pool of no objects has %zu pages after a trim", pool.pages());
  }
  clay::PageTable other(cache_, physical_bits_);
  if (other.start().ok() && other.map(0, 0, 4096, {}).ok()) {
    KILN_CHECK(other.unmap(0, 4096).ok(), "a page cannot be unmapped");
    KILN_CHECK(other.tables() == 1, "%zu tables are left of one page", other.tables());
  }
}

void TableWorld::finish() {
  while (!in_window_.empty()) {
    unmap_from_window(0, 1);
  }
  check_window_refusals();
  check_largest_window();
  check_last_window();
  check();
  hal_host::on_tlb_flush(nullptr, nullptr); // no CPU uses these tables any more
  table_.reset();
  check_pages_after_tables();
  cache_.drain();
  const size_t free = memory_.allocator.free_pages();
  KILN_CHECK(free == memory_.allocator.managed(), "%zu pages of %zu have come back", free,
             memory_.allocator.managed());
}

} // namespace kiln::mm
// NOLINTEND(bugprone-unchecked-optional-access)
