#pragma once
// For mm/pagetable and mm/pagetable-smp: page tables of the kernel's, CPUs that use them at any
// moment, and intervals that say what is mapped.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kernel-src/mm/mapping_window.h"
#include "kernel-src/mm/page_table.h"
#include "sim/probe.h"
#include "targets/mm/address_model.h"
#include "targets/mm/memory.h"
#include "targets/mm/mmu.h"
#include "targets/mm/table_steps.h"
#include "targets/sync/support.h"

namespace kiln::mm {

/// States that both targets must reach.
struct TableProbes {
  explicit TableProbes(const char* target);
  sim::Probe large;         ///< 2 MiB
  sim::Probe huge;          ///< 1 GiB
  sim::Probe split;         ///< by unmap or protect
  sim::Probe table_freed;   ///< a table without entries went back
  sim::Probe forgotten;     ///< CPUs had to forget a page
  sim::Probe exists;        ///< refused
  sim::Probe not_found;     ///< refused
  sim::Probe not_permitted; ///< refused: to write and execute
  sim::Probe not_canonical; ///< refused
  sim::Probe no_memory;     ///< refused in the middle
  sim::Probe last_page;     ///< the last of all addresses is mapped
  sim::Probe dirty_split;   ///< a large page was written before it was split
  sim::Probe denied;        ///< an access is not let through by rights
  sim::Probe failed;        ///< an allocation was made to fail
  sim::Probe window_full;   ///< no slot is free
  sim::Probe window_again;  ///< a slot has another page than before
  sim::Probe many_at_once;  ///< unmapped together: more pages apart than a request has ranges
};

class TableWorld {
 public:
  /// The window lies across two tables.
  static constexpr unsigned kSlots = 12;
  static constexpr uint64_t kWindow = 0xFFFF'C000'0020'0000 - 2 * 4096;

  TableWorld(sim::Run& run, const TableProbes& probes);
  ~TableWorld();

  /// By one task only.
  void do_step(const TableStep& step);
  /// Maps a page by the window, uses it, and unmaps it or one that was mapped before. Any context.
  void use_window(const TableStep& step);
  /// An access of the CPU that the caller runs on. Any context.
  void access(const TableStep& step);
  void finish();

  /// From here on the k-th allocation fails, if any.
  void arm(bool fails, uint64_t k) {
    if (fails) failure_.arm(k);
  }
  /// Hits the probe when a CPU is asked to forget while it waits for answers.
  void tell_when_asked(const sim::Probe& probe) { asked_while_waiting_ = &probe; }
  unsigned physical_bits() const { return physical_bits_; }
  /// Whether an operation is under way.
  bool busy() const { return operation_.has_value(); }

 private:
  struct Operation {
    uint64_t first;
    uint64_t last;
    uint64_t physical;
    std::optional<Rights> rights; ///< after it; none: not mapped
    bool maps;                    ///< `physical` says where; else where it was
  };
  struct Verdict {
    bool invalid = false;
    bool out_of_range = false;
    bool not_permitted = false;
    bool exists = false;
    bool not_found = false;
    bool none() const {
      return !invalid && !out_of_range && !not_permitted && !exists && !not_found;
    }
    bool allows(clay::Error error) const;
  };

  Verdict judge_range(const TableStep& step) const;
  void map(const TableStep& step);
  void unmap(const TableStep& step);
  void protect(const TableStep& step);
  void find(const TableStep& step);
  void find_at(uint64_t address);
  template <typename Call>
  bool operate(const TableStep& step, const Verdict& verdict, const Operation& operation,
               uint64_t tables_needed, Call call);
  void check_access(uint64_t address, const Access& access, const Mmu::Outcome& outcome) const;
  void start_window();
  void check_window_refusals();
  void check_largest_window();
  void check_last_window();
  void check_pages_after_tables();
  void flush(unsigned cpu, uint64_t root, uint64_t first, uint64_t last);
  bool map_in_window(uint64_t physical);
  uint64_t take_from_window(size_t n);
  void unmap_at_once(const std::vector<uint64_t>& addresses);
  void unmap_from_window(size_t n, size_t most);
  void unmap_every_other();
  void unmap_some(const TableStep& step);
  void unmap_with_irqs_off(size_t n);
  bool meets_window(const TableStep& step) const;
  uint64_t pick_address(const TableStep& step) const;
  void check_largest(const Mmu::Page& page) const;
  void forget_writes(uint64_t first, uint64_t last);
  void check();

  sim::Machine& machine_;
  const TableProbes& probes_;
  unsigned physical_bits_;
  Memory memory_;
  clay::PageCache cache_;
  Failure failure_;
  std::optional<clay::PageTable> table_;
  std::optional<clay::MappingWindow> window_;
  std::optional<Mmu> mmu_;
  AddressModel model_;
  std::set<uint64_t> written_; ///< pages of 4 KiB that a CPU has written
  std::optional<Operation> operation_;
  std::optional<std::pair<uint64_t, uint64_t>> just_mapped_; ///< by this step: first and last
  std::vector<uint64_t> in_window_;                          ///< addresses that are mapped by it
  std::map<uint64_t, uint64_t> slots_; ///< what each slot was mapped to the last time
  unsigned window_busy_ = 0;           ///< calls of it under way
  size_t leaving_window_ = 0;          ///< pages on their way out of it
  /// By CPU: a page that it unmaps with interrupts off now, or 0.
  uint64_t own_request_[sim::kMaxCpus] = {};
  const sim::Probe* asked_while_waiting_ = nullptr;
};

} // namespace kiln::mm
