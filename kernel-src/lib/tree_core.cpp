#include "kernel-src/lib/tree_core.h"

namespace clay {
namespace {

bool is_red(const TreeLink* node) { return node != nullptr && node->is_red(); }

TreeLink* outermost_below(TreeLink* node, TreeSide side) {
  while (TreeLink* const child = node->child(side)) {
    node = child;
  }
  return node;
}

} // namespace

TreeLink* TreeLink::step(TreeSide side) const {
  if (TreeLink* const below = child(side)) {
    return outermost_below(below, opposite(side));
  }
  const TreeLink* at = this;
  while (at->parent() != nullptr && at->side() == side) {
    at = at->parent();
  }
  return at->parent();
}

TreeLink* TreeCore::outermost(TreeSide side) const {
  return root_ == nullptr ? nullptr : outermost_below(root_, side);
}

// Hangs `with` (or nothing) where `old` hangs.
void TreeCore::replace(TreeLink& old, TreeLink* with) {
  TreeLink* const parent = old.parent();
  (parent == nullptr ? root_ : parent->child_slot(old.side())) = with;
  if (with != nullptr) {
    with->set_parent(parent);
  }
}

// Turns `top` down to `side`; its child of the other side comes up in its place.
void TreeCore::rotate(TreeLink& top, TreeSide side) {
  TreeLink& riser = *top.child(opposite(side));
  TreeLink* const middle = riser.child(side);
  replace(top, &riser);
  top.child_slot(opposite(side)) = middle;
  if (middle != nullptr) {
    middle->set_parent(&top);
  }
  riser.child_slot(side) = &top;
  top.set_parent(&riser);
}

void TreeCore::insert(TreeLink& node, TreeLink* parent, TreeSide side) {
  CLAY_ASSERT(!node.is_linked());
  node.children_[0] = nullptr;
  node.children_[1] = nullptr;
  node.parent_and_bits_ = TreeLink::kLinked | TreeLink::kRed;
  node.set_parent(parent);
  (parent == nullptr ? root_ : parent->child_slot(side)) = &node;
  balance_after_insert(node);
}

// `inserted` is red, and so may its parent be: moves the clash up until it can be turned away.
void TreeCore::balance_after_insert(TreeLink& inserted) {
  TreeLink* node = &inserted;
  while (is_red(node->parent())) {
    TreeLink& parent = *node->parent();
    TreeLink& grandparent = *parent.parent(); // a red node is never the root
    const TreeSide side = parent.side();
    TreeLink* const uncle = grandparent.child(opposite(side));
    if (is_red(uncle)) {
      parent.set_red(false);
      uncle->set_red(false);
      grandparent.set_red(true);
      node = &grandparent;
      continue;
    }
    if (node->side() != side) {
      rotate(parent, side);
    }
    rotate(grandparent, opposite(side));
    grandparent.parent()->set_red(false);
    grandparent.set_red(true);
    break;
  }
  root_->set_red(false);
}

void TreeCore::remove(TreeLink& node) {
  CLAY_ASSERT(node.is_linked());
  if (node.child(TreeSide::kLeft) != nullptr && node.child(TreeSide::kRight) != nullptr) {
    change_places(node, *outermost_below(node.child(TreeSide::kRight), TreeSide::kLeft));
  }
  TreeLink* const left = node.child(TreeSide::kLeft);
  TreeLink* const child = left != nullptr ? left : node.child(TreeSide::kRight);
  TreeLink* const parent = node.parent();
  const TreeSide side = parent == nullptr ? TreeSide::kLeft : node.side();
  replace(node, child);
  if (child != nullptr) {
    child->set_red(false); // an only child is red, and its parent black
  } else if (!node.is_red()) {
    balance_after_remove(parent, side);
  }
  node.parent_and_bits_ = 0;
}

// Puts `lower`, the next after `upper` and below it, in upper's place and upper in its own: the
// objects stay where they are in memory, their places and colours change.
void TreeCore::change_places(TreeLink& upper, TreeLink& lower) {
  const bool upper_red = upper.is_red();
  upper.set_red(lower.is_red());
  lower.set_red(upper_red);

  TreeLink* const left = upper.child(TreeSide::kLeft);
  TreeLink* const right = upper.child(TreeSide::kRight);
  TreeLink* const below = lower.child(TreeSide::kRight); // it has no left child
  TreeLink* const lower_parent = lower.parent();

  replace(upper, &lower);
  lower.child_slot(TreeSide::kLeft) = left;
  left->set_parent(&lower);
  if (lower_parent == &upper) {
    lower.child_slot(TreeSide::kRight) = &upper;
    upper.set_parent(&lower);
  } else {
    lower.child_slot(TreeSide::kRight) = right;
    right->set_parent(&lower);
    lower_parent->child_slot(TreeSide::kLeft) = &upper;
    upper.set_parent(lower_parent);
  }
  upper.child_slot(TreeSide::kLeft) = nullptr;
  upper.child_slot(TreeSide::kRight) = below;
  if (below != nullptr) {
    below->set_parent(&upper);
  }
}

// The ways through that side of `parent` have one black node too few: moves the lack up until it
// can be made good.
void TreeCore::balance_after_remove(TreeLink* parent, TreeSide side) {
  while (parent != nullptr && !settle_shorter_side(*parent, side)) {
    TreeLink* const above = parent->parent();
    if (above != nullptr) {
      side = parent->side();
    }
    parent = above;
  }
}

// True when all is well; false when now all ways through `parent` lack one black node.
bool TreeCore::settle_shorter_side(TreeLink& parent, TreeSide side) {
  const TreeSide other = opposite(side);
  TreeLink* sibling = parent.child(other); // the longer side has a node
  if (sibling->is_red()) {
    rotate(parent, side);
    sibling->set_red(false);
    parent.set_red(true);
    sibling = parent.child(other);
  }
  if (!is_red(sibling->child(TreeSide::kLeft)) && !is_red(sibling->child(TreeSide::kRight))) {
    sibling->set_red(true);
    const bool was_red = parent.is_red();
    parent.set_red(false);
    return was_red;
  }
  if (!is_red(sibling->child(other))) {
    rotate(*sibling, other);
    sibling = parent.child(other);
  }
  rotate(parent, side);
  sibling->set_red(parent.is_red());
  parent.set_red(false);
  sibling->child(other)->set_red(false);
  return true;
}

namespace {

constexpr TreeSide kSides[] = {TreeSide::kLeft, TreeSide::kRight};

// What is wrong between a node and its children.
const char* local_fault(const TreeLink& node) {
  if (!node.is_linked()) {
    return "a node in the tree says that it is in none";
  }
  for (const TreeSide side : kSides) {
    const TreeLink* const child = node.child(side);
    if (child != nullptr && child->parent() != &node) {
      return "a child does not point back at its parent";
    }
    if (node.is_red() && is_red(child)) {
      return "a red node has a red child";
    }
  }
  return nullptr;
}

unsigned black_nodes_above(const TreeLink& node) {
  unsigned count = 0;
  for (const TreeLink* at = &node; at != nullptr; at = at->parent()) {
    count += at->is_red() ? 0 : 1;
  }
  return count;
}

bool has_missing_child(const TreeLink& node) {
  return node.child(TreeSide::kLeft) == nullptr || node.child(TreeSide::kRight) == nullptr;
}

} // namespace

const char* TreeCore::fault() const {
  if (root_ == nullptr) {
    return nullptr;
  }
  if (root_->is_red() || root_->parent() != nullptr) {
    return "the root is red or has a parent";
  }
  unsigned black_height = 0;
  for (const TreeLink* at = outermost(TreeSide::kLeft); at != nullptr;
       at = at->step(TreeSide::kRight)) {
    if (const char* const local = local_fault(*at)) {
      return local;
    }
    if (!has_missing_child(*at)) {
      continue;
    }
    const unsigned here = black_nodes_above(*at);
    if (black_height != 0 && here != black_height) {
      return "black heights differ";
    }
    black_height = here;
  }
  return nullptr;
}

} // namespace clay
