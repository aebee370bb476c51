#include "targets/boot/module_world.h"

#include <algorithm>
#include <cstring>

#include "hal-host/icache.h"
#include "hal-host/tlb.h"
#include "kernel-src/lib/checked.h"
#include "targets/boot/module_compare.h"
#include "targets/boot/texts.h"

// Heap, table, MMU and loader are made when the world begins, and asked while it lives.
// NOLINTBEGIN(bugprone-unchecked-optional-access)

namespace kiln::targets {
namespace {

using clay::elf::Refusal;
using worlds::ModuleFault;
using worlds::ModuleFile;
using worlds::ModuleImage;

constexpr size_t kPage = 4096;
constexpr unsigned kPhysicalBits = 52;

/// Of a page's contents.
uint64_t sum_of(const uint8_t* page) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kPage; i += 8) {
    uint64_t word = 0;
    __builtin_memcpy(&word, page + i, sizeof word);
    sum = clay::wrapping_mul<uint64_t>(sum ^ word, 0x9E37'79B9'7F4A'7C15);
    sum ^= sum >> 32;
  }
  return sum;
}

} // namespace

void ModuleWorld::make_exports() {
  uint64_t address = 0xFFFF'FFFF'8100'0000;
  for (const std::string& name : shape_.exports) {
    const std::span text(reinterpret_cast<const uint8_t*>(name.data()), name.size());
    export_names_.push_back(std::make_unique<sim::ExactBlock>(text, 1));
    export_list_.push_back({clay::StringView(clay::Bytes(export_names_.back()->bytes())), address});
    export_map_[name] = address;
    address += 0x1230;
  }
}

ModuleWorld::ModuleWorld(sim::Machine& machine, const ModuleShape& shape)
    : machine_(machine), shape_(shape),
      rules_{static_cast<uint16_t>(shape.machine), 16, uint64_t{2} << 20, 63, 255}, // module.h's
      memory_({shape.frames, true, 0, 0}), failure_(machine), cache_(memory_.allocator) {
  make_exports();
  exports_.emplace(clay::Span<const clay::elf::Export>(export_list_.data(), export_list_.size()));
  memory_.add_range(memory_.model.first(), memory_.model.size());
  heap_.emplace(cache_);
  table_.emplace(cache_, kPhysicalBits);
  KILN_CHECK(table_->start().ok(), "there is no memory for the top table");
  mmu_.emplace(memory_, table_->root(), kPhysicalBits);
  mmu_->judge_pages();
  loader_.emplace(clay::elf::Memory{cache_, *table_, *heap_}, *exports_,
                  clay::elf::Loader::Setting{shape.machine, shape.first_page, shape.pages});
  hal_host::on_tlb_flush(
      [](void* self, unsigned cpu, uint64_t root, uint64_t first, uint64_t last) {
        static_cast<ModuleWorld*>(self)->mmu_->flush(cpu, root, first, last);
      },
      this);
  hal_host::on_icache_sync(
      [](void* self, uint64_t address, uint64_t bytes) {
        static_cast<ModuleWorld*>(self)->synchronised(address, bytes);
      },
      this);
}

ModuleWorld::~ModuleWorld() {
  hal_host::on_tlb_flush(nullptr, nullptr);
  hal_host::on_icache_sync(nullptr, nullptr);
}

void ModuleWorld::synchronised(uint64_t address, uint64_t bytes) {
  KILN_CHECK(bytes != 0, "no bytes are synchronised");
  const std::vector<mm::Mmu::Page> pages = mmu_->pages();
  for (uint64_t page = address / kPage; page <= (address + (bytes - 1)) / kPage; ++page) {
    const auto mapped = std::find_if(pages.begin(), pages.end(), [page](const mm::Mmu::Page& each) {
      return each.address == page * kPage && each.bytes == kPage;
    });
    KILN_CHECK(mapped != pages.end(), "%llx is synchronised, and not mapped",
               KILN_U64(page * kPage));
    const uint64_t frame = mapped->physical / kPage - memory_.model.first();
    KILN_CHECK(frame < memory_.model.size(), "%llx is mapped to no memory", KILN_U64(page * kPage));
    fetchable_[page * kPage] = sum_of(memory_.address_of(frame));
  }
}

// --- Memory that the loader has

/// Free pages, when nobody keeps an empty one.
size_t ModuleWorld::trimmed() {
  heap_->trim();
  return memory_.allocator.free_pages();
}

