#include <gtest/gtest.h>

#include "kernel-src/boot/acpi_root.h"
#include "tests/kernel/boot/acpi_memory.h"

namespace clay::test {
namespace {

Result<AcpiRoot> search(AcpiMemory& memory, AcpiReport& report, uint64_t physical = 0) {
  const Result<AcpiRoot> root = find_acpi_root(memory, {{}, physical}, report);
  EXPECT_EQ(memory.held(), 0u);
  return root;
}

Result<AcpiRoot> from_copy(const std::vector<uint8_t>& copy, AcpiReport& report) {
  AcpiMemory memory;
  return find_acpi_root(memory, {Bytes(copy.data(), copy.size()), 0}, report);
}

TEST(AcpiRoot, BothRevisionsFromTheLoader) {
  AcpiReport report;
  const Result<AcpiRoot> old = from_copy(root_pointer(0x1234, 0), report);
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(old.value().rsdt, 0x1234u);
  EXPECT_EQ(old.value().xsdt, 0u);
  const Result<AcpiRoot> wide = from_copy(root_pointer(0x1234, 0x5'00000000), report);
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide.value().xsdt, 0x5'00000000u);
}

TEST(AcpiRoot, EveryWrongByteIsRefused) {
  for (size_t at = 0; at < 36; ++at) {
    std::vector<uint8_t> root = root_pointer(0x1234, 0x5000);
    root[at] ^= 4;
    AcpiReport report;
    EXPECT_TRUE(from_copy(root, report).failed_with(Error::kNotFound)) << at;
  }
}

TEST(AcpiRoot, ACopyCutShortIsRefused) {
  for (size_t size = 1; size < 36; ++size) {
    std::vector<uint8_t> root = root_pointer(0x1234, 0x5000);
    root.resize(size);
    AcpiReport report;
    EXPECT_FALSE(from_copy(root, report).ok()) << size;
    EXPECT_EQ(report.count(AcpiOddity::kRootLength), 1u) << size;
  }
}

TEST(AcpiRoot, InTheExtendedAreaBeforeTheBios) {
  AcpiMemory memory;
  memory.put(0x40E, {0xFD, 0x9E}); // on two pages
  memory.put(0x9EFD0 + 1008, root_pointer(1, 0));
  memory.put(0xE0000, root_pointer(2, 0));
  AcpiReport report;
  EXPECT_EQ(search(memory, report).value().rsdt, 1u);
}

TEST(AcpiRoot, InTheLastParagraphOfTheBios) {
  AcpiMemory memory;
  memory.put(0x40E, {0, 0});
  memory.put(0xFFFF0, root_pointer(3, 0));
  AcpiReport report;
  EXPECT_EQ(search(memory, report).value().rsdt, 3u);
}

TEST(AcpiRoot, OnSixteenBytesOnly) {
  AcpiMemory memory;
  memory.put(0x40E, {0, 0});
  memory.put(0xE0008, root_pointer(1, 0));
  AcpiReport report;
  EXPECT_TRUE(search(memory, report).failed_with(Error::kNotFound));
}

TEST(AcpiRoot, AnotherIsLookedForBehindOneWithAWrongSum) {
  AcpiMemory memory;
  memory.put(0x40E, {0, 0xF0}); // an area that is none
  std::vector<uint8_t> wrong = root_pointer(1, 0);
  wrong[9] ^= 1;
  memory.put(0xE0000, wrong);
  memory.put(0xE0020, root_pointer(2, 0));
  AcpiReport report;
  EXPECT_EQ(search(memory, report, 0xE0000).value().rsdt, 2u);
  EXPECT_EQ(report.count(AcpiOddity::kRootSum), 2u);
  EXPECT_EQ(report.count(AcpiOddity::kEbda), 1u);
}

} // namespace
} // namespace clay::test
