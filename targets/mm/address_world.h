#pragma once
// For mm/addresses and mm/addresses-smp: ranges of virtual addresses, mappings of devices and of
// fresh pages in them, CPUs that use these, and a model of who has what.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "kernel-src/mm/address_ranges.h"
#include "kernel-src/mm/kernel_mappings.h"
#include "kernel-src/mm/page_table.h"
#include "sim/probe.h"
#include "targets/mm/address_model.h"
#include "targets/mm/address_steps.h"
#include "targets/mm/memory.h"
#include "targets/mm/mmu.h"
#include "targets/mm/operation.h"
#include "targets/mm/range_model.h"
#include "targets/mm/shadow.h"

namespace kiln::mm {

/// States that both targets must reach.
struct AddressProbes {
  explicit AddressProbes(const char* target);
  sim::Probe full;          ///< no room for a range
  sim::Probe fragmented;    ///< room in all, but in no gap
  sim::Probe align_refused; ///< room, but not for one so aligned
  sim::Probe joined;        ///< a range goes between two gaps
  sim::Probe exact;         ///< a range fills a gap to the last page
  sim::Probe last_page;     ///< a range ends one page before the last address of all
  sim::Probe guard;         ///< an access to a guard page faults
  sim::Probe large;         ///< a device is mapped by large pages
  sim::Probe small_instead; ///< a device has no room for large pages, and is mapped by small ones
  sim::Probe device_offset; ///< a device begins in the middle of a page
  sim::Probe no_memory;     ///< memory is refused in the middle, and really for want of a page
  sim::Probe failed;        ///< an allocation was made to fail
  sim::Probe freed_seen;    ///< a CPU had to forget what is unmapped
  sim::Probe odd_window;    ///< a window is refused
};

class AddressWorld {
 public:
  AddressWorld(sim::Run& run, const AddressProbes& probes);
  ~AddressWorld();

  void do_step(const AddressStep& step, bool in_task);
  /// Everything is given back, and nothing is left.
  void finish();

  Failure& failure() { return failure_; }
  const Traffic& traffic() const { return traffic_; }
  unsigned physical_bits() const { return physical_bits_; }

 private:
  struct Mapping {
    uint64_t address; ///< as it was given
    uint64_t first;   ///< of its range
    uint64_t bytes;   ///< of its range
    uint64_t physical;
    Rights rights;
    bool device;
  };

  void take(const AddressStep& step);
  void give_back(size_t n);
  void find(const AddressStep& step);
  void map_device(const AddressStep& step);
  void map_memory(const AddressStep& step);
  void unmap(size_t n);
  void use(const AddressStep& step);
  void try_window(const AddressStep& step);
  void hold_pages(unsigned leave);
  void let_pages_go();

  bool meets_memory(const AddressStep& step) const;
  std::optional<uint64_t> place_for_device(uint64_t physical, uint64_t bytes) const;
  bool excuse_memory(const Operation& operation, uint64_t before, size_t free, uint64_t needed);
  void judge_no_room(const Operation& operation, uint64_t bytes, uint64_t align);
  void note_range(uint64_t address, uint64_t bytes, uint64_t align);
  void note_mapping(const Mapping& mapping);
  void took_page(uint64_t address);
  uint64_t pick_address(const AddressStep& step) const;
  void check_forgotten(const Operation& operation, uint64_t first, uint64_t bytes) const;
  void check();
  void check_tables();
  void check_all_is_back();
  void check_all_of_a_memory();
  size_t free_pages() { return memory_.allocator.free_pages() + cache_.cached(); }

  sim::Machine& machine_;
  const AddressProbes& probes_;
  unsigned physical_bits_;
  AddressWindow window_;
  Memory memory_;
  clay::PageCache cache_;
  std::optional<clay::PageTable> table_;
  std::optional<clay::AddressRanges> ranges_;
  std::optional<clay::KernelMappings> mappings_;
  std::optional<Mmu> mmu_;
  RangeModel model_;
  AddressModel mapped_;
  Shadow shadow_;
  Failure failure_;
  Traffic traffic_;
  std::vector<std::pair<uint64_t, uint64_t>> taken_; ///< ranges with nothing in them: place, bytes
  std::vector<Mapping> live_;
  size_t fresh_pages_ = 0;
  uint64_t given_back_ = 0;                  ///< ranges
  std::vector<clay::PageFrame*> held_pages_; ///< so that memory is short
};

} // namespace kiln::mm
