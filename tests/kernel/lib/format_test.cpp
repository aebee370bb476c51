#include <gtest/gtest.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <string>

#include "kernel-src/lib/format.h"

namespace clay {
namespace {

// Not marked as printf-like: formats that a compiler would warn of are what is tested here.
std::string print(const char* text, ...) {
  char out[512];
  va_list args;
  va_start(args, text);
  const size_t length = vformat(out, sizeof(out), text, args);
  va_end(args);
  EXPECT_LT(length, sizeof(out));
  EXPECT_EQ(out[length], '\0');
  return std::string(out, length);
}

TEST(Format, CopiesTextAndPercentSigns) {
  EXPECT_EQ(print(""), "");
  EXPECT_EQ(print("boot"), "boot");
  EXPECT_EQ(print("100%%"), "100%");
  EXPECT_EQ(print("%%%%"), "%%");
  EXPECT_EQ(print("%5%|"), "%|");
}

TEST(Format, PrintsIntegersInEveryBase) {
  EXPECT_EQ(print("%d %i %u", -42, 42, 42u), "-42 42 42");
  EXPECT_EQ(print("%o %x %X %b %B", 8u, 0xABCu, 0xABCu, 5u, 5u), "10 abc ABC 101 101");
  EXPECT_EQ(print("%#o %#x %#X %#b %#B", 8u, 0xABCu, 0xABCu, 5u, 5u),
            "010 0xabc 0XABC 0b101 0B101");
  EXPECT_EQ(print("%d %d", INT_MIN, INT_MAX), "-2147483648 2147483647");
  EXPECT_EQ(print("%lld %llu", LLONG_MIN, ULLONG_MAX), "-9223372036854775808 18446744073709551615");
  EXPECT_EQ(print("%llb", ULLONG_MAX), std::string(64, '1'));
}

TEST(Format, LengthsCutTheArgument) {
  EXPECT_EQ(print("%hhd %hhu %hhx", 300, 300, -1), "44 44 ff");
  EXPECT_EQ(print("%hd %hu", 65537, -1), "1 65535");
  EXPECT_EQ(print("%u %x", -1, -1), "4294967295 ffffffff");
  EXPECT_EQ(print("%ld %zu %td %jd", LONG_MIN, SIZE_MAX, PTRDIFF_MIN, INTMAX_MIN),
            "-9223372036854775808 18446744073709551615 -9223372036854775808 -9223372036854775808");
  EXPECT_EQ(print("%zd %tu %ju", SIZE_MAX, ptrdiff_t{-1}, UINTMAX_MAX),
            "-1 18446744073709551615 18446744073709551615");
}

TEST(Format, ShortArgumentsDoNotShiftTheNext) {
  EXPECT_EQ(print("%hhd %d %lld %s", -1, 2, 3LL, "four"), "-1 2 3 four");
}

TEST(Format, PadsToTheWidth) {
  EXPECT_EQ(print("%5d|%-5d|%05d", 42, 42, -42), "   42|42   |-0042");
  EXPECT_EQ(print("%5s|%-5s|%2s", "abc", "abc", "abc"), "  abc|abc  |abc");
  EXPECT_EQ(print("%3c|%-3c|", 'x', 'y'), "  x|y  |");
  EXPECT_EQ(print("%#08x|%#-8x|%#8x", 255, 255, 255), "0x0000ff|0xff    |    0xff");
  EXPECT_EQ(print("%-05d|%0-5d|", 3, 3), "3    |3    |");
}

TEST(Format, PrecisionIsAMinimumOfDigits) {
  EXPECT_EQ(print("%.3d|%.0d|%.d|%.0u|%.0x", 5, 0, 0, 0, 0), "005||||");
  EXPECT_EQ(print("%08.3d|%-8.3d|", -5, -5), "    -005|-005    |");
  EXPECT_EQ(print("%+.0d|% .0d", 0, 0), "+| ");
  EXPECT_EQ(print("%#.0o|%#.3o|%#.2o|%#o|%#.0x|%#x", 0, 8, 8, 0, 0, 0), "0|010|010|0||0");
}

TEST(Format, SignsAreForSignedConversions) {
  EXPECT_EQ(print("%+d %+d % d % d %+ d", 5, -5, 5, -5, 5), "+5 -5  5 -5 +5");
  EXPECT_EQ(print("%+u % x", 5, 5), "5 5");
}

TEST(Format, NegativeStarsMeanSomethingElse) {
  EXPECT_EQ(print("%*d|%*d|", 4, 7, -4, 7), "   7|7   |");
  EXPECT_EQ(print("%.*d|%.*d", -1, 0, 0, 0), "0|");
  EXPECT_EQ(print("%0*.*d", 5, -1, 3), "00003");
  EXPECT_EQ(print("%.*s|%.*s", -5, "abc", 2, "abc"), "abc|ab");
}

TEST(Format, TextIsReadNoFurtherThanItsPrecision) {
  const char unterminated[3] = {'a', 'b', 'c'};
  EXPECT_EQ(print("%.3s|%.2s|%.0s", unterminated, unterminated, unterminated), "abc|ab|");
  const char* const none = nullptr;
  EXPECT_EQ(print("%s|%10s|%.5s|%.6s", none, none, none, none), "(null)|    (null)||(null)");
  EXPECT_EQ(print("%.0s", nullptr), "");
}

TEST(Format, APointerLooksLikeItsNumber) {
  EXPECT_EQ(print("%p|%10p|%-10p|", reinterpret_cast<void*>(0x1234),
                  reinterpret_cast<void*>(0x1234), reinterpret_cast<void*>(0x1234)),
            "0x1234|    0x1234|0x1234    |");
  EXPECT_EQ(print("%p|%7p", nullptr, nullptr), "(nil)|  (nil)");
  EXPECT_EQ(print("%+#020.3p", reinterpret_cast<void*>(0x12)), "                0x12");
}

TEST(Format, ANulCharacterCounts) { EXPECT_EQ(print("a%cb", 0), std::string("a\0b", 3)); }

TEST(Format, WhatItDoesNotKnowStandsAsItIs) {
  int written = 7;
  EXPECT_EQ(print("%d%n %d", 1, &written, 2), "1%n %d");
  EXPECT_EQ(written, 7);
  EXPECT_EQ(print("%f%d", 1.0, 2), "%f%d");
  EXPECT_EQ(print("%Lg %a %E"), "%Lg %a %E");
  EXPECT_EQ(print("%ls|%lc|%hhs"), "%ls|%lc|%hhs");
  EXPECT_EQ(print("%1$d %d"), "%1$d %d");
  EXPECT_EQ(print("%'d %m %y"), "%'d %m %y");
  EXPECT_EQ(print("ok %"), "ok %");
  EXPECT_EQ(print("ok %-5."), "ok %-5.");
  EXPECT_EQ(print("ok %ll"), "ok %ll");
  EXPECT_EQ(print("%lll%d"), "%lll%d");
  EXPECT_EQ(print("%.-3d", 1), "%.-3d");
}

TEST(Format, NumbersInAFormatEndAtIntMax) {
  char out[4];
  EXPECT_EQ(format(out, sizeof(out), "%2147483647d", 1), 2147483647u);
  EXPECT_STREQ(out, "   ");
  EXPECT_EQ(print("%2147483648d"), "%2147483648d");
  EXPECT_EQ(print("%.2147483648d"), "%.2147483648d");
  EXPECT_EQ(print("%99999999999999999999d"), "%99999999999999999999d");
  EXPECT_EQ(format(out, sizeof(out), "%*dx", INT_MIN, 7), 2147483649u);
  EXPECT_STREQ(out, "7  ");
  EXPECT_EQ(format(out, sizeof(out), "%.*d%*d", INT_MAX, 1, INT_MAX, 1), 4294967294u);
  EXPECT_STREQ(out, "000");
}

TEST(Format, CutsAtTheSizeAndCountsOn) {
  char out[8];
  for (size_t size = 1; size <= sizeof(out); ++size) {
    memset(out, '~', sizeof(out));
    EXPECT_EQ(format(out, size, "%d%s%3d", 12, "ab", 3), 7u);
    EXPECT_EQ(std::string(out), std::string("12ab  3", size - 1));
    EXPECT_EQ(std::string(out + size, sizeof(out) - size), std::string(sizeof(out) - size, '~'));
  }
}

TEST(Format, SizeZeroWritesNothing) {
  EXPECT_EQ(format(nullptr, 0, "%s %5d", "length", 5), 12u);
  char out = '~';
  EXPECT_EQ(format(&out, 0, "x"), 1u);
  EXPECT_EQ(out, '~');
}

} // namespace
} // namespace clay
