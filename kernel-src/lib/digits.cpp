#include "kernel-src/lib/digits.h"

namespace clay {
namespace {

// "00" to "99": one division gives two digits.
struct Pairs {
  char text[200];
};
consteval Pairs make_pairs() {
  Pairs pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs.text[2 * i] = static_cast<char>('0' + i / 10);
    pairs.text[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}
constexpr Pairs kPairs = make_pairs();

constexpr char kLowerDigits[] = "0123456789abcdef";
constexpr char kUpperDigits[] = "0123456789ABCDEF";

} // namespace

char* write_decimal(char* end, uint64_t value) {
  char* at = end;
  while (value >= 100) {
    const uint64_t pair = value % 100 * 2;
    value /= 100;
    *--at = kPairs.text[pair + 1];
    *--at = kPairs.text[pair];
  }
  if (value >= 10) {
    *--at = kPairs.text[value * 2 + 1];
    *--at = kPairs.text[value * 2];
  } else {
    *--at = static_cast<char>('0' + value);
  }
  return at;
}

char* write_power_of_two(char* end, uint64_t value, unsigned bits, bool upper_case) {
  const char* const digits = upper_case ? kUpperDigits : kLowerDigits;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  char* at = end;
  do {
    *--at = digits[value & mask];
    value >>= bits;
  } while (value != 0);
  return at;
}

} // namespace clay
