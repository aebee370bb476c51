#include <gtest/gtest.h>

#include "kernel-src/lib/byte_reader.h"

namespace clay {
namespace {

constexpr uint8_t kBytes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 'h', 'i', 0, 0xFF};

TEST(ByteReader, ReadsBothByteOrders) {
  ByteReader reader{Bytes(kBytes)};
  EXPECT_EQ(reader.u8().value(), 0x01);
  EXPECT_EQ(reader.be16().value(), 0x0203);
  EXPECT_EQ(reader.le16().value(), 0x0504);
  EXPECT_EQ(reader.position(), 5u);
  EXPECT_EQ(reader.be32_at(0).value(), 0x01020304u);
  EXPECT_EQ(reader.le32_at(1).value(), 0x05040302u);
  EXPECT_EQ(reader.be64_at(0).value(), 0x0102030405060708u);
  EXPECT_EQ(reader.le64_at(0).value(), 0x0807060504030201u);
  EXPECT_EQ(reader.position(), 5u);
}

TEST(ByteReader, AFailedReadMovesNothing) {
  ByteReader reader{Bytes(kBytes).last(3)};
  EXPECT_TRUE(reader.be32().failed_with(Error::kTruncated));
  EXPECT_TRUE(reader.le64().failed_with(Error::kTruncated));
  EXPECT_TRUE(reader.skip(4).failed_with(Error::kTruncated));
  EXPECT_TRUE(reader.bytes(SIZE_MAX).failed_with(Error::kTruncated));
  EXPECT_TRUE(reader.seek(4).failed_with(Error::kOutOfRange));
  EXPECT_EQ(reader.position(), 0u);
  EXPECT_TRUE(reader.skip(3).ok());
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.u8().failed_with(Error::kTruncated));
  EXPECT_TRUE(reader.skip(0).ok());
}

TEST(ByteReader, PlacesByNumberCannotWrap) {
  const ByteReader reader{Bytes(kBytes)};
  EXPECT_TRUE(reader.be32_at(8).ok());
  EXPECT_TRUE(reader.be32_at(9).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(reader.u8_at(12).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(reader.be64_at(SIZE_MAX).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(reader.be16_at(SIZE_MAX - 1).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(reader.sub_at(4, SIZE_MAX).failed_with(Error::kOutOfRange));
  EXPECT_TRUE(reader.sub_at(12, 0).ok());
}

TEST(ByteReader, ASubReaderStaysInItsWindow) {
  ByteReader reader{Bytes(kBytes)};
  EXPECT_TRUE(reader.skip(2).ok());
  ByteReader inner = reader.sub(3).value();
  EXPECT_EQ(reader.position(), 5u);
  EXPECT_EQ(inner.size(), 3u);
  EXPECT_EQ(inner.be16().value(), 0x0304);
  EXPECT_TRUE(inner.be16().failed_with(Error::kTruncated));
  EXPECT_EQ(inner.u8().value(), 0x05);
  EXPECT_TRUE(reader.sub(8).failed_with(Error::kTruncated));
}

TEST(ByteReader, TextsEndAtTheirNul) {
  ByteReader reader{Bytes(kBytes)};
  EXPECT_TRUE(reader.seek(8).ok());
  EXPECT_TRUE(reader.c_string().value() == "hi");
  EXPECT_EQ(reader.position(), 11u);
  EXPECT_TRUE(reader.c_string().failed_with(Error::kTruncated));
  EXPECT_EQ(reader.position(), 11u);
}

TEST(ByteReader, AlignsWithinTheWindow) {
  ByteReader reader{Bytes(kBytes).first(7)};
  EXPECT_TRUE(reader.align(4).ok());
  EXPECT_EQ(reader.position(), 0u);
  EXPECT_TRUE(reader.skip(1).ok());
  EXPECT_TRUE(reader.align(4).ok());
  EXPECT_EQ(reader.position(), 4u);
  EXPECT_TRUE(reader.skip(1).ok());
  EXPECT_TRUE(reader.align(4).failed_with(Error::kTruncated));
  EXPECT_EQ(reader.position(), 5u);
}

TEST(ByteReader, CopiesWholeOrNotAtAll) {
  ByteReader reader{Bytes(kBytes).first(4)};
  uint8_t out[5] = {9, 9, 9, 9, 9};
  EXPECT_TRUE(reader.copy(out).failed_with(Error::kTruncated));
  EXPECT_EQ(out[0], 9);
  EXPECT_TRUE(reader.copy(MutableBytes(out).first(4)).ok());
  EXPECT_EQ(out[3], 4);
  EXPECT_TRUE(reader.copy(MutableBytes()).ok());
}

TEST(ByteReader, AnEmptyWindowHoldsNothing) {
  ByteReader reader;
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.u8().failed_with(Error::kTruncated));
  EXPECT_TRUE(reader.bytes(0).ok());
  EXPECT_TRUE(reader.c_string().failed_with(Error::kTruncated));
}

} // namespace
} // namespace clay