/// Takes all pages but so many.
void ModuleWorld::hoard(size_t left) {
  while (memory_.allocator.free_pages() > left) {
    hoarded_.push_back(memory_.allocator.allocate(0));
  }
}

void ModuleWorld::give_back_hoard() {
  for (clay::PageFrame* page : hoarded_) {
    memory_.allocator.free(*page, 0);
  }
  hoarded_.clear();
}

/// Whether `free` pages need not suffice: those of the segments, three tables for every 2 MiB, the
/// heap's pages for three blocks, of which large ones want pages in a row.
bool ModuleWorld::may_lack_memory(const ModuleFile& file, size_t file_bytes, size_t free) const {
  unsigned __int128 need = 3;
  uint64_t pages = 0;
  for (const ModuleFile::Segment& s : file.segments) {
    const uint64_t last = s.address + (s.bytes - 1);
    const uint64_t count = last / kPage - s.address / kPage + 1;
    pages += count;
    need += count + 3 * (count / 512 + 2);
  }
  need += pages * 8 > 2048 ? pages * 16 / kPage + 8 : 0;
  need += file_bytes > 2048 ? file_bytes * 2 / kPage + 8 : 0;
  return free < need || pages * 8 > size_t{4} << 20;
}

/// The lowest page of those behind which something ends (or nothing has begun) where there is room.
std::optional<uint64_t> ModuleWorld::expected_page(const ModuleFile& file) const {
  const uint64_t pages = file.end_page() - file.first_page();
  const uint64_t unit = file.align / kPage;
  std::vector<uint64_t> begins = {shape_.first_page};
  for (const Live& other : live_) {
    begins.push_back(other.end_page + 1);
  }
  std::optional<uint64_t> best;
  for (uint64_t page : begins) {
    while (page % unit != file.first_page() % unit) {
      ++page;
    }
    bool free = page + pages <= shape_.first_page + shape_.pages;
    for (const Live& other : live_) {
      const uint64_t begin = other.image.pages.front().address / kPage;
      free = free && (page + pages < begin || page > other.end_page);
    }
    if (free && (!best || page < *best)) {
      best = page;
    }
  }
  return best;
}

// --- Loading

ModuleWorld::Outcome ModuleWorld::load(clay::Bytes file, size_t free_pages, uint64_t failing) {
  Outcome outcome;
  outcome.file = worlds::read_module({file.data(), file.size()}, rules_, export_map_);
  const size_t before = trimmed();
  const size_t tables = table_->tables();
  hoard(free_pages);
  const size_t free = memory_.allocator.free_pages();
  const uint64_t begun = failure_.before();
  if (failing != UINT64_MAX) {
    failure_.arm(failing);
  }
  const clay::Result<clay::elf::Module*> got = loader_->load(file, outcome.why);
  machine_.fail_allocation(UINT64_MAX);
  const bool failed = failing != UINT64_MAX && failure_.may_have_struck(begun);
  give_back_hoard();
  judge(outcome, file, got, free, failed);
  if (outcome.module == nullptr) {
    const size_t after = trimmed();
    KILN_CHECK(after == before, "a refused module (%s) has left %zu pages in use",
               clay::elf::refusal_text(outcome.why.reason), before - after);
    KILN_CHECK(table_->tables() == tables, "%zu tables, not %zu, after a refusal", table_->tables(),
               tables);
  }
  if (outcome.file.faults.empty()) {
    check_memory();
  }
  return outcome;
}

/// The error is the one that module.h has for the reason.
void ModuleWorld::judge_error(const clay::elf::Refused& why, clay::Error error) {
  const clay::Error want = why.reason == Refusal::kNoMemory  ? clay::Error::kNoMemory
                           : why.reason == Refusal::kNoSpace ? clay::Error::kNoSpace
                           : why.reason == Refusal::kLoaded  ? clay::Error::kExists
                                                             : clay::Error::kCorrupt;
  KILN_CHECK(error == want, "for %s the error is %s, not %s", clay::elf::refusal_text(why.reason),
             clay::error_text(error), clay::error_text(want));
}

