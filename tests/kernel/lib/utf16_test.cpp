#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernel-src/lib/utf16.h"

namespace clay::test {
namespace {

struct Converted {
  std::string text;
  bool broken;
};

Converted convert(const std::u16string& units) {
  std::vector<uint8_t> bytes;
  for (const char16_t unit : units) {
    bytes.push_back(static_cast<uint8_t>(unit & 0xFF));
    bytes.push_back(static_cast<uint8_t>(unit >> 8));
  }
  std::string out(units.size() * kUtf8PerUtf16Unit, '?');
  const Utf8Written written = utf8_of_utf16le(bytes, out);
  return {out.substr(0, written.size), written.broken};
}

void expect(const std::u16string& units, const std::string& text, bool broken) {
  const Converted got = convert(units);
  EXPECT_EQ(got.text, text);
  EXPECT_EQ(got.broken, broken) << text;
}

TEST(Utf16, EveryLengthAndItsBorders) {
  expect(u"a\u007f\u0080\u07ff\u0800\uffff", "a\u007f\u0080\u07ff\u0800\uffff", false);
  expect(u"\U00010000\U0010FFFF", "\U00010000\U0010FFFF", false);
  expect(u"", "", false);
}

TEST(Utf16, EndsWithTheFirstNul) {
  expect(std::u16string(u"ab\0c", 4), "ab", false);
  expect(std::u16string(u"a\0\xD800", 3), "a", false);
}

TEST(Utf16, ASurrogateAloneIsReplaced) {
  expect(u"a\xD800", "a\uFFFD", true);
  expect(u"\xDC00z", "\uFFFDz", true);
  expect(u"\xDC00\xD800", "\uFFFD\uFFFD", true);
  expect(u"\xD83D\xD83D\xDE00", "\uFFFD\U0001F600", true);
  expect(u"\xD7FF\xE000", "\uD7FF\uE000", false);
}

TEST(Utf16, HalfAUnitIsNone) {
  const uint8_t bytes[] = {'a', 0, 0x3D, 0xD8, 'x'};
  char out[9];
  const Utf8Written written = utf8_of_utf16le(bytes, out);
  EXPECT_EQ(std::string(out, written.size), "a\uFFFD");
  EXPECT_TRUE(written.broken);
}

} // namespace
} // namespace clay::test
