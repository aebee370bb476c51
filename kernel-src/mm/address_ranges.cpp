#include "kernel-src/mm/address_ranges.h"

#include <new>
#include <utility>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/mm/canonical.h"

namespace clay {
namespace {

constinit LockClass address_ranges_class{"address-ranges", kHalOfAllocator};

/// The guard page at the window's beginning, a page, and its guard page.
constexpr uint64_t kLeastWindow = 2 * AddressRanges::kGuardBytes + kPageBytes;

constexpr bool is_page_aligned(uint64_t n) { return is_aligned<uint64_t>(n, kPageBytes); }

} // namespace

AddressRanges::AddressRanges(PageCache& pages, const Window& window)
    : window_(window), pool_(pages, {"address-range", sizeof(Node), alignof(Node)}),
      lock_(address_ranges_class) {}

AddressRanges::~AddressRanges() {
  Node* const all = nodes_.pop_first();
  if (all != nullptr) {
    CLAY_ASSERT(nodes_.empty() && !all->taken); // a range has leaked
    free_.remove(*all);
    pool_.free(all);
  }
}

Result<> AddressRanges::start() {
  CLAY_ASSERT(nodes_.empty());
  if (!is_canonical(window_.first, window_.last)) {
    return Error::kOutOfRange;
  }
  const uint64_t length = window_.last - window_.first;
  if (!is_page_aligned(window_.first) || length % kPageBytes != kPageBytes - 1 ||
      length < kLeastWindow - 1) {
    return Error::kInvalid;
  }
  Node* const all = make_node();
  if (all == nullptr) {
    return Error::kNoMemory;
  }
  IrqSpinGuard guard(lock_);
  add_gap(*all, window_.first + kGuardBytes, window_.last);
  return {};
}

// --- Records

/// In no tree. Null when there is no memory.
AddressRanges::Node* AddressRanges::make_node() {
  void* const memory = hal_memory_asked(sizeof(Node)) ? pool_.allocate() : nullptr;
  return memory != nullptr ? new (memory) Node{} : nullptr;
}

bool AddressRanges::make_spares(Spares& spares) {
  for (Node*& node : spares.nodes) {
    node = make_node();
    if (node == nullptr) {
      free_nodes(spares);
      return false;
    }
  }
  return true;
}

void AddressRanges::free_nodes(const Spares& nodes) {
  for (Node* const node : nodes.nodes) {
    if (node != nullptr) {
      pool_.free(node);
    }
  }
}

// --- Taking

/// The smallest gap with room for `bytes` at a multiple of `align`, and where; null when none has.
AddressRanges::Node* AddressRanges::find_gap(uint64_t bytes, uint64_t align, uint64_t* address) {
  for (Node* gap = free_.first_at_or_above(GapKey{bytes - 1, 0}); gap != nullptr;
       gap = free_.next(*gap)) {
    const Result<uint64_t> first = align_up(gap->first, align);
    if (first.ok() && first.value() <= gap->last && gap->last - first.value() >= bytes - 1) {
      *address = first.value();
      return gap;
    }
  }
  return nullptr;
}

/// `node` is in no tree.
void AddressRanges::add_gap(Node& node, uint64_t first, uint64_t last) {
  node.first = first;
  node.last = last;
  node.taken = false;
  nodes_.insert(node);
  gap_count_.store(gap_count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  free_.insert(node);
}

void AddressRanges::remove_gap(Node& node) {
  free_.remove(node);
  gap_count_.store(gap_count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  nodes_.remove(node);
}

/// Makes [first, last] of a gap a range; what is left of it are gaps. Takes the spares it needs.
void AddressRanges::cut(Node& gap, uint64_t first, uint64_t last, Spares& spares) {
  const uint64_t gap_first = gap.first;
  const uint64_t gap_last = gap.last;
  remove_gap(gap);
  gap.first = first;
  gap.last = last;
  gap.taken = true;
  nodes_.insert(gap);
  if (first > gap_first) {
    add_gap(*std::exchange(spares.nodes[0], nullptr), gap_first, first - 1);
  }
  if (last < gap_last) {
    add_gap(*std::exchange(spares.nodes[1], nullptr), last + 1, gap_last);
  }
}

Result<uint64_t> AddressRanges::allocate(uint64_t bytes, uint64_t align, uint8_t use) {
  if (bytes == 0 || !is_page_aligned(bytes) || !is_power_of_two(align) || align < kPageBytes) {
    return Error::kInvalid;
  }
  const Result<uint64_t> guarded = checked_add(bytes, kGuardBytes);
  if (!guarded.ok()) {
    return Error::kNoSpace;
  }
  Spares spares;
  if (!make_spares(spares)) {
    return Error::kNoMemory;
  }
  uint64_t address = 0;
  Node* gap = nullptr;
  {
    IrqSpinGuard guard(lock_);
    gap = find_gap(guarded.value(), align, &address);
    if (gap != nullptr) {
      cut(*gap, address, address + (guarded.value() - 1), spares);
      gap->use = use;
    }
  }
  free_nodes(spares);
  return gap != nullptr ? Result<uint64_t>(address) : Error::kNoSpace;
}

// --- Giving back

/// Joins two neighbours when both are gaps; the record that is left over, or null. Either may be
/// null.
AddressRanges::Node* AddressRanges::join(Node* below, Node* above) {
  if (below == nullptr || above == nullptr || below->taken || above->taken) {
    return nullptr;
  }
  remove_gap(*above);
  remove_gap(*below);
  add_gap(*below, below->first, above->last);
  return above;
}

void AddressRanges::free(uint64_t address) {
  Spares unused;
  {
    IrqSpinGuard guard(lock_);
    Node* const node = nodes_.find(address);
    CLAY_ASSERT(node != nullptr && node->taken); // or it is given back twice
    nodes_.remove(*node);
    add_gap(*node, node->first, node->last);
    unused.nodes[0] = join(node, nodes_.next(*node));
    unused.nodes[1] = join(nodes_.previous(*node), node);
  }
  free_nodes(unused);
}

// --- Looking

Result<AddressRanges::Range> AddressRanges::find(uint64_t address) {
  IrqSpinGuard guard(lock_);
  const Node* const node = nodes_.last_at_or_below(address);
  if (node == nullptr || !node->taken || address > node->last - kGuardBytes) {
    return Error::kNotFound;
  }
  return Range{node->first, node->last - node->first + 1 - kGuardBytes, node->use};
}

} // namespace clay
