#include <gtest/gtest.h>
#include <string>

#include "kernel-src/lib/list.h"

namespace clay {
namespace {

struct Item {
  char name;
  ListLink link;
  ListLink other;
};
using Items = List<Item, &Item::link>;

std::string names(const Items& list) {
  std::string out;
  for (const Item& item : list) {
    out += item.name;
  }
  EXPECT_TRUE(list.is_sound());
  EXPECT_EQ(list.count(), out.size());
  return out;
}

struct ListTest : testing::Test {
  Item a{'a', {}, {}};
  Item b{'b', {}, {}};
  Item c{'c', {}, {}};
  Items list;
};

TEST_F(ListTest, StartsEmpty) {
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.front(), nullptr);
  EXPECT_EQ(list.back(), nullptr);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_EQ(list.pop_back(), nullptr);
  EXPECT_FALSE(a.link.is_linked());
}

TEST_F(ListTest, KeepsOrder) {
  list.push_back(b);
  list.push_front(a);
  list.push_back(c);
  EXPECT_EQ(names(list), "abc");
  EXPECT_EQ(list.next(a), &b);
  EXPECT_EQ(list.next(c), nullptr);
  EXPECT_EQ(list.previous(a), nullptr);
  EXPECT_EQ(list.previous(c), &b);
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_EQ(list.pop_back(), &c);
  EXPECT_EQ(names(list), "b");
}

TEST_F(ListTest, InsertsBesideAnElement) {
  list.push_back(b);
  list.insert_before(b, a);
  list.insert_after(b, c);
  EXPECT_EQ(names(list), "abc");
}

TEST_F(ListTest, AnElementLeavesByItself) {
  list.push_back(a);
  list.push_back(b);
  list.push_back(c);
  b.link.unlink();
  EXPECT_FALSE(b.link.is_linked());
  EXPECT_EQ(names(list), "ac");
  list.push_front(b);
  EXPECT_EQ(names(list), "bac");
}

TEST_F(ListTest, AnElementIsInAsManyListsAsItHasLinks) {
  List<Item, &Item::other> second;
  list.push_back(a);
  second.push_back(a);
  second.push_front(b);
  list.remove(a);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(second.back(), &a);
}

TEST_F(ListTest, AppendsAnotherList) {
  Items other;
  list.append_all(other);
  EXPECT_EQ(names(list), "");
  other.push_back(b);
  other.push_back(c);
  list.push_back(a);
  list.append_all(other);
  EXPECT_EQ(names(list), "abc");
  EXPECT_EQ(names(other), "");
}

TEST_F(ListTest, RemovesWhatMatches) {
  list.push_back(a);
  list.push_back(b);
  list.push_back(c);
  list.remove_if([](Item& item) { return item.name != 'b'; });
  EXPECT_EQ(names(list), "b");
  list.remove_if([](Item&) { return false; });
  EXPECT_EQ(names(list), "b");
}

TEST_F(ListTest, RemovalMayFreeTheElement) {
  for (char name = 'a'; name < 'f'; ++name) {
    list.push_back(*new Item{name, {}, {}});
  }
  list.remove_if([](Item& item) {
    delete &item;
    return true;
  });
  EXPECT_TRUE(list.empty());
}

constinit Items static_list;

TEST(List, NeedsNoDynamicConstructor) {
  EXPECT_TRUE(static_list.empty());
  static_assert(std::is_trivially_destructible_v<Items>);
}

} // namespace
} // namespace clay