/// One of the faults it must be.
void ModuleWorld::judge_refusal(const Outcome& outcome, const std::set<ModuleFault>& faults,
                                uint64_t at) const {
  const clay::elf::Refused& why = outcome.why;
  const bool right = std::any_of(faults.begin(), faults.end(), [&](ModuleFault fault) {
    return is_same_fault(why.reason, fault);
  });
  KILN_CHECK(right && why.at == at, "at %llu: it is refused because %s", KILN_U64(why.at),
             clay::elf::refusal_text(why.reason));
}

/// Of a file that is wrong by itself: one of its faults, where it stands.
void ModuleWorld::judge_file(const Outcome& outcome) const {
  const ModuleFile& want = outcome.file;
  const clay::elf::Refused& why = outcome.why;
  KILN_CHECK(why.reason != Refusal::kNone,
             "a file with %zu faults, the first (%u) at %llu, is loaded", want.faults.size(),
             static_cast<unsigned>(want.faults.begin()->first),
             KILN_U64(want.faults.begin()->second));
  std::set<ModuleFault> here;
  for (const ModuleFile::Fault& fault : want.faults) {
    if (fault.second == why.at) here.insert(fault.first);
  }
  judge_refusal(outcome, here, why.at);
  for (const ModuleFile::Symbol& s : want.symbols) {
    KILN_CHECK(why.reason != Refusal::kUnresolved || s.at != why.at || why.symbol == view(s.name),
               "the symbol that is missing is not called so");
  }
}

void ModuleWorld::judge(Outcome& outcome, clay::Bytes file,
                        const clay::Result<clay::elf::Module*>& got, size_t free, bool failed) {
  const clay::elf::Refused& why = outcome.why;
  const ModuleFile& want = outcome.file;
  KILN_CHECK(got.ok() == (why.reason == Refusal::kNone), "loaded, and refused");
  note_refusal(why.reason);
  if (!got.ok()) {
    judge_error(why, got.error());
  }
  if (!want.faults.empty()) {
    return judge_file(outcome);
  }
  const std::optional<uint64_t> page = expected_page(want);
  KILN_CHECK((why.reason == Refusal::kNoSpace) == !page.has_value(),
             "there is %s for it among the addresses", page ? "room" : "no room");
  if (!page) {
    return;
  }
  if (why.reason == Refusal::kNoMemory) {
    KILN_CHECK(failed || may_lack_memory(want, file.size(), free), "no memory, with %zu pages free",
               free);
    return;
  }
  ModuleImage image =
      worlds::load_module({file.data(), file.size()}, want, rules_, export_map_, *page * kPage);
  worlds::ModuleSelf self = worlds::read_self(want, image, rules_);
  const bool taken = std::any_of(live_.begin(), live_.end(),
                                 [&](const Live& other) { return other.self.name == self.name; });
  if (!self.faults.empty()) {
    return judge_refusal(outcome, self.faults, want.symbols[want.descriptor].at);
  }
  KILN_CHECK((why.reason == Refusal::kLoaded) == taken, "its name is %s", taken ? "taken" : "free");
  if (taken) {
    return;
  }
  KILN_CHECK(got.ok(), "it is refused because %s", clay::elf::refusal_text(why.reason));
  outcome.module = got.value();
  take_in(outcome, std::move(image), std::move(self));
}

void ModuleWorld::take_in(Outcome& outcome, ModuleImage image, worlds::ModuleSelf self) {
  const clay::elf::Module& module = *outcome.module;
  KILN_CHECK(module.address() == image.pages.front().address && module.bias() == image.bias,
             "it lies at %llx, not at %llx", KILN_U64(module.address()),
             KILN_U64(image.pages.front().address));
  check_self(module, self);
  check_symbols(*loader_, module, outcome.file, image, export_map_);
  KILN_CHECK(loader_->find(module.name()) == &module &&
                 loader_->module_at(module.descriptor().init) ==
                     (module.descriptor().init == 0 ? nullptr : &module),
             "a module is not found by its name or address");
  const uint64_t end = image.pages.back().address / kPage + 1;
  live_.push_back({outcome.module, outcome.file, std::move(image), std::move(self), end});
  std::sort(live_.begin(), live_.end(),
            [](const Live& a, const Live& b) { return a.end_page < b.end_page; });
  for (const Live& live : live_) {
    if (live.module == outcome.module) outcome.image = &live.image;
  }
}

// --- What is in memory

