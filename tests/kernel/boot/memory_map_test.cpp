// Literal maps; the model of targets/boot/memmap.cpp has the rest.

#include <gtest/gtest.h>
#include <string>

#include "generators/byte_builder.h"
#include "kernel-src/boot/firmware_map.h"
#include "kernel-src/boot/memory_map.h"

namespace clay::test {
namespace {

namespace gen = kiln::gen;

std::string words(const MemoryMap& map) {
  std::string out;
  for (const MemoryRange& range : map.ranges()) {
    out += std::to_string(range.first) + "-" + std::to_string(range.last) + " " +
           memory_type_name(range.type) + "; ";
  }
  return out;
}

TEST(MemoryMap, TheMoreCarefulWordCounts) {
  MemoryMap map;
  ASSERT_TRUE(map.add(0, 99, MemoryType::kUsable).ok());
  ASSERT_TRUE(map.add(40, 59, MemoryType::kReserved).ok());
  ASSERT_TRUE(map.add(50, 69, MemoryType::kReclaimable).ok());
  ASSERT_TRUE(map.add(0, 99, MemoryType::kUsable).ok());
  EXPECT_EQ(words(map), "0-39 usable; 40-59 reserved; 60-69 tables; 70-99 usable; ");
}

TEST(MemoryMap, NeighboursOfOneTypeAreOneRange) {
  MemoryMap map;
  ASSERT_TRUE(map.add(100, 199, MemoryType::kUsable).ok());
  ASSERT_TRUE(map.add(0, 49, MemoryType::kUsable).ok());
  ASSERT_TRUE(map.add(50, 99, MemoryType::kUsable).ok());
  EXPECT_EQ(words(map), "0-199 usable; ");
  EXPECT_TRUE(map.is_all(0, 199, MemoryType::kUsable));
  EXPECT_FALSE(map.is_all(0, 200, MemoryType::kUsable));
}

TEST(MemoryMap, ReachesTheLastByte) {
  MemoryMap map;
  ASSERT_TRUE(map.add(0, UINT64_MAX, MemoryType::kUsable).ok());
  ASSERT_TRUE(map.add(UINT64_MAX, UINT64_MAX, MemoryType::kBad).ok());
  EXPECT_EQ(map.at(UINT64_MAX).value(), MemoryType::kBad);
  EXPECT_EQ(map.usable_pages(0).first, 1u) << "page 0 is nobody's";
  EXPECT_EQ(map.usable_pages(0).count, (uint64_t{1} << 52) - 2) << "the last page has a bad byte";
}

TEST(MemoryMap, UsablePagesAreRoundedInwards) {
  MemoryMap map;
  ASSERT_TRUE(map.add(0x1001, 0x3FFE, MemoryType::kUsable).ok());
  EXPECT_EQ(map.usable_pages(0).first, 2u);
  EXPECT_EQ(map.usable_pages(0).count, 1u);
  EXPECT_EQ(map.usable_pages(3).count, 0u);
}

TEST(MemoryMap, AFullMapNeverCallsUsableWhatWasNot) {
  MemoryMap map;
  for (uint64_t i = 0; i < MemoryMap::kRangesMax; ++i) {
    ASSERT_TRUE(map.add(i * 100, i * 100 + 49, MemoryType::kUsable).ok());
  }
  EXPECT_TRUE(map.add(20, 29, MemoryType::kReserved).failed_with(Error::kNoSpace));
  EXPECT_FALSE(map.complete());
  EXPECT_EQ(map.given_up(), 30u) << "the reserved part and the smaller rest";
  EXPECT_TRUE(map.add(20, 29, MemoryType::kUsable).failed_with(Error::kNoSpace));
  EXPECT_FALSE(map.at(25).ok());
}

TEST(MemoryMap, UsableMemoryThatFindsNoRoomCostsOnlyItself) {
  MemoryMap map;
  for (uint64_t i = 0; i < MemoryMap::kRangesMax; ++i) {
    ASSERT_TRUE(
        map.add(i * 100, i * 100 + 49, i % 2 == 0 ? MemoryType::kUsable : MemoryType::kReserved)
            .ok());
  }
  const std::string before = words(map);
  EXPECT_TRUE(map.add(40, 179, MemoryType::kUsable).failed_with(Error::kNoSpace));
  EXPECT_EQ(words(map), before);
  EXPECT_EQ(map.given_up(), 140u) << "nothing that was in the map";
}

TEST(FirmwareMap, AUefiDescriptorMayBeLongerThanItsFields) {
  gen::ByteBuilder blob;
  blob.le32(7).le32(0).le64(0x100000).le64(0).le64(16).le64(8).le64(0xEEEEEEEEEEEEEEEE);
  blob.le32(7).le32(0).le64(0x200000).le64(0).le64(1).le64(0).le64(0); // not write-back
  blob.u8(0);
  MemoryMap map;
  MapReport report;
  ASSERT_TRUE(read_uefi_map(blob.bytes(), 48, map, report).ok());
  EXPECT_EQ(words(map), "1048576-1114111 usable; 2097152-2101247 reserved; ");
  EXPECT_EQ(report.count(MapOddity::kOpenEnd), 1u);
  EXPECT_TRUE(read_uefi_map(blob.bytes(), 39, map, report).failed_with(Error::kInvalid));
}

} // namespace
} // namespace clay::test
