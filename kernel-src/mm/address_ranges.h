#pragma once
// Virtual addresses of the kernel, handed out in ranges of whole pages. Nothing is mapped here.
//
//   AddressRanges ranges(cache, {.first = 0xFFFF'C900'0000'0000, .last = 0xFFFF'E8FF'FFFF'FFFF});
//   CLAY_TRY(ranges.start());
//   uint64_t address = CLAY_TRY(ranges.allocate(5 * kPageBytes, kPageBytes));
//   ...
//   ranges.free(address);
//
// Guard pages: at least one page that is nobody's lies between any two ranges, and between a range
// and either end of the window, so that whoever runs off a range faults.
//
// A range lies in the smallest gap that it fits into, of those at the lowest address; gaps that
// meet are joined. So it is refused only when there is no gap for it, or no memory for the records
// of what a gap is cut into. They come from a pool; giving back takes none, and does not fail.
//
// A range is given back once; anything else is a bug and panics. Every function: any context but
// NMI, and with no lock of an allocator held. None waits. Time: logarithmic in the number of
// ranges; for ranges more aligned than a page, times the gaps that are large enough, but not when
// aligned.

#include <atomic>
#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/tree.h"
#include "kernel-src/mm/object_pool.h"
#include "kernel-src/sync/irq_spin_lock.h"

namespace clay {

class AddressRanges {
 public:
  static constexpr uint64_t kGuardBytes = kPageBytes;

  /// The addresses that may be used, both ends included.
  struct Window {
    uint64_t first;
    uint64_t last;
  };
  /// A range that somebody has. `use` is the owner's.
  struct Range {
    uint64_t address;
    uint64_t bytes;
    uint8_t use;
  };

  AddressRanges(PageCache& pages, const Window& window);
  /// Every range must have come back.
  ~AddressRanges();
  AddressRanges(const AddressRanges&) = delete;
  AddressRanges& operator=(const AddressRanges&) = delete;

  /// Once, before everything else; when it fails, again. kInvalid when the window does not consist
  /// of pages or is too small for a range of one, kOutOfRange when it is not all in one canonical
  /// half; kNoMemory.
  Result<> start();

  /// `bytes` at a multiple of `align`. kInvalid when these are no multiple of kPageBytes and a
  /// power of two from kPageBytes on; kNoSpace when no gap is large enough, kNoMemory.
  Result<uint64_t> allocate(uint64_t bytes, uint64_t align = kPageBytes, uint8_t use = 0);
  /// `address` is what allocate() returned. What was mapped there is mapped no longer.
  void free(uint64_t address);

  /// The range that `address` lies in; kNotFound in guard pages and gaps.
  Result<Range> find(uint64_t address);

  /// A moment's look: gaps between ranges, and pages that the records take.
  size_t gaps() const { return gap_count_.load(std::memory_order_relaxed); }
  size_t record_pages() const { return pool_.pages(); }

 private:
  struct Node;
  /// Gaps in order of size, then address.
  struct GapKey {
    uint64_t length; ///< bytes less one
    uint64_t first;
    bool operator<(const GapKey& other) const {
      return length != other.length ? length < other.length : first < other.first;
    }
  };
  /// A gap, or a range and the guard page behind it. Between them they make up the window without
  /// its first page.
  struct Node {
    uint64_t first;
    uint64_t last;
    bool taken;
    uint8_t use;
    TreeLink by_address;
    TreeLink by_size; ///< gaps only
  };
  static GapKey key_of(const Node& node) { return {node.last - node.first, node.first}; }
  /// What an allocation may need besides the gap: records for what is left of it.
  struct Spares {
    Node* nodes[2] = {};
  };

  Node* make_node();
  bool make_spares(Spares& spares);
  void free_nodes(const Spares& nodes);

  // With lock_ held.
  Node* find_gap(uint64_t bytes, uint64_t align, uint64_t* address);
  void cut(Node& gap, uint64_t first, uint64_t last, Spares& spares);
  void add_gap(Node& node, uint64_t first, uint64_t last);
  void remove_gap(Node& node);
  Node* join(Node* below, Node* above);

  const Window window_;
  ObjectPool pool_;
  IrqSpinLock lock_;
  Tree<Node, &Node::by_address, &Node::first> nodes_; ///< guarded by lock_
  Tree<Node, &Node::by_size, key_of> free_;           ///< guarded by lock_
  std::atomic<size_t> gap_count_{0};                  ///< written with lock_ held
};

} // namespace clay
