#include <gtest/gtest.h>

#include "gates/support/digest_fold.h"

namespace kiln::gates {
namespace {

TEST(DigestFold, OrderDoesNotMatter) {
  DigestFold up, down;
  for (uint64_t i = 0; i < 100; ++i)
    up.add(i, i ^ 0x55);
  for (uint64_t i = 100; i-- > 0;)
    down.add(i, i ^ 0x55);
  EXPECT_EQ(up.value(), down.value());
}

TEST(DigestFold, PartsJoin) {
  DigestFold whole, low, high;
  for (uint64_t i = 0; i < 100; ++i) {
    whole.add(i, i * i);
    (i < 37 ? low : high).add(i, i * i);
  }
  high.join(low.value());
  EXPECT_EQ(whole.value(), high.value());
}

TEST(DigestFold, TellsWhichInputHadWhichDigest) {
  DigestFold a, b;
  a.add(1, 10);
  a.add(2, 20);
  b.add(1, 20);
  b.add(2, 10);
  EXPECT_NE(a.value(), b.value());
}

TEST(DigestFold, EqualInputsDoNotCancel) {
  DigestFold a;
  a.add(1, 10);
  a.add(1, 10);
  EXPECT_NE(a.value(), 0u);
}

} // namespace
} // namespace kiln::gates