void ModuleWorld::check_page(const ModuleImage::Page& want, const mm::Mmu::Page& got) {
  KILN_CHECK(want.address == got.address && got.bytes == kPage, "there is a page at %llx, not %llx",
             KILN_U64(got.address), KILN_U64(want.address));
  KILN_CHECK(got.rights.write == want.write && got.rights.execute == want.execute &&
                 !got.rights.user,
             "the page at %llx may %sbe written, %sbe executed, %sbe used by user mode",
             KILN_U64(want.address), got.rights.write ? "" : "not ",
             got.rights.execute ? "" : "not ", got.rights.user ? "" : "not ");
  const size_t frame = got.physical / kPage - memory_.model.first();
  const uint8_t* const bytes = memory_.address_of(frame);
  KILN_CHECK(memory_.is_taken(frame), "the page at %llx is nobody's", KILN_U64(want.address));
  if (memcmp(bytes, want.bytes.data(), kPage) != 0) {
    const auto [byte, differs] = std::mismatch(want.bytes.begin(), want.bytes.end(), bytes);
    machine_.fail(sim::Rule::kOracle, "byte %zu of the page at %llx is %02x, not %02x",
                  static_cast<size_t>(byte - want.bytes.begin()), KILN_U64(want.address), *differs,
                  *byte);
  }
  if (want.execute) {
    const auto synchronised = fetchable_.find(want.address);
    KILN_CHECK(synchronised != fetchable_.end() && synchronised->second == sum_of(bytes),
               "CPUs may fetch something else from %llx than what is there",
               KILN_U64(want.address));
  }
}

/// Every page of every module, no other, and nothing else that a CPU remembers.
void ModuleWorld::check_memory() {
  const std::vector<mm::Mmu::Page> pages = mmu_->pages();
  size_t next = 0;
  for (const Live& live : live_) {
    for (const ModuleImage::Page& want : live.image.pages) {
      KILN_CHECK(next < pages.size(), "the page at %llx is not mapped", KILN_U64(want.address));
      check_page(want, pages[next++]);
    }
  }
  KILN_CHECK(next == pages.size(), "%zu pages are mapped, not %zu", pages.size(), next);
  KILN_CHECK(table_->tables() == mmu_->tables().size(), "%zu tables are said, and there are %zu",
             table_->tables(), mmu_->tables().size());
  for (const mm::Mmu::Page& page : mmu_->remembered()) {
    const auto same = [&](const mm::Mmu::Page& now) {
      return now.address == page.address && now.physical == page.physical &&
             page.rights.within(now.rights);
    };
    KILN_CHECK(std::any_of(pages.begin(), pages.end(), same),
               "a CPU remembers a page at %llx as it was", KILN_U64(page.address));
  }
}

void ModuleWorld::use(const ModuleImage& image) {
  for (const ModuleImage::Page& page : image.pages) {
    // A read last: a CPU forgets what it must not do.
    const mm::Access kinds[] = {{.user = true}, {.write = true}, {.fetch = true}, {}};
    for (const mm::Access& access : kinds) {
      const bool fault = mmu_->access(0, page.address + 8, access).fault;
      const bool allowed =
          (!access.write || page.write) && (!access.fetch || page.execute) && !access.user;
      KILN_CHECK(fault != allowed, "an access to %llx is %s", KILN_U64(page.address),
                 fault ? "stopped" : "let through");
    }
  }
}

void ModuleWorld::unload(size_t which) {
  const std::vector<ModuleImage::Page> pages = std::move(live_[which].image.pages);
  loader_->unload(*live_[which].module);
  live_.erase(live_.begin() + static_cast<ptrdiff_t>(which));
  for (const ModuleImage::Page& page : pages) {
    fetchable_.erase(page.address);
    KILN_CHECK(loader_->module_at(page.address) == nullptr, "a module is found that is gone");
  }
  check_memory();
}

void ModuleWorld::finish() {
  while (!live_.empty()) {
    unload(0);
  }
  KILN_CHECK(table_->tables() == 1, "%zu tables are left", table_->tables());
  loader_.reset();
  heap_->trim();
  KILN_CHECK(heap_->pool_pages() == 0, "%zu pages of the heap are left", heap_->pool_pages());
  table_.reset();
  heap_.reset();
  cache_.drain();
  const size_t free = memory_.allocator.free_pages();
  KILN_CHECK(free == memory_.allocator.managed(), "%zu pages of %zu have come back", free,
             memory_.allocator.managed());
}

} // namespace kiln::targets
// NOLINTEND(bugprone-unchecked-optional-access)
