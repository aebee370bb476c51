#include <gtest/gtest.h>

#include "gates/mutation/choice.h"

namespace kiln::gates {
namespace {

TEST(MutantChoice, AFileAFolderAGlob) {
  constexpr char kPath[] = "kernel-src/lib/ring.h";
  EXPECT_TRUE(means_file("kernel-src/lib/ring.h", kPath));
  EXPECT_TRUE(means_file("./kernel-src/lib/ring.h", kPath));
  EXPECT_TRUE(means_file("kernel-src/lib", kPath));
  EXPECT_TRUE(means_file("kernel-src/lib/", kPath));
  EXPECT_TRUE(means_file("*/ring.*", kPath));
  EXPECT_FALSE(means_file("kernel-src/li", kPath));
  EXPECT_FALSE(means_file("kernel-src/lib/ring.h/x", kPath));
  EXPECT_FALSE(means_file("ring.h", kPath));
  EXPECT_FALSE(means_file("", kPath));
}

} // namespace
} // namespace kiln::gates
