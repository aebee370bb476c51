#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "kernel-src/lib/byte_ring.h"
#include "kernel-src/lib/ring.h"
#include "kernel-src/lib/spsc_ring.h"
#include "kernel-src/lib/string_view.h"

namespace clay {
namespace {

TEST(Ring, IsFirstInFirstOut) {
  Ring<int, 4> ring;
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.front(), nullptr);
  EXPECT_TRUE(ring.pop().failed_with(Error::kNotFound));
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(ring.push(i).ok());
  }
  EXPECT_TRUE(ring.full());
  EXPECT_TRUE(ring.push(4).failed_with(Error::kNoSpace));
  EXPECT_EQ(*ring.front(), 0);
  EXPECT_EQ(*ring.back(), 3);
  EXPECT_EQ(ring[2], 2);
  EXPECT_EQ(ring.pop().value(), 0);
  EXPECT_TRUE(ring.push(4).ok());
  EXPECT_EQ(*ring.back(), 4);
  EXPECT_EQ(ring[3], 4);
}

TEST(Ring, PushOverLosesTheOldest) {
  Ring<int, 2> ring;
  EXPECT_FALSE(ring.push_over(1));
  EXPECT_FALSE(ring.push_over(2));
  EXPECT_TRUE(ring.push_over(3));
  EXPECT_EQ(ring.pop().value(), 2);
  EXPECT_EQ(ring.pop().value(), 3);
}

TEST(Ring, EndsWhatItHolds) {
  auto shared = std::make_shared<int>(1);
  {
    Ring<std::shared_ptr<int>, 4> ring;
    EXPECT_TRUE(ring.push(shared).ok());
    EXPECT_TRUE(ring.push(shared).ok());
    EXPECT_EQ(shared.use_count(), 3);
    EXPECT_EQ(ring.pop().value(), shared);
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

std::string drained(ByteRing& ring) {
  std::string out(ring.size(), '?');
  EXPECT_EQ(ring.read(MutableBytes(reinterpret_cast<uint8_t*>(out.data()), out.size())),
            out.size());
  return out;
}

TEST(ByteRing, GoesRoundInTwoPieces) {
  uint8_t storage[5];
  ByteRing ring{MutableBytes(storage)};
  EXPECT_EQ(ring.write(StringView("abc").bytes()), 3u);
  ring.drop(2);
  EXPECT_EQ(ring.write(StringView("defgh").bytes()), 4u);
  EXPECT_TRUE(ring.full());
  EXPECT_EQ(ring.write(StringView("x").bytes()), 0u);
  EXPECT_TRUE(StringView(ring.front_piece()) == "cde");
  uint8_t two[2];
  EXPECT_EQ(ring.peek(2, two), 2u);
  EXPECT_EQ(two[0], 'e');
  EXPECT_EQ(two[1], 'f');
  EXPECT_EQ(ring.peek(4, two), 1u);
  EXPECT_EQ(ring.peek(5, two), 0u);
  EXPECT_EQ(drained(ring), "cdefg");
  EXPECT_TRUE(ring.empty());
}

TEST(ByteRing, WithoutStorageHoldsNothing) {
  ByteRing ring;
  EXPECT_TRUE(ring.full());
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.write(StringView("a").bytes()), 0u);
  EXPECT_EQ(drained(ring), "");
  ring.clear();
  EXPECT_TRUE(ring.front_piece().empty());
}

TEST(SpscRing, IsFirstInFirstOut) {
  SpscRing<uint64_t, 2> ring;
  for (uint64_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(ring.pop().failed_with(Error::kNotFound));
    EXPECT_TRUE(ring.push(i).ok());
    EXPECT_TRUE(ring.push(i + 100).ok());
    EXPECT_EQ(ring.size(), 2u);
    EXPECT_TRUE(ring.push(0).failed_with(Error::kNoSpace));
    EXPECT_EQ(ring.pop().value(), i);
    EXPECT_EQ(ring.pop().value(), i + 100);
    EXPECT_TRUE(ring.empty());
  }
}

} // namespace
} // namespace clay
