#include <gtest/gtest.h>
#include <vector>

#include "generators/byte_builder.h"
#include "kernel-src/boot/microcode.h"

namespace clay::test {
namespace {

namespace gen = kiln::gen;

constexpr uint32_t kSignature = 0x906EA;

/// A sound update of 1,024 bytes for platform 1.
std::vector<uint8_t> update(uint32_t revision) {
  gen::ByteBuilder out;
  out.le32(1).le32(revision).le32(0x06142026).le32(kSignature).le32(0).le32(1).le32(2);
  out.le32(1024 - 48).le32(1024).fill(0, 12).fill(0x5A, 1024 - 48);
  uint64_t sum = 0;
  for (size_t at = 0; at < out.size(); at += 4) {
    sum += gen::load_le<uint32_t>(out.bytes().data() + at);
  }
  out.set_le32(16, static_cast<uint32_t>((uint64_t{1} << 32) - sum % (uint64_t{1} << 32)));
  return out.take();
}

Result<MicrocodeUpdate> select(const std::vector<uint8_t>& file, uint32_t platform,
                               int32_t revision, MicrocodeReport& report) {
  return select_microcode(file, {kSignature, platform, revision}, report);
}

TEST(Microcode, TakesTheNewestThatIsNewer) {
  std::vector<uint8_t> file = update(3);
  for (const uint32_t revision : {5u, 4u}) {
    const std::vector<uint8_t> more = update(revision);
    file.insert(file.end(), more.begin(), more.end());
  }
  MicrocodeReport report;
  EXPECT_EQ(select(file, 1, 0, report).value().revision, 5);
  EXPECT_EQ(report.updates, 3u);
  EXPECT_TRUE(select(file, 1, 5, report).failed_with(Error::kNotFound));
  EXPECT_TRUE(select(file, 2, 0, report).failed_with(Error::kNotFound)) << "another platform";
}

TEST(Microcode, NeverTakesADamagedOne) {
  std::vector<uint8_t> file = update(3);
  file[900] ^= 1;
  MicrocodeReport report;
  EXPECT_TRUE(select(file, 1, 0, report).failed_with(Error::kNotFound));
  EXPECT_EQ(report.count(MicrocodeOddity::kSum), 1u);
}

TEST(Microcode, EndsWhereSizesCannotBeBelieved) {
  std::vector<uint8_t> file = update(3);
  gen::store_le<uint32_t>(file.data() + 28, 1024);
  MicrocodeReport report;
  EXPECT_TRUE(select(file, 1, 0, report).failed_with(Error::kNotFound));
  EXPECT_EQ(report.count(MicrocodeOddity::kSizes), 1u);
  EXPECT_TRUE(select({1, 0, 0}, 1, 0, report).failed_with(Error::kNotFound));
  EXPECT_EQ(report.count(MicrocodeOddity::kOpenEnd), 1u);
}

} // namespace
} // namespace clay::test
