#include <gtest/gtest.h>

#include "gates/mutate/parent_cache.h"

namespace kiln::gates {
namespace {

TEST(ParentCache, RemembersTheLatest) {
  ParentCache cache(2);
  const std::vector<uint8_t> tapes[] = {{}, {0}, {0, 0}};
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(cache.find(tapes[i]), nullptr);
    EXPECT_EQ(cache.remember(tapes[i], {{}, i}).points, i);
  }
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.find(tapes[0]), nullptr);
  ASSERT_NE(cache.find(tapes[2]), nullptr);
  EXPECT_EQ(cache.find(tapes[2])->points, 2u);
}

TEST(ParentCache, RememberingAgainReplaces) {
  ParentCache cache(2);
  const std::vector<uint8_t> tape = {7};
  cache.remember(tape, {{}, 1});
  cache.remember(tape, {{}, 2});
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.find(tape)->points, 2u);
}

} // namespace
} // namespace kiln::gates
