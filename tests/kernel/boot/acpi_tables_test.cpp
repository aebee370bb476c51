#include <gtest/gtest.h>
#include <set>
#include <string>

#include "tests/kernel/boot/acpi_memory.h"

namespace clay::test {
namespace {

constexpr uint64_t kXsdt = 0x7FFD0000;
constexpr uint32_t kRsdt = 0x7FFC0000;

std::vector<uint8_t> ssdt(size_t program) {
  gen::ByteBuilder out = acpi_table("SSDT", 2);
  out.fill(0x10, program);
  return finish_table(out);
}

Result<void> read(AcpiTables& tables, AcpiMemory& memory, uint32_t rsdt, uint64_t xsdt) {
  const std::vector<uint8_t> root = root_pointer(rsdt, xsdt);
  const Result<void> result = tables.read(memory, {Bytes(root.data(), root.size()), 0});
  EXPECT_EQ(memory.held(), 0u);
  return result;
}

TEST(AcpiTables, ListsTablesOfAnyLengthAnywhere) {
  AcpiMemory memory;
  memory.put(0x7FFE0FF0, ssdt(10));       // 46 bytes, on two pages
  memory.put(0x12'00000FFF, ssdt(20000)); // above 4 GiB, on six
  memory.put(kXsdt, xsdt_of({0x7FFE0FF0, 0x12'00000FFF}));
  AcpiTables tables;
  ASSERT_TRUE(read(tables, memory, 0, kXsdt).ok());
  ASSERT_EQ(tables.tables().size(), 2u);
  EXPECT_EQ(tables.tables()[0].length, 46u);
  EXPECT_EQ(tables.tables()[1].physical, 0x12'00000FFFu);
}

TEST(AcpiTables, WhatIsWrongCostsOnlyItself) {
  AcpiMemory memory;
  std::vector<uint8_t> sum = ssdt(4);
  sum.back() ^= 1;
  std::vector<uint8_t> short_one = ssdt(4);
  gen::store_le(&short_one[4], uint32_t{35});
  std::vector<uint8_t> endless = ssdt(4);
  gen::store_le(&endless[4], uint32_t{0xFFFFFFFF});
  memory.put(0x1000, sum);
  memory.put(0x2000, short_one);
  memory.put(0x3000, endless);
  memory.put(0x4000, ssdt(0));
  memory.put(kXsdt, xsdt_of({0x1000, 0x2000, 0, kXsdt, 0x3000, 0x4000, 0x4000, UINT64_MAX - 34}));
  AcpiTables tables;
  ASSERT_TRUE(read(tables, memory, 0, kXsdt).ok());
  ASSERT_EQ(tables.tables().size(), 1u);
  EXPECT_EQ(tables.tables()[0].length, 36u);
  const AcpiReport& report = tables.report();
  EXPECT_EQ(report.count(AcpiOddity::kTableSum), 1u);
  EXPECT_EQ(report.count(AcpiOddity::kTableShort), 1u);
  EXPECT_EQ(report.count(AcpiOddity::kTableNull), 1u);
  EXPECT_EQ(report.count(AcpiOddity::kTableSelf), 1u);
  EXPECT_EQ(report.count(AcpiOddity::kTableTwice), 1u);
  EXPECT_EQ(report.count(AcpiOddity::kTableLong), 2u);
}

TEST(AcpiTables, TheRsdtStandsIn) {
  AcpiMemory memory;
  std::vector<uint8_t> xsdt = xsdt_of({0x1000});
  xsdt.back() ^= 1;
  memory.put(kXsdt, xsdt);
  memory.put(kRsdt, rsdt_of({0x1000, 0x2000}));
  memory.put(0x1000, ssdt(1));
  memory.put(0x2000, ssdt(2));
  AcpiTables tables;
  ASSERT_TRUE(read(tables, memory, kRsdt, kXsdt).ok());
  EXPECT_EQ(tables.tables().size(), 2u);
}

TEST(AcpiTables, NeitherRootTableIsARefusal) {
  AcpiMemory memory;
  memory.put(kXsdt, rsdt_of({0x1000})); // of the other's signature
  AcpiTables tables;
  EXPECT_TRUE(read(tables, memory, 0, kXsdt).failed_with(Error::kCorrupt));
  EXPECT_EQ(tables.report().count(AcpiOddity::kRootTable), 1u);
}

TEST(AcpiTables, TheDsdtIsListedOnce) {
  gen::ByteBuilder fadt = acpi_table("FACP");
  fadt.le32(0).le32(0x3000);
  for (const bool named : {false, true}) {
    AcpiMemory memory;
    memory.put(0x1000, finish_table(fadt));
    memory.put(0x3000, finish_table(acpi_table("DSDT")));
    memory.put(kXsdt, named ? xsdt_of({0x1000, 0x3000}) : xsdt_of({0x1000}));
    AcpiTables tables;
    ASSERT_TRUE(read(tables, memory, 0, kXsdt).ok());
    EXPECT_EQ(tables.tables().size(), 2u) << named;
  }
}

TEST(AcpiReport, EveryOddityHasWordsOfItsOwn) {
  std::set<std::string> words;
  for (size_t i = 0; i < kAcpiOddities; ++i) {
    words.insert(acpi_oddity_text(static_cast<AcpiOddity>(i)));
  }
  EXPECT_EQ(words.size(), kAcpiOddities);
  EXPECT_FALSE(words.contains("unknown"));
}

/// Each request of the window in turn gets nothing: what it was for is left out whole and counted
/// once, and nothing stays mapped.
void refuse_each(AcpiMemory& memory) {
  AcpiTables whole;
  ASSERT_TRUE(read(whole, memory, 0, kXsdt).ok());
  const uint64_t requests = memory.requests;
  EXPECT_GT(requests, 8u);
  for (uint64_t k = 0; k < requests; ++k) {
    memory.requests = 0;
    memory.refuse = k;
    AcpiTables tables;
    const Result<void> result = read(tables, memory, 0, kXsdt);
    EXPECT_EQ(tables.report().count(AcpiOddity::kUnmapped), 1u) << k;
    if (result.ok()) {
      EXPECT_EQ(tables.tables().size(), 1u) << k;
      EXPECT_EQ(tables.madt().cpus().size(), tables.has_madt() ? 4u : 0u) << k;
    }
  }
}

TEST(AcpiTables, AnyRequestMayBeRefused) {
  AcpiMemory memory;
  gen::ByteBuilder madt = acpi_table("APIC");
  madt.le32(0xFEE00000).le32(1);
  for (uint8_t i = 0; i < 4; ++i) {
    madt.u8(0).u8(8).u8(i).u8(i).le32(1);
  }
  memory.put(0x7FFE0FE0, finish_table(madt)); // on two pages
  memory.put(0x2000, ssdt(1));
  memory.put(kXsdt, xsdt_of({0x7FFE0FE0, 0x2000}));
  refuse_each(memory);
}

// A page that could not be mapped once passed for an entry that is too short.
TEST(AcpiTables, AnyRequestOfAnEntryMayBeRefused) {
  gen::ByteBuilder dmar = acpi_table("DMAR");
  dmar.u8(47).u8(1).fill(0, 10);
  dmar.le16(0).le16(24).u8(0).u8(0).le16(0).le64(0xFED90000);
  dmar.u8(1).u8(8).le16(0).u8(0).u8(0).u8(2).u8(0);
  dmar.le16(1).le16(24).le16(0).le16(0).le64(0x7B800000).le64(0x7BFFFFFF);
  dmar.le16(3).le16(20).le32(0).le64(0xFED90000).le32(1);
  const std::vector<uint8_t> table = finish_table(dmar);
  for (size_t first_page = 37; first_page < table.size(); ++first_page) {
    AcpiMemory memory;
    memory.put(0x7FFE1000 - first_page, table);
    memory.put(0x2000, ssdt(1));
    memory.put(kXsdt, xsdt_of({0x7FFE1000 - first_page, 0x2000}));
    refuse_each(memory);
  }
}

} // namespace
} // namespace clay::test
