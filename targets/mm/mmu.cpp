// Bits and widths are written out from the manual's tables 4-15 to 4-20, not taken from the kernel.

#include "targets/mm/mmu.h"

#include <algorithm>

namespace kiln::mm {
namespace {

constexpr uint64_t kP = 1;
constexpr uint64_t kRw = 2;
constexpr uint64_t kUs = 4;
constexpr uint64_t kPwt = 8;
constexpr uint64_t kPcd = 0x10;
constexpr uint64_t kA = 0x20;
constexpr uint64_t kD = 0x40;
constexpr uint64_t kPs = 0x80;
constexpr uint64_t kPat = 0x80; ///< of an entry of a table of level 1; larger pages: bit 12
constexpr uint64_t kXd = uint64_t{1} << 63;

/// Bits of an address below what an entry of a level translates.
unsigned shift_of(unsigned level) { return 3 + 9 * level; }
uint64_t bytes_of(unsigned level) { return uint64_t{1} << shift_of(level); }
uint64_t first_of(unsigned level, uint64_t address) { return address & ~(bytes_of(level) - 1); }
uint64_t address_bits(uint64_t value) { return value & 0x000F'FFFF'FFFF'F000; }

bool canonical(uint64_t address) {
  const uint64_t high = address >> 47;
  return high == 0 || high == 0x1FFFF;
}

/// Bits 63 to 48 are those of bit 47.
uint64_t sign_extended(uint64_t address) {
  return (address >> 47 & 1) != 0 ? address | 0xFFFF'0000'0000'0000 : address;
}

bool reaches(const Mmu::Page& page, uint64_t first, uint64_t last) {
  return page.address <= last && page.address + (page.bytes - 1) >= first;
}

using ull = unsigned long long;

} // namespace

volatile uint64_t* Mmu::entry(uint64_t table, unsigned level, uint64_t address) const {
  KILN_CHECK(in_memory(table), "an entry leads to a table at %llx, where there is no memory",
             static_cast<ull>(table));
  uint8_t* const page =
      memory_.address_of(static_cast<size_t>((table >> 12) - memory_.model.first()));
  return reinterpret_cast<volatile uint64_t*>(page) + (address >> shift_of(level) & 511);
}

/// Reserved bits, memory types (all write-back), and what the kernel has sworn never to do.
void Mmu::check_entry(uint64_t value, unsigned level, uint64_t address) const {
  const bool page = level == 1 || (value & kPs) != 0;
  KILN_CHECK(level != 4 || (value & kPs) == 0, "bit 7 of a top entry is set");
  const uint64_t beyond = address_bits(value) >> physical_bits_;
  const uint64_t inside = page ? address_bits(value) & (bytes_of(level) - 1) : 0;
  KILN_CHECK(beyond == 0 && inside == 0,
             "reserved bits of an entry of level %u are set: %llx, for address %llx", level,
             static_cast<ull>(value), static_cast<ull>(address));
  const uint64_t type = value & (kPwt | kPcd | (page && level == 1 ? kPat : 0));
  KILN_CHECK(type == 0, "an entry of level %u for %llx has memory type bits %llx", level,
             static_cast<ull>(address), static_cast<ull>(type));
  KILN_CHECK(!page || (value & kRw) == 0 || (value & kXd) != 0,
             "the page at %llx can be written and executed", static_cast<ull>(address));
}

// --- Accesses

/// Whether a page that is remembered serves the access.
bool Mmu::recall(Cpu& cpu, uint64_t address, const Access& access, Outcome* outcome) const {
  for (unsigned level = 1; level <= 3; ++level) {
    const auto found = cpu.pages.find({level, first_of(level, address)});
    if (found == cpu.pages.end()) {
      continue;
    }
    const Page& page = found->second;
    if (page.rights.allow(access) && (!access.write || page.dirty)) {
      *outcome = {false, page.physical + (address - page.address)};
      return true;
    }
    cpu.pages.erase(found); // 4.10.4.1: a page fault, or a first write, looks again
    return false;
  }
  return false;
}

Mmu::Outcome Mmu::walk(Cpu& cpu, uint64_t address, const Access& access) {
  uint64_t table = root_;
  unsigned level = 4;
  for (unsigned cached = 1; cached <= 3; ++cached) { // the nearest table that is remembered
    const auto found = cpu.tables.find({cached, first_of(cached + 1, address)});
    if (found != cpu.tables.end()) {
      table = found->second;
      level = cached;
      break;
    }
  }
  Rights rights{true, true, true};
  for (;; --level) {
    volatile uint64_t* const at = entry(table, level, address);
    const uint64_t value = *at;
    if ((value & kP) == 0) {
      return {true, 0};
    }
    check_entry(value, level, address);
    const Rights here{(value & kRw) != 0, (value & kXd) == 0, (value & kUs) != 0};
    rights = {rights.write && here.write, rights.execute && here.execute, rights.user && here.user};
    const bool page = level == 1 || (value & kPs) != 0;
    if (page && !rights.allow(access)) {
      return {true, 0};
    }
    *at = value | kA | (page && access.write ? kD : 0);
    if (page) {
      const uint64_t first = first_of(level, address);
      const bool dirty = access.write || (value & kD) != 0;
      cpu.pages[{level, first}] = {first, bytes_of(level), address_bits(value), rights, dirty};
      return {false, address_bits(value) + (address - first)};
    }
    table = address_bits(value);
    cpu.tables[{level - 1, first_of(level, address)}] = table;
  }
}

Mmu::Outcome Mmu::access(unsigned cpu, uint64_t address, const Access& access) {
  Outcome outcome{true, 0};
  if (canonical(address) && !recall(cpus_[cpu], address, access, &outcome)) {
    outcome = walk(cpus_[cpu], address, access);
  }
  return outcome;
}

bool Mmu::in_memory(uint64_t physical) const {
  const uint64_t number = physical >> 12;
  return number >= memory_.model.first() && number - memory_.model.first() < memory_.model.size();
}

/// Whether a page of memory is nobody's.
bool Mmu::is_gone(uint64_t physical) const {
  return !memory_.is_taken(static_cast<size_t>((physical >> 12) - memory_.model.first()));
}

void Mmu::check_not_gone(const Cpu& cpu) const {
  for (const auto& [place, table] : cpu.tables) {
    KILN_CHECK(!is_gone(table), "a table goes back before CPUs have forgotten it");
  }
  for (const auto& [place, page] : cpu.pages) {
    KILN_CHECK(!judges_pages_ || !in_memory(page.physical) || !is_gone(page.physical),
               "a page goes back before CPUs have forgotten it");
  }
}

void Mmu::flush(unsigned cpu, uint64_t root, uint64_t first, uint64_t last) {
  KILN_CHECK(root == root_, "a flush for other tables");
  for (const Cpu& other : cpus_) {
    check_not_gone(other);
  }
  cpus_[cpu].tables.clear(); // 4.10.4.1, INVLPG: all of them, whatever the address
  std::erase_if(cpus_[cpu].pages,
                [&](const auto& page) { return reaches(page.second, first, last); });
}

bool Mmu::remembers_any(uint64_t first, uint64_t last) const {
  return std::any_of(std::begin(cpus_), std::end(cpus_), [&](const Cpu& cpu) {
    return std::any_of(cpu.pages.begin(), cpu.pages.end(),
                       [&](const auto& page) { return reaches(page.second, first, last); });
  });
}

// --- All of it

/// A table of a level for addresses from `address` on.
bool Mmu::may_be_empty(unsigned level, uint64_t address) const {
  const uint64_t last = address + (bytes_of(level) * 512 - 1);
  return level == 4 || (reserved_bytes_ != 0 && reserved_ + (reserved_bytes_ - 1) >= address &&
                        reserved_ <= last);
}

void Mmu::collect(uint64_t table, unsigned level, uint64_t address, std::vector<Page>& out) const {
  const size_t before = out.size();
  tables_[{level, address}] = table;
  for (uint64_t i = 0; i < 512; ++i) {
    const uint64_t at = sign_extended(address + i * bytes_of(level));
    const uint64_t value = *entry(table, level, at);
    if ((value & kP) == 0) {
      KILN_CHECK(value == 0, "an entry that is not present holds %llx", static_cast<ull>(value));
      continue;
    }
    check_entry(value, level, at);
    if (level > 1 && (value & kPs) == 0) {
      collect(address_bits(value), level - 1, at, out);
      continue;
    }
    out.push_back({at,
                   bytes_of(level),
                   address_bits(value),
                   {(value & kRw) != 0, (value & kXd) == 0, (value & kUs) != 0},
                   (value & kD) != 0});
  }
  KILN_CHECK(out.size() > before || may_be_empty(level, address),
             "a table of level %u for %llx has no entries", level, static_cast<ull>(address));
}

std::vector<Mmu::Page> Mmu::pages() const {
  std::vector<Page> out;
  tables_.clear();
  collect(root_, 4, 0, out);
  return out;
}

std::vector<Mmu::Page> Mmu::remembered() const {
  std::vector<Page> out;
  for (const Cpu& cpu : cpus_) {
    for (const auto& [place, page] : cpu.pages) {
      out.push_back(page);
    }
  }
  return out;
}

void Mmu::check_remembered_tables() const {
  for (const Cpu& cpu : cpus_) {
    for (const auto& [place, table] : cpu.tables) {
      const auto now = tables_.find(place);
      KILN_CHECK(now != tables_.end() && now->second == table,
                 "a CPU remembers a table of level %u for %llx that is another now", place.first,
                 static_cast<ull>(place.second));
    }
  }
}

} // namespace kiln::mm
