#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generators/byte_builder.h"

namespace kiln::gen {
namespace {

using testing::ElementsAre;

TEST(ByteBuilder, PutsNumbersInBothOrders) {
  ByteBuilder out;
  out.u8(1).be16(0x0203).le16(0x0203).be32(0x04050607).le32(0x04050607);
  EXPECT_THAT(out.take(), ElementsAre(1, 2, 3, 3, 2, 4, 5, 6, 7, 7, 6, 5, 4));
  out.be64(0x0102030405060708).le64(0x0102030405060708);
  EXPECT_THAT(out.take(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1));
  EXPECT_EQ(out.size(), 0u);
}

TEST(ByteBuilder, PutsTextRunsAndPadding) {
  ByteBuilder out;
  constexpr uint8_t kRun[] = {7, 8};
  out.text("ab").align(4).raw(kRun).fill(9, 2).align(4, 0xFF).align(3, 0xEE);
  EXPECT_THAT(out.take(), ElementsAre('a', 'b', 0, 0, 7, 8, 9, 9, 0xEE));
}

TEST(ByteBuilder, WritesOverWhatIsThere) {
  ByteBuilder out;
  EXPECT_EQ(out.text("x").room(8), 1u);
  out.set_be16(1, 0x0102);
  out.set_le16(3, 0x0102);
  out.set_be32(5, 0x0A0B0C0D);
  out.set_u8(0, 0);
  EXPECT_THAT(out.bytes(), ElementsAre(0, 1, 2, 2, 1, 0x0A, 0x0B, 0x0C, 0x0D));
}

TEST(Endian, LoadsWhatWasStored) {
  uint8_t bytes[9] = {};
  store_be<uint64_t>(bytes + 1, 0x1122334455667788);
  EXPECT_EQ(bytes[1], 0x11);
  EXPECT_EQ(load_be<uint64_t>(bytes + 1), 0x1122334455667788u);
  EXPECT_EQ(load_le<uint64_t>(bytes + 1), 0x8877665544332211u);
  EXPECT_EQ(load_be<uint16_t>(bytes + 1), 0x1122);
  EXPECT_EQ(load_le<uint16_t>(bytes + 1), 0x2211);
  EXPECT_EQ(load_be<uint8_t>(bytes + 1), 0x11);
}

} // namespace
} // namespace kiln::gen
