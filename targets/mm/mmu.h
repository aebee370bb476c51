#pragma once
// The MMUs of a machine's CPUs, as the Intel SDM (volume 3A, chapter 4) lets them be: 4-level
// paging with CR0.WP, EFER.NXE, and no SMEP or SMAP. Each CPU remembers all that it may: a
// translation for every page that it has used, and for every table on the way to it
// (4.10.2, 4.10.3), and uses what it remembers as long as it may. A page that misses no flush here
// misses none on a real CPU.
//
// Does not model: global pages, PCIDs, memory types, speculation.

#include <cstdint>
#include <map>
#include <vector>

#include "sim/machine.h"
#include "targets/mm/memory.h"

namespace kiln::mm {

struct Access {
  bool write = false;
  bool fetch = false;
  bool user = false;
};

struct Rights {
  bool write;
  bool execute;
  bool user;
  bool operator==(const Rights&) const = default;
  /// Whether an access is let through.
  bool allow(const Access& access) const {
    return (!access.write || write) && (!access.fetch || execute) && (!access.user || user);
  }
  bool within(const Rights& other) const {
    return (!write || other.write) && (!execute || other.execute) && (!user || other.user);
  }
};

class Mmu {
 public:
  Mmu(Memory& memory, uint64_t root, unsigned physical_bits)
      : memory_(memory), root_(root), physical_bits_(physical_bits) {}

  struct Outcome {
    bool fault;
    uint64_t physical;
  };
  Outcome access(unsigned cpu, uint64_t address, const Access& access);
  /// hal_tlb_flush_local; judges first that no CPU remembers what is gone already.
  void flush(unsigned cpu, uint64_t root, uint64_t first, uint64_t last);

  struct Page {
    uint64_t address;
    uint64_t bytes;
    uint64_t physical;
    Rights rights;
    bool dirty;
  };
  /// What the tables in memory say now, in order of addresses; judges their form.
  std::vector<Page> pages() const;
  /// Addresses whose tables may be empty, and how many bytes.
  void except(uint64_t address, uint64_t bytes) {
    reserved_ = address;
    reserved_bytes_ = bytes;
  }
  /// The pages that are mapped are memory's: one that a CPU remembers must be somebody's, too.
  void judge_pages() { judges_pages_ = true; }
  /// Tables seen by the last pages(), and where: level and address to physical address.
  using Place = std::pair<unsigned, uint64_t>;
  const std::map<Place, uint64_t>& tables() const { return tables_; }
  /// What the CPUs remember of pages.
  std::vector<Page> remembered() const;
  /// Whether a CPU remembers a page that reaches into [first, last].
  bool remembers_any(uint64_t first, uint64_t last) const;
  /// Every table that a CPU remembers is one now.
  void check_remembered_tables() const;

 private:
  struct Cpu {
    std::map<Place, Page> pages;      ///< by level and address
    std::map<Place, uint64_t> tables; ///< by level of the table and address; its physical address
  };

  volatile uint64_t* entry(uint64_t table, unsigned level, uint64_t address) const;
  void check_entry(uint64_t value, unsigned level, uint64_t address) const;
  bool recall(Cpu& cpu, uint64_t address, const Access& access, Outcome* outcome) const;
  Outcome walk(Cpu& cpu, uint64_t address, const Access& access);
  void collect(uint64_t table, unsigned level, uint64_t address, std::vector<Page>& out) const;

  Memory& memory_;
  uint64_t root_;
  unsigned physical_bits_;
  bool may_be_empty(unsigned level, uint64_t address) const;
  bool in_memory(uint64_t physical) const;
  bool is_gone(uint64_t physical) const;
  void check_not_gone(const Cpu& cpu) const;

  bool judges_pages_ = false;
  uint64_t reserved_ = 0;
  uint64_t reserved_bytes_ = 0;
  Cpu cpus_[sim::kMaxCpus];
  mutable std::map<Place, uint64_t> tables_;
};

} // namespace kiln::mm
