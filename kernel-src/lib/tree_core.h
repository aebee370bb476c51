#pragma once
// The shape of a red-black tree, whatever its objects and keys are (tree.h adds those), so that the
// balancing exists once in the kernel.
//
// The rules that keep it balanced (Bayer 1972; Guibas and Sedgewick 1978):
//   - the root is black, and no red node has a red child;
//   - every way from the root down to a missing child has the same number of black nodes.
// So no way is more than twice as long as another: at most 2 * log2(n + 1) steps.

#include <stdint.h>

#include "kernel-src/lib/assert.h"

namespace clay {

enum class TreeSide : uint8_t { kLeft = 0, kRight = 1 };

constexpr TreeSide opposite(TreeSide side) {
  return side == TreeSide::kLeft ? TreeSide::kRight : TreeSide::kLeft;
}

/// A node: a place in a tree, or in none. Colour and membership lie in the low bits of the parent's
/// address.
class TreeLink {
 public:
  constexpr TreeLink() = default;
  TreeLink(const TreeLink&) = delete;
  TreeLink& operator=(const TreeLink&) = delete;

  /// Whether the object is in a tree by this link.
  bool is_linked() const { return (parent_and_bits_ & kLinked) != 0; }

  TreeLink* child(TreeSide side) const { return children_[static_cast<unsigned>(side)]; }
  TreeLink* parent() const { return reinterpret_cast<TreeLink*>(parent_and_bits_ & ~kBits); }
  bool is_red() const { return (parent_and_bits_ & kRed) != 0; }

  /// The neighbour in order on that side, or null.
  TreeLink* step(TreeSide side) const;

 private:
  friend class TreeCore;

  static constexpr uintptr_t kRed = 1;
  static constexpr uintptr_t kLinked = 2;
  static constexpr uintptr_t kBits = kRed | kLinked;

  TreeLink*& child_slot(TreeSide side) { return children_[static_cast<unsigned>(side)]; }
  /// Which child of its parent (not null) this is.
  TreeSide side() const {
    return parent()->child(TreeSide::kLeft) == this ? TreeSide::kLeft : TreeSide::kRight;
  }
  void set_parent(TreeLink* parent) {
    parent_and_bits_ = reinterpret_cast<uintptr_t>(parent) | (parent_and_bits_ & kBits);
  }
  void set_red(bool red) {
    parent_and_bits_ = red ? parent_and_bits_ | kRed : parent_and_bits_ & ~kRed;
  }

  TreeLink* children_[2] = {nullptr, nullptr};
  uintptr_t parent_and_bits_ = 0;
};
static_assert(alignof(TreeLink) >= 4);

class TreeCore {
 public:
  constexpr TreeCore() = default;

  TreeLink* root() const { return root_; }
  /// The first (left) or last (right) node, or null.
  TreeLink* outermost(TreeSide side) const;

  /// Puts `node`, which is in no tree, in the free place at that side of `parent` (null: the tree
  /// is empty), and balances.
  void insert(TreeLink& node, TreeLink* parent, TreeSide side);
  /// Takes `node`, which is in this tree, out, and balances.
  void remove(TreeLink& node);

  /// Null when links, colours and black heights are as they must be, else what is wrong.
  const char* fault() const;

 private:
  void replace(TreeLink& old, TreeLink* with);
  void rotate(TreeLink& top, TreeSide side);
  void change_places(TreeLink& upper, TreeLink& lower);
  void balance_after_insert(TreeLink& node);
  void balance_after_remove(TreeLink* parent, TreeSide side);
  bool settle_shorter_side(TreeLink& parent, TreeSide side);

  TreeLink* root_ = nullptr;
};

} // namespace clay
