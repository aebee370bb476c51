// Published check values: the catalogue of parametrised CRC algorithms ("check" is the CRC of
// "123456789"), RFC 3720 appendix B.4, RFC 1071, RFC 1950's authors' library.

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernel-src/lib/checksum.h"
#include "kernel-src/lib/string_view.h"

namespace clay {
namespace {

Bytes bytes_of(const char* text) { return StringView(text).bytes(); }
const Bytes kDigits = bytes_of("123456789");

std::vector<uint8_t> counting(size_t count) {
  std::vector<uint8_t> out(count);
  for (size_t i = 0; i < count; ++i) {
    out[i] = static_cast<uint8_t>(i);
  }
  return out;
}

TEST(Checksum, Crc32HasItsCheckValue) {
  EXPECT_EQ(crc32(kDigits), 0xCBF4'3926u);
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32(bytes_of("The quick brown fox jumps over the lazy dog")), 0x414F'A339u);
}

TEST(Checksum, Crc32cHasItsCheckValues) {
  EXPECT_EQ(crc32c(kDigits), 0xE306'9283u);
  EXPECT_EQ(crc32c(std::vector<uint8_t>(32, 0)), 0x8A91'36AAu);
  EXPECT_EQ(crc32c(std::vector<uint8_t>(32, 0xFF)), 0x62A8'AB43u);
  EXPECT_EQ(crc32c(counting(32)), 0x46DD'794Eu);
}

TEST(Checksum, Crc16HasItsCheckValue) { EXPECT_EQ(crc16(kDigits), 0xBB3D); }

TEST(Checksum, Adler32HasItsCheckValue) {
  EXPECT_EQ(adler32(bytes_of("Wikipedia")), 0x11E6'0398u);
  EXPECT_EQ(adler32(kDigits), 0x091E'01DEu);
  EXPECT_EQ(adler32({}), 1u);
}

TEST(Checksum, Adler32KeepsItsSumsInRange) {
  const std::vector<uint8_t> high(100'000, 0xFF);
  uint64_t a = 1;
  uint64_t b = 0;
  for (const uint8_t byte : high) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  EXPECT_EQ(adler32(high), b << 16 | a);
}

TEST(Checksum, FletcherHasItsCheckValues) {
  EXPECT_EQ(fletcher16(bytes_of("abcde")), 0xC8F0);
  EXPECT_EQ(fletcher16(bytes_of("abcdefgh")), 0x0627);
  EXPECT_EQ(fletcher32(bytes_of("abcde")), 0xF04F'C729u);
  EXPECT_EQ(fletcher32(bytes_of("abcdef")), 0x5650'2D2Au);
  EXPECT_EQ(fletcher32(bytes_of("abcdefgh")), 0xEBE1'9591u);
}

TEST(Checksum, InternetChecksumOfTheRfcsExample) {
  const uint8_t example[] = {0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7};
  EXPECT_EQ(internet_checksum(example), 0x220D); // ~0xDDF2
}

TEST(Checksum, InternetChecksumOfAnIpHeader) {
  uint8_t header[] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                      0x00, 0x00, 0xC0, 0xA8, 0x00, 0x01, 0xC0, 0xA8, 0x00, 0xC7};
  EXPECT_EQ(internet_checksum(header), 0xB861);
  header[10] = 0xB8;
  header[11] = 0x61;
  EXPECT_EQ(internet_checksum(header), 0);
}

TEST(Checksum, InternetChecksumTakesAnyPieces) {
  const std::vector<uint8_t> all = counting(41);
  const Bytes bytes(all);
  const uint16_t whole = internet_checksum(bytes);
  for (size_t first = 0; first <= 41; ++first) {
    for (size_t second = first; second <= 41; ++second) {
      InternetChecksum checksum;
      checksum.add(bytes.first(first));
      checksum.add(bytes.subspan(first, second - first));
      checksum.add(bytes.from(second));
      ASSERT_EQ(checksum.value(), whole) << first << " " << second;
    }
  }
}

TEST(Checksum, PseudoHeaderNumbersAreBigEndianWords) {
  const uint8_t same[] = {0xC0, 0xA8, 0x00, 0x01, 0x00, 0x11};
  InternetChecksum checksum;
  checksum.add_be32(0xC0A8'0001);
  checksum.add_be16(17);
  EXPECT_EQ(checksum.value(), internet_checksum(same));
}

TEST(Checksum, RunningFormsGoOn) {
  for (size_t cut = 0; cut <= kDigits.size(); ++cut) {
    EXPECT_EQ(crc32(kDigits.from(cut), crc32(kDigits.first(cut))), crc32(kDigits));
    EXPECT_EQ(crc32c(kDigits.from(cut), crc32c(kDigits.first(cut))), crc32c(kDigits));
    EXPECT_EQ(crc16(kDigits.from(cut), crc16(kDigits.first(cut))), crc16(kDigits));
    EXPECT_EQ(adler32(kDigits.from(cut), adler32(kDigits.first(cut))), adler32(kDigits));
  }
}

TEST(Checksum, ByteSumWraps) {
  const uint8_t table[] = {0xFF, 0x02, 0xFF};
  EXPECT_EQ(byte_sum(table), 0);
  EXPECT_EQ(byte_sum({}), 0);
}

} // namespace
} // namespace clay
