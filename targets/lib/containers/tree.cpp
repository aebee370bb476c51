// A tree of up to forty-eight nodes, against std::multimap.

#include "kernel-src/lib/tree.h"

#include <cstring>
#include <map>

#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/lib/containers/programs.h"

namespace kiln::targets {
namespace {

const sim::Probe kTwoChildren{kContainers, "a tree node with two children leaves"};
const sim::Probe kRoot{kContainers, "the root of a tree leaves"};
const sim::Probe kRefused{kContainers, "a tree refuses an equal key"};
const sim::Probe kEqual{kContainers, "a tree holds equal keys"};
const sim::Probe kBroken{kContainers, "a tree is broken"};
const sim::Probe kLarge{kContainers, "a tree has thirty nodes"};

struct Node {
  uint32_t key = 0;
  clay::TreeLink link;
};
using Nodes = clay::Tree<Node, &Node::link, &Node::key>;

class TreeProgram {
 public:
  explicit TreeProgram(sim::Run& run) : data_(run.tape.data()) {}

  void step();
  void check() const;
  void check_fault();

 private:
  static constexpr unsigned kNodes = 48;
  static constexpr uint32_t kKeys = 40;
  using Model = std::multimap<uint32_t, Node*>;

  Node* at(Model::const_iterator place) const {
    return place == model_.end() ? nullptr : place->second;
  }
  Node* before(Model::const_iterator place) const {
    return place == model_.begin() ? nullptr : std::prev(place)->second;
  }
  void insert(Node& node, uint32_t key, bool unique);
  void take_out(Node& node);
  void fill();
  void query();

  sim::Tape::View data_;
  Node nodes_[kNodes];
  Nodes tree_;
  Model model_;
};

void TreeProgram::insert(Node& node, uint32_t key, bool unique) {
  node.key = key;
  const bool present = model_.find(key) != model_.end();
  if (unique) {
    const bool taken = tree_.insert_unique(node).ok();
    KILN_CHECK(taken != present, "a tree %s key %u, which its model %s",
               taken ? "takes" : "refuses", key, present ? "has" : "has not");
    if (present) {
      kRefused.hit();
      return;
    }
  } else {
    tree_.insert(node);
    if (present) kEqual.hit();
  }
  model_.insert({key, &node});
  if (model_.size() >= 30) kLarge.hit();
}

void TreeProgram::take_out(Node& node) {
  const bool left = node.link.child(clay::TreeSide::kLeft) != nullptr;
  const bool right = node.link.child(clay::TreeSide::kRight) != nullptr;
  if (left && right) kTwoChildren.hit();
  if (node.link.parent() == nullptr) kRoot.hit();
  tree_.remove(node);
  auto place = model_.lower_bound(node.key);
  while (place->second != &node) {
    ++place;
  }
  model_.erase(place);
}

/// Puts in whatever is out, keys rising, falling or mixed.
void TreeProgram::fill() {
  const uint32_t first = static_cast<uint32_t>(data_.below(kKeys));
  const uint32_t stride = data_.pick({1u, kKeys - 1, 7u, 0u});
  uint32_t key = first;
  for (Node& node : nodes_) {
    if (!node.link.is_linked()) {
      insert(node, key, false);
      key = (key + stride) % kKeys;
    }
  }
}

void TreeProgram::query() {
  const uint32_t key = static_cast<uint32_t>(data_.below(kKeys + 1));
  const auto low = model_.lower_bound(key);
  const auto high = model_.upper_bound(key);
  KILN_CHECK(tree_.find(key) == (low == high ? nullptr : at(low)), "find(%u) is wrong", key);
  KILN_CHECK(tree_.first_at_or_above(key) == at(low), "first_at_or_above(%u) is wrong", key);
  KILN_CHECK(tree_.first_above(key) == at(high), "first_above(%u) is wrong", key);
  KILN_CHECK(tree_.last_at_or_below(key) == before(high), "last_at_or_below(%u) is wrong", key);
  KILN_CHECK(tree_.last_below(key) == before(low), "last_below(%u) is wrong", key);
}

void TreeProgram::step() {
  const uint64_t kind = data_.below(16);
  Node& node = nodes_[data_.below(kNodes)];
  if (kind == 15) {
    fill();
  } else if (kind == 14) {
    Node* const want = model_.empty() ? nullptr : model_.begin()->second;
    KILN_CHECK(tree_.pop_first() == want, "pop_first gave the wrong node");
    if (want != nullptr) {
      model_.erase(model_.begin());
    }
  } else if (kind >= 12) {
    query();
  } else if (node.link.is_linked()) {
    take_out(node);
  } else {
    insert(node, static_cast<uint32_t>(data_.below(kKeys)), kind >= 8);
  }
}

void TreeProgram::check() const {
  const char* const fault = tree_.fault();
  KILN_CHECK(fault == nullptr, "a tree is broken: %s", fault);
  KILN_CHECK(tree_.empty() == model_.empty() && tree_.count() == model_.size(),
             "a tree has %zu nodes, its model %zu", tree_.count(), model_.size());
  const Node* got = tree_.first();
  const Node* last = nullptr;
  for (const auto& [key, want] : model_) {
    KILN_CHECK(got == want, "a tree is in another order than its model");
    KILN_CHECK(tree_.previous(*got) == last, "a tree read backwards is in another order");
    last = got;
    got = tree_.next(*got);
  }
  KILN_CHECK(got == nullptr && tree_.last() == last, "a tree has more nodes than its model");
}

/// What fault() is for: a key that changes under the tree's feet, and a link that is none.
void TreeProgram::check_fault() {
  Node& drawn = nodes_[data_.below(kNodes)];
  if (!drawn.link.is_linked() || model_.size() < 2) {
    return;
  }
  Node& node = tree_.last() == &drawn ? *tree_.first() : drawn; // one that has a next
  const uint32_t key = node.key;
  node.key = kKeys + 1;
  KILN_CHECK(tree_.fault() != nullptr, "keys out of order are not noticed");
  node.key = key;

  const clay::TreeLink none;
  uint8_t saved[sizeof none];
  memcpy(saved, &node.link, sizeof none);
  memcpy(static_cast<void*>(&node.link), &none, sizeof none);
  KILN_CHECK(tree_.fault() != nullptr, "a link that is overwritten is not noticed");
  memcpy(static_cast<void*>(&node.link), saved, sizeof none);
  kBroken.hit();
}

} // namespace

void run_tree(sim::Run& run) {
  TreeProgram program(run);
  for (unsigned step = 0; step < kMostSteps && !run.tape.data().at_end(); ++step) {
    sim::Span span(run.tape, "step");
    program.step();
    program.check();
  }
  program.check_fault();
}

} // namespace kiln::targets
