// MCFG, HPET, SRAT, DMAR, IVRS.

#include <gtest/gtest.h>

#include "tests/kernel/boot/acpi_memory.h"

namespace clay::test {
namespace {

TEST(AcpiMcfg, RangesOfOneSegmentDoNotOverlap) {
  gen::ByteBuilder out = acpi_table("MCFG");
  out.le64(0);
  out.le64(0xE0000000).le16(0).u8(0).u8(63).le32(0);
  out.le64(0xE0000000).le16(0).u8(63).u8(127).le32(0); // one bus too early
  out.le64(0xE0000000).le16(0).u8(64).u8(127).le32(0);
  out.le64(UINT64_MAX - 0xFFFFF).le16(1).u8(0).u8(0).le32(0); // the last megabyte
  out.le64(UINT64_MAX - 0xFFFFF).le16(2).u8(0).u8(1).le32(0); // and one more
  const OneTable one(std::move(out));
  ASSERT_EQ(one.tables->mcfg().ranges().size(), 3u);
  EXPECT_EQ(one.tables->mcfg().ranges()[1].first_bus, 64);
  EXPECT_EQ(one.count(AcpiOddity::kBusesTwice), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kBuses), 1u);
}

TEST(AcpiHpet, ABlockInMemory) {
  gen::ByteBuilder out = acpi_table("HPET");
  out.le32(0x8086A201).u8(0).u8(64).u8(0).u8(0).le64(0xFED00000).u8(3).le16(0x80).u8(0);
  const OneTable one(out);
  ASSERT_EQ(one.tables->hpets().blocks().size(), 1u);
  EXPECT_EQ(one.tables->hpets().blocks()[0].number, 3);
  out.set_u8(40, 1);
  EXPECT_EQ(OneTable(out).count(AcpiOddity::kTimer), 1u);
}

TEST(AcpiSrat, AnOldTableHasDomainsOfAByte) {
  for (const uint8_t revision : {uint8_t{1}, uint8_t{2}}) {
    gen::ByteBuilder out = acpi_table("SRAT", revision);
    out.le32(1).le64(0);
    out.u8(0).u8(16).u8(5).u8(9).le32(1).u8(0).u8(1).u8(2).u8(3).le32(0);
    out.u8(1).u8(40).u8(5).u8(1).u8(2).u8(3).le16(0).le64(0).le64(4096).le32(0).le32(1).le64(0);
    const OneTable one(std::move(out));
    ASSERT_EQ(one.tables->srat().memory().size(), 1u);
    ASSERT_EQ(one.tables->srat().domains().size(), 1u);
    EXPECT_EQ(one.tables->srat().domains()[0], revision == 1 ? 5u : 0x03020105u);
  }
}

TEST(AcpiSrat, MemoryUpToTheLastByte) {
  gen::ByteBuilder out = acpi_table("SRAT", 3);
  out.le32(1).le64(0);
  const auto memory = [&out](uint64_t base, uint64_t bytes) {
    out.u8(1).u8(40).le32(7).le16(0).le64(base).le64(bytes).le32(0).le32(1).le64(0);
  };
  memory(UINT64_MAX - 0xFFF, 0x1000);
  memory(UINT64_MAX - 0xFFF, 0x1001);
  memory(0, 0);
  const OneTable one(std::move(out));
  ASSERT_EQ(one.tables->srat().memory().size(), 1u);
  EXPECT_EQ(one.tables->srat().memory()[0].last, UINT64_MAX);
  EXPECT_EQ(one.count(AcpiOddity::kRange), 2u);
}

TEST(AcpiDmar, ScopesEndWithTheirUnit) {
  gen::ByteBuilder out = acpi_table("DMAR");
  out.u8(47).u8(5).fill(0, 10);
  out.le16(3).le16(20).le32(0).le64(0xFED91000).le32(6); // a domain for what comes later
  out.le16(0).le16(16 + 10).u8(0).u8(0).le16(0).le64(0xFED90000);
  out.u8(2).u8(10).le16(0).u8(1).u8(0xF0).u8(31).u8(0).u8(2).u8(1);
  out.le16(0).le16(16 + 8).u8(1).u8(0).le16(0).le64(0xFED91000);
  out.u8(3).u8(9).le16(0).u8(8).u8(0).u8(0).u8(0); // a byte longer than the unit
  out.le16(1).le16(24).le16(0).le16(0).le64(0x7B800000).le64(0x7BFFFFFF);
  out.le16(1).le16(24).le16(0).le16(0).le64(0x7B800000).le64(0x7BFFFFFE);
  const OneTable one(std::move(out));
  const AcpiDmar& dmar = one.tables->dmar();
  EXPECT_EQ(dmar.address_bits(), 48u);
  ASSERT_EQ(dmar.units().size(), 2u);
  ASSERT_EQ(dmar.scopes_of(dmar.units()[0].scopes).size(), 1u);
  EXPECT_EQ(dmar.scopes()[0].hops, 2);
  EXPECT_EQ(dmar.scopes()[0].path[1].function, 1);
  EXPECT_EQ(dmar.units()[1].scopes.count, 0);
  EXPECT_TRUE(dmar.units()[1].takes_rest);
  EXPECT_EQ(dmar.units()[1].domain, 6u);
  EXPECT_FALSE(dmar.units()[0].has_domain);
  EXPECT_EQ(dmar.regions().size(), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kEntryLength), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kRange), 1u);
}

TEST(AcpiIvrs, TheNewestFormCounts) {
  gen::ByteBuilder out = acpi_table("IVRS", 2);
  out.le32(0x203041).le64(0);
  out.u8(0x10).u8(0xB0).le16(24).le16(2).le16(0x40).le64(0xFD200000).le16(0).le16(0).le32(1);
  out.u8(0x11).u8(0xB0).le16(40 + 8).le16(2).le16(0x40).le64(0xFD200000).le16(0).le16(0).le32(1);
  out.le64(0xABCD).le64(0);
  out.u8(72).le16(0).u8(0).u8(33).le16(0xA0).u8(1);
  out.u8(0x22).u8(8).le16(32).le16(0x100).le16(0x1FF).le64(0).le64(0x7B000000).le64(0x1000);
  out.u8(0x22).u8(8).le16(32).le16(0x100).le16(0xFF).le64(0).le64(0x7B000000).le64(0x1000);
  const OneTable one(std::move(out));
  const AcpiIvrs& ivrs = one.tables->ivrs();
  ASSERT_EQ(ivrs.units().size(), 1u);
  EXPECT_EQ(ivrs.units()[0].features, 0xABCDu);
  ASSERT_EQ(ivrs.specials().size(), 1u);
  EXPECT_EQ(ivrs.specials()[0].device, 0xA0);
  EXPECT_EQ(ivrs.specials()[0].handle, 33);
  ASSERT_EQ(ivrs.regions().size(), 1u);
  EXPECT_EQ(ivrs.regions()[0].last, 0x7B000FFFu);
  EXPECT_EQ(one.count(AcpiOddity::kRange), 1u);
}

} // namespace
} // namespace clay::test
