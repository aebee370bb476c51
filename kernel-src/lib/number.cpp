#include "kernel-src/lib/number.h"

#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

constexpr unsigned kNoDigit = 255;

constexpr unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') {
    return static_cast<unsigned>(c - '0');
  }
  if (c >= 'a' && c <= 'z') {
    return static_cast<unsigned>(c - 'a') + 10;
  }
  if (c >= 'A' && c <= 'Z') {
    return static_cast<unsigned>(c - 'A') + 10;
  }
  return kNoDigit;
}

// Bits that a size's suffix shifts by; 0 when it is none.
constexpr unsigned suffix_shift(char c) {
  switch (c) {
  case 'k':
  case 'K':
    return 10;
  case 'm':
  case 'M':
    return 20;
  case 'g':
  case 'G':
    return 30;
  case 't':
  case 'T':
    return 40;
  default:
    return 0;
  }
}

} // namespace

Result<uint64_t> parse_digits(StringView text, unsigned base) {
  CLAY_ASSERT(base >= 2 && base <= 36);
  if (text.empty()) {
    return Error::kInvalid;
  }
  for (const char c : text) {
    if (digit_of(c) >= base) {
      return Error::kInvalid;
    }
  }
  uint64_t number = 0;
  for (const char c : text) {
    number = CLAY_TRY(checked_mul<uint64_t>(number, base));
    number = CLAY_TRY(checked_add<uint64_t>(number, digit_of(c)));
  }
  return number;
}

Result<uint64_t> parse_unsigned(StringView text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    return parse_digits(text.from(2), 16);
  }
  if (text.starts_with("0b") || text.starts_with("0B")) {
    return parse_digits(text.from(2), 2);
  }
  return parse_digits(text, text.size() > 1 && text[0] == '0' ? 8 : 10);
}

Result<int64_t> parse_signed(StringView text) {
  const bool negative = text.starts_with("-");
  const bool has_sign = negative || text.starts_with("+");
  const uint64_t magnitude = CLAY_TRY(parse_unsigned(text.from(has_sign ? 1 : 0)));
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (magnitude > limit) {
    return Error::kOverflow;
  }
  return truncate_to<int64_t>(negative ? wrapping_neg(magnitude) : magnitude);
}

Result<uint64_t> parse_size(StringView text) {
  if (text.empty()) {
    return Error::kInvalid;
  }
  const unsigned shift = suffix_shift(text[text.size() - 1]);
  const uint64_t number = CLAY_TRY(parse_unsigned(text.first(text.size() - (shift != 0 ? 1 : 0))));
  return checked_shl(number, shift);
}

} // namespace clay
