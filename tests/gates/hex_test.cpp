#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gates/tape/hex.h"

namespace kiln::gates {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

class TapeFile : public ::testing::Test {
 protected:
  TapeFile() { std::filesystem::create_directories(folder_); }
  ~TapeFile() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string put(const char* name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("kiln-hex-test-" + std::to_string(getpid()));
  std::string error_;
};

TEST(Hex, RoundTrip) {
  std::string error;
  for (size_t size : {0, 1, 31, 32, 33, 64, 1000}) {
    Bytes bytes(size);
    for (size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<uint8_t>(i * 7);
    }
    EXPECT_EQ(parse_hex(to_hex(bytes), &error), bytes);
  }
  EXPECT_EQ(to_hex(Bytes{0xAB, 0x0C}), "ab0c\n");
  EXPECT_EQ(to_hex({}), "");
}

TEST(Hex, IgnoresWhiteSpaceEverywhere) {
  std::string error;
  EXPECT_EQ(parse_hex(" a\r\nb\t0 C\n\n", &error), (Bytes{0xAB, 0x0C}));
  EXPECT_EQ(parse_hex(" \n", &error), Bytes{});
}

TEST(Hex, NamesTheBadDigit) {
  std::string error;
  EXPECT_EQ(parse_hex("00ff\n0x12", &error), std::nullopt);
  EXPECT_THAT(error, HasSubstr("line 2, column 2: 'x' is not a hexadecimal digit"));
  EXPECT_EQ(parse_hex(std::string_view("\0", 1), &error), std::nullopt);
  EXPECT_THAT(error, HasSubstr("line 1, column 1: byte 0x00"));
  EXPECT_EQ(parse_hex("abc\n", &error), std::nullopt);
  EXPECT_THAT(error, HasSubstr("middle of a byte"));
}

TEST_F(TapeFile, RoundTripInBothFormats) {
  const Bytes bytes = {0, 1, 2, 0xFF, '\n'};
  put("hex", to_hex(bytes));
  EXPECT_EQ(read_tape_file(path("hex"), TapeFormat::kHex, &error_), bytes);
  put("raw", std::string(bytes.begin(), bytes.end()));
  EXPECT_EQ(read_tape_file(path("raw"), TapeFormat::kRaw, &error_), bytes);
}

TEST_F(TapeFile, EmptyFileIsTheEmptyTape) {
  put("empty", "");
  EXPECT_EQ(read_tape_file(path("empty"), TapeFormat::kHex, &error_), Bytes{});
  EXPECT_EQ(read_tape_file(path("empty"), TapeFormat::kRaw, &error_), Bytes{});
}

TEST_F(TapeFile, RefusesWhatItCannotRead) {
  EXPECT_EQ(read_tape_file(path("none"), TapeFormat::kHex, &error_), std::nullopt);
  EXPECT_THAT(error_, HasSubstr("No such file"));
  EXPECT_EQ(read_tape_file(folder_.string(), TapeFormat::kHex, &error_), std::nullopt);
  EXPECT_THAT(error_, HasSubstr("directory"));
  EXPECT_EQ(read_tape_file(put("bad", "zz"), TapeFormat::kHex, &error_), std::nullopt);
  EXPECT_THAT(error_, HasSubstr("bad', line 1, column 1"));
}

TEST_F(TapeFile, RefusesWhatIsTooLarge) {
  const std::string many(2 * kLargestTape + 2, '0');
  EXPECT_EQ(read_tape_file(put("many", many), TapeFormat::kHex, &error_), std::nullopt);
  EXPECT_THAT(error_, HasSubstr("too large"));
  EXPECT_EQ(read_tape_file(path("many"), TapeFormat::kRaw, &error_), std::nullopt);
  EXPECT_THAT(error_, HasSubstr("too large"));
  EXPECT_EQ(read_tape_file(put("blank", std::string(kLargestHexFile + 1, ' ')), TapeFormat::kHex,
                           &error_),
            std::nullopt);
  EXPECT_THAT(error_, HasSubstr("too large"));
}

} // namespace
} // namespace kiln::gates
