#include <cstdlib>
#include <gtest/gtest.h>
#include <unordered_set>
#include <vector>

#include "kernel-src/lib/hash.h"
#include "kernel-src/lib/hash_table.h"

namespace clay {
namespace {

// The paper's key and example, and the authors' first vector.
TEST(Hash, SipHashHasItsPublishedValues) {
  uint8_t key_bytes[16];
  for (uint8_t i = 0; i < 16; ++i) {
    key_bytes[i] = i;
  }
  const HashSeed key{0x0706'0504'0302'0100, 0x0F0E'0D0C'0B0A'0908};
  EXPECT_EQ(siphash(key, Bytes(key_bytes, 15)), 0xA129'CA61'49BE'45E5u);
  EXPECT_EQ(siphash(key, {}), 0x726F'DB47'DD0E'0E31u);
}

TEST(Hash, NumbersDoNotCollideAndSeedsMatter) {
  std::unordered_set<uint64_t> seen;
  for (uint64_t number = 0; number < 10'000; ++number) {
    EXPECT_TRUE(seen.insert(hash_number(number)).second);
  }
  EXPECT_NE(DefaultHash{}(1), (DefaultHash{{5, 5}}(1)));
  EXPECT_NE(DefaultHash{}(StringView("a")), (DefaultHash{{5, 5}}(StringView("a"))));
}

// Gives memory while `left` is above 0.
struct Rationed {
  int* left;
  int* outstanding;
  void* allocate(size_t size, size_t) const {
    if (*left == 0) {
      return nullptr;
    }
    --*left;
    ++*outstanding;
    return std::malloc(size);
  }
  void release(void* block) const {
    *outstanding -= block != nullptr ? 1 : 0;
    std::free(block);
  }
};

struct Entry {
  uint32_t key = 0;
  HashLink link;
};
using Entries = HashTable<Entry, &Entry::link, &Entry::key, Rationed>;

struct HashTableTest : testing::Test {
  int left = 100;
  int outstanding = 0;
  std::vector<Entry> entries = std::vector<Entry>(1000);

  void fill(Entries& table, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      entries[i].key = static_cast<uint32_t>(i * 7);
      EXPECT_TRUE(table.insert_unique(entries[i]).ok());
    }
    EXPECT_EQ(table.fault(), nullptr);
  }
  void empty(Entries& table) {
    table.for_each([&](Entry& entry) { table.remove(entry); });
    EXPECT_EQ(table.fault(), nullptr);
    EXPECT_TRUE(table.empty());
  }
};

TEST_F(HashTableTest, FindsWhatItHolds) {
  Entries table({}, {&left, &outstanding});
  fill(table, 1000);
  for (uint32_t key = 0; key < 7000; ++key) {
    Entry* const found = table.find(key);
    ASSERT_EQ(found, key % 7 == 0 ? &entries[key / 7] : nullptr);
  }
  Entry again{7, {}};
  EXPECT_TRUE(table.insert_unique(again).failed_with(Error::kExists));
  EXPECT_GE(table.chains(), 512u);
  table.remove(entries[1]);
  EXPECT_EQ(table.find(7u), nullptr);
  EXPECT_EQ(table.size(), 999u);
  empty(table);
}

TEST_F(HashTableTest, SmallTablesAllocateNothing) {
  Entries table({}, {&left, &outstanding});
  fill(table, 8);
  EXPECT_EQ(outstanding, 0);
  empty(table);
}

TEST_F(HashTableTest, WithoutMemoryChainsGrowLonger) {
  left = 0;
  Entries table({}, {&left, &outstanding});
  fill(table, 500);
  EXPECT_EQ(table.chains(), 8u);
  EXPECT_NE(table.find(499u * 7), nullptr);
  EXPECT_TRUE(table.reserve(1000).failed_with(Error::kNoMemory));
  left = 1;
  EXPECT_TRUE(table.reserve(1000).ok());
  EXPECT_EQ(table.chains(), 1024u);
  EXPECT_EQ(table.fault(), nullptr);
  EXPECT_TRUE(table.reserve(SIZE_MAX).failed_with(Error::kOverflow));
  empty(table);
}

TEST_F(HashTableTest, GivesItsMemoryBack) {
  {
    Entries table({}, {&left, &outstanding});
    fill(table, 300);
    EXPECT_EQ(outstanding, 1);
    empty(table);
  }
  EXPECT_EQ(outstanding, 0);
}

TEST_F(HashTableTest, HoldsEqualKeysWhereAllowed) {
  Entries table({}, {&left, &outstanding});
  entries[0].key = entries[1].key = 5;
  table.insert(entries[0]);
  table.insert(entries[1]);
  EXPECT_EQ(table.size(), 2u);
  table.remove(*table.find(5u));
  EXPECT_NE(table.find(5u), nullptr);
  table.remove(*table.find(5u));
  EXPECT_EQ(table.find(5u), nullptr);
}

} // namespace
} // namespace clay
