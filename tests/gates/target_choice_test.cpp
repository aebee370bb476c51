#include <gtest/gtest.h>

#include "gates/cli/target_choice.h"

namespace kiln::gates {
namespace {

TEST(Glob, Matches) {
  EXPECT_TRUE(glob_matches("net/dhcp", "net/dhcp"));
  EXPECT_TRUE(glob_matches("net/*", "net/dhcp"));
  EXPECT_TRUE(glob_matches("*", "net/dhcp"));
  EXPECT_TRUE(glob_matches("*d*p", "net/dhcp"));
  EXPECT_TRUE(glob_matches("fs/ext?", "fs/ext2"));
  EXPECT_TRUE(glob_matches("a*b*c", "aXbYbZc"));
  EXPECT_TRUE(glob_matches("**", ""));
}

TEST(Glob, Refuses) {
  EXPECT_FALSE(glob_matches("net/dhcp", "net/dhc"));
  EXPECT_FALSE(glob_matches("net/dhc", "net/dhcp"));
  EXPECT_FALSE(glob_matches("fs/ext?", "fs/ext"));
  EXPECT_FALSE(glob_matches("a*b*c", "aXcYb"));
  EXPECT_FALSE(glob_matches("", "x"));
}

} // namespace
} // namespace kiln::gates
