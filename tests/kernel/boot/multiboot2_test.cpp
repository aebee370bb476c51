#include <gtest/gtest.h>
#include <memory>

#include "generators/byte_builder.h"
#include "kernel-src/boot/multiboot2.h"

namespace clay::test {
namespace {

namespace gen = kiln::gen;

struct Read {
  explicit Read(std::span<const uint8_t> bytes) : result(info.read(bytes, map)) {}
  MultibootInfo info;
  MemoryMap map;
  Result<void> result;
};

gen::ByteBuilder block() {
  gen::ByteBuilder out;
  out.le32(0).le32(0);
  return out;
}

std::unique_ptr<Read> finish(gen::ByteBuilder& out) {
  out.align(8).le32(0).le32(8);
  out.set_le32(0, static_cast<uint32_t>(out.size()));
  return std::make_unique<Read>(out.bytes());
}

TEST(Multiboot2, ReadsTextsModulesAndMemory) {
  gen::ByteBuilder out = block();
  out.le32(1).le32(8 + 6).text("quiet").u8(0).align(8);
  out.le32(3).le32(16 + 7).le32(0x1000).le32(0x1800).text("initrd").u8(0).align(8);
  out.le32(6).le32(16 + 24).le32(24).le32(0).le64(0x100000).le64(0x10000).le32(1).le32(0);
  const auto read = finish(out);
  ASSERT_TRUE(read->result.ok());
  EXPECT_EQ(read->info.command_line(), StringView("quiet"));
  ASSERT_EQ(read->info.modules().size(), 1u);
  EXPECT_EQ(read->info.modules()[0].last, 0x17FFu);
  EXPECT_EQ(read->info.modules()[0].name.view(), StringView("initrd"));
  EXPECT_TRUE(read->map.is_all(0x100000, 0x10FFFF, MemoryType::kUsable));
}

TEST(Multiboot2, AMapOfUefiIsNotFinalWhileBootServicesRun) {
  gen::ByteBuilder out = block();
  out.le32(17).le32(16 + 40).le32(40).le32(1);
  out.le32(7).le32(0).le64(0x100000).le64(0).le64(1).le64(8);
  out.le32(18).le32(8); // behind the map
  const auto read = finish(out);
  ASSERT_TRUE(read->result.ok());
  EXPECT_TRUE(read->map.ranges().empty());
  EXPECT_EQ(read->info.oddities(MultibootOddity::kMapNotFinal), 1u);
}

TEST(Multiboot2, RefusesTagsThatLeadNowhere) {
  for (const uint32_t size : {0u, 7u, 64u, 0xFFFFFFFFu}) {
    gen::ByteBuilder out = block();
    out.le32(1).le32(size).le64(0);
    EXPECT_TRUE(finish(out)->result.failed_with(Error::kCorrupt)) << size;
  }
  const uint8_t cut[] = {16, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(Read(cut).result.failed_with(Error::kTruncated));
}

TEST(Multiboot2, AShortRootPointerIsLeftOut) {
  gen::ByteBuilder out = block();
  out.le32(15).le32(8 + 35).fill('R', 35);
  const auto read = finish(out);
  ASSERT_TRUE(read->result.ok());
  EXPECT_TRUE(read->info.rsdp().empty());
  EXPECT_EQ(read->info.oddities(MultibootOddity::kTagShort), 1u);
}

} // namespace
} // namespace clay::test
