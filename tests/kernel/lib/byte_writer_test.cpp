#include <gtest/gtest.h>

#include "kernel-src/lib/byte_reader.h"
#include "kernel-src/lib/byte_writer.h"

namespace clay {
namespace {

TEST(ByteWriter, WritesBothByteOrders) {
  uint8_t buffer[29];
  ByteWriter writer{MutableBytes(buffer)};
  EXPECT_TRUE(writer.u8(0x01).ok());
  EXPECT_TRUE(writer.be16(0x0203).ok());
  EXPECT_TRUE(writer.be32(0x0405'0607).ok());
  EXPECT_TRUE(writer.be64(0x0809'0A0B'0C0D'0E0F).ok());
  EXPECT_TRUE(writer.le16(0x1110).ok());
  EXPECT_TRUE(writer.le32(0x1514'1312).ok());
  EXPECT_TRUE(writer.le64(0x1D1C'1B1A'1918'1716).ok());
  EXPECT_EQ(writer.room(), 0u);
  for (size_t i = 0; i < sizeof(buffer); ++i) {
    EXPECT_EQ(buffer[i], i + 1);
  }
}

TEST(ByteWriter, WhatDoesNotFitChangesNothing) {
  uint8_t buffer[4] = {9, 9, 9, 9};
  ByteWriter writer{MutableBytes(buffer).first(3)};
  const uint8_t four[4] = {1, 2, 3, 4};
  EXPECT_TRUE(writer.be32(0).failed_with(Error::kNoSpace));
  EXPECT_TRUE(writer.bytes(four).failed_with(Error::kNoSpace));
  EXPECT_TRUE(writer.fill(0, SIZE_MAX).failed_with(Error::kNoSpace));
  EXPECT_EQ(writer.position(), 0u);
  EXPECT_EQ(buffer[0], 9);
  EXPECT_TRUE(writer.bytes(Bytes(four).first(3)).ok());
  EXPECT_TRUE(writer.u8(5).failed_with(Error::kNoSpace));
  EXPECT_TRUE(writer.fill(0, 0).ok());
  EXPECT_EQ(buffer[3], 9);
}

TEST(ByteWriter, AlignsWithZeros) {
  uint8_t buffer[6] = {9, 9, 9, 9, 9, 9};
  ByteWriter writer{MutableBytes(buffer)};
  EXPECT_TRUE(writer.align(4).ok());
  EXPECT_EQ(writer.position(), 0u);
  EXPECT_TRUE(writer.u8(1).ok());
  EXPECT_TRUE(writer.align(4).ok());
  EXPECT_EQ(writer.position(), 4u);
  EXPECT_EQ(buffer[3], 0);
  EXPECT_TRUE(writer.u8(1).ok());
  EXPECT_TRUE(writer.align(4).failed_with(Error::kNoSpace));
  EXPECT_EQ(writer.position(), 5u);
}

TEST(ByteWriter, AReservedPlaceIsFilledLater) {
  uint8_t buffer[4] = {};
  ByteWriter writer{MutableBytes(buffer)};
  const MutableBytes length = writer.reserve(2).value();
  EXPECT_TRUE(writer.be16(7).ok());
  store_be<uint16_t>(length.data(), static_cast<uint16_t>(writer.position()));
  ByteReader reader{Bytes(writer.written())};
  EXPECT_EQ(reader.be16().value(), 4);
  EXPECT_EQ(reader.be16().value(), 7);
}

} // namespace
} // namespace clay
