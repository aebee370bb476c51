#include <gtest/gtest.h>

#include "tests/kernel/boot/acpi_memory.h"

namespace clay::test {
namespace {

gen::ByteBuilder madt() {
  gen::ByteBuilder out = acpi_table("APIC", 5);
  out.le32(0xFEE00000).le32(1);
  return out;
}

void io_apic(gen::ByteBuilder& out, uint8_t id, uint32_t first) {
  out.u8(1).u8(12).u8(id).u8(0).le32(0xFEC00000u + id * 0x1000u).le32(first);
}

TEST(AcpiMadt, CpusThatCanRun) {
  gen::ByteBuilder out = madt();
  out.u8(0).u8(8).u8(0).u8(0).le32(1);
  out.u8(0).u8(8).u8(1).u8(2).le32(0);                   // never
  out.u8(0).u8(8).u8(2).u8(4).le32(2);                   // later
  out.u8(0).u8(8).u8(3).u8(0xFF).le32(1);                // nobody's
  out.u8(9).u8(16).le16(0).le32(0x1234).le32(1).le32(7); // x2APIC
  out.u8(9).u8(16).le16(0).le32(0).le32(1).le32(8);      // again
  const OneTable one(std::move(out));
  const auto cpus = one.tables->madt().cpus();
  ASSERT_EQ(cpus.size(), 3u);
  EXPECT_TRUE(cpus[0].enabled);
  EXPECT_FALSE(cpus[1].enabled);
  EXPECT_EQ(cpus[1].id, 4u);
  EXPECT_EQ(cpus[2].id, 0x1234u);
  EXPECT_EQ(one.count(AcpiOddity::kCpuEvery), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kCpuTwice), 1u);
}

TEST(AcpiMadt, IoApicsBySystemInterrupt) {
  gen::ByteBuilder out = madt();
  io_apic(out, 2, 56);
  io_apic(out, 0, 0);
  io_apic(out, 3, 0); // at the first one's
  io_apic(out, 1, 24);
  const OneTable one(std::move(out));
  const AcpiMadt& read = one.tables->madt();
  ASSERT_EQ(read.io_apics().size(), 3u);
  for (uint8_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.io_apics()[i].id, i);
  }
  EXPECT_EQ(one.count(AcpiOddity::kIoApicTwice), 1u);
  EXPECT_EQ(read.io_apic_of(23)->id, 0);
  EXPECT_EQ(read.io_apic_of(24)->id, 1);
  EXPECT_EQ(read.io_apic_of(56 + 239)->id, 2);
  EXPECT_EQ(read.io_apic_of(56 + 240), nullptr);
}

TEST(AcpiMadt, AnImpossibleLengthEndsIt) {
  for (const uint8_t length : {uint8_t{0}, uint8_t{1}, uint8_t{200}}) {
    gen::ByteBuilder out = madt();
    io_apic(out, 0, 0);
    out.u8(1).u8(length).fill(0, 10);
    io_apic(out, 1, 24);
    const OneTable one(std::move(out));
    EXPECT_EQ(one.tables->madt().io_apics().size(), 1u) << int{length};
    EXPECT_EQ(one.count(AcpiOddity::kEntryLength), 1u) << int{length};
  }
}

TEST(AcpiMadt, AShortEntryCostsItself) {
  gen::ByteBuilder out = madt();
  out.u8(1).u8(11).fill(1, 9);
  out.u8(0x80).u8(2); // of a maker
  io_apic(out, 1, 24);
  out.u8(0); // not even a head
  const OneTable one(std::move(out));
  EXPECT_EQ(one.tables->madt().io_apics().size(), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kEntryShort), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kEntryUnknown), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kTail), 1u);
}

TEST(AcpiMadt, WithoutItsFixedPartItSaysNothing) {
  gen::ByteBuilder out = acpi_table("APIC");
  out.fill(1, 7);
  const OneTable one(std::move(out));
  EXPECT_FALSE(one.tables->has_madt());
  EXPECT_EQ(one.tables->tables().size(), 1u);
  EXPECT_EQ(one.count(AcpiOddity::kTableFixed), 1u);
}

} // namespace
} // namespace clay::test
