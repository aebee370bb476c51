#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kernel-src/lib/tree.h"

namespace clay {
namespace {

struct Node {
  int key = 0;
  int number = 0;
  TreeLink link;
};
using Nodes = Tree<Node, &Node::link, &Node::key>;

std::vector<int> keys(const Nodes& tree) {
  std::vector<int> out;
  for (const Node& node : tree) {
    out.push_back(node.key);
  }
  return out;
}

TEST(Tree, StartsEmpty) {
  const Nodes tree;
  EXPECT_TRUE(tree.empty());
  EXPECT_EQ(tree.first(), nullptr);
  EXPECT_EQ(tree.last(), nullptr);
  EXPECT_EQ(tree.find(1), nullptr);
  EXPECT_EQ(tree.last_at_or_below(1), nullptr);
  EXPECT_EQ(tree.fault(), nullptr);
}

// Every order of insertion and every order of removal of n nodes.
void try_all_orders(int n) {
  std::vector<int> in(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    in[static_cast<size_t>(i)] = i;
  }
  std::vector<int> out = in;
  do {
    do {
      std::vector<Node> nodes(static_cast<size_t>(n));
      Nodes tree;
      for (const int i : in) {
        Node& node = nodes[static_cast<size_t>(i)];
        node.key = i;
        tree.insert(node);
        ASSERT_EQ(tree.fault(), nullptr);
      }
      for (const int i : out) {
        tree.remove(nodes[static_cast<size_t>(i)]);
        ASSERT_EQ(tree.fault(), nullptr);
      }
      ASSERT_TRUE(tree.empty());
    } while (std::next_permutation(out.begin(), out.end()));
  } while (std::next_permutation(in.begin(), in.end()));
}

TEST(Tree, StaysBalancedInEveryOrderOfFive) { try_all_orders(5); }

TEST(Tree, StaysBalancedInLongRandomRuns) {
  std::mt19937 random(1);
  std::vector<Node> nodes(300);
  std::multimap<int, Node*> model;
  Nodes tree;
  for (int step = 0; step < 20'000; ++step) {
    Node& node = nodes[random() % nodes.size()];
    if (node.link.is_linked()) {
      tree.remove(node);
      model.erase(std::find_if(model.begin(), model.end(),
                               [&](const auto& entry) { return entry.second == &node; }));
    } else {
      node.key = static_cast<int>(random() % 200);
      tree.insert(node);
      model.insert({node.key, &node});
    }
    ASSERT_EQ(tree.fault(), nullptr);
  }
  ASSERT_EQ(tree.count(), model.size());
  const Node* at = tree.first();
  for (const auto& [key, node] : model) {
    ASSERT_EQ(at, node);
    at = tree.next(*at);
  }
  EXPECT_EQ(at, nullptr);
}

struct TreeQueries : testing::Test {
  Node ten{10, 0, {}};
  Node twenty{20, 0, {}};
  Node thirty{30, 0, {}};
  Nodes tree;
  void SetUp() override {
    tree.insert(twenty);
    tree.insert(ten);
    tree.insert(thirty);
  }
};

TEST_F(TreeQueries, FindsByKey) {
  EXPECT_EQ(tree.find(20), &twenty);
  EXPECT_EQ(tree.find(15), nullptr);
  EXPECT_EQ(tree.find(31), nullptr);
}

TEST_F(TreeQueries, FindsNeighboursOfAKey) {
  EXPECT_EQ(tree.first_at_or_above(20), &twenty);
  EXPECT_EQ(tree.first_at_or_above(21), &thirty);
  EXPECT_EQ(tree.first_at_or_above(31), nullptr);
  EXPECT_EQ(tree.first_above(20), &thirty);
  EXPECT_EQ(tree.first_above(30), nullptr);
  EXPECT_EQ(tree.last_at_or_below(20), &twenty);
  EXPECT_EQ(tree.last_at_or_below(19), &ten);
  EXPECT_EQ(tree.last_at_or_below(9), nullptr);
  EXPECT_EQ(tree.last_at_or_below(99), &thirty);
  EXPECT_EQ(tree.last_below(20), &ten);
  EXPECT_EQ(tree.last_below(10), nullptr);
}

TEST_F(TreeQueries, WalksBothWays) {
  EXPECT_EQ(keys(tree), (std::vector<int>{10, 20, 30}));
  EXPECT_EQ(tree.next(thirty), nullptr);
  EXPECT_EQ(tree.previous(thirty), &twenty);
  EXPECT_EQ(tree.previous(ten), nullptr);
  EXPECT_EQ(tree.pop_first(), &ten);
  EXPECT_EQ(tree.first(), &twenty);
}

TEST_F(TreeQueries, RefusesEqualKeysWhereAsked) {
  Node again{20, 1, {}};
  EXPECT_TRUE(tree.insert_unique(again).failed_with(Error::kExists));
  EXPECT_FALSE(again.link.is_linked());
  tree.insert(again);
  EXPECT_EQ(tree.next(twenty), &again);
  EXPECT_EQ(tree.find(20), &twenty);
  tree.remove(twenty);
  EXPECT_EQ(tree.find(20), &again);
}

TEST(Tree, TakesAFunctionAsKey) {
  struct Named {
    std::string name;
    TreeLink link;
  };
  Tree<Named, &Named::link, [](const Named& named) { return named.name.size(); }> tree;
  Named longer{"longer", {}};
  Named shorter{"short", {}};
  tree.insert(longer);
  tree.insert(shorter);
  EXPECT_EQ(tree.first(), &shorter);
  EXPECT_EQ(tree.find(size_t{6}), &longer);
}

} // namespace
} // namespace clay
