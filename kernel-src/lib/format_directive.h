#pragma once
// One directive of a format, from its % to its conversion character: the grammar of format.h
// without the output.

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

namespace clay {

/// A va_list that functions can share: one of them reads on where another stopped.
struct FormatArguments {
  va_list list;
};

enum FormatFlags : unsigned {
  kFormatLeft = 1,      ///< -
  kFormatPlus = 2,      ///< +
  kFormatSpace = 4,     ///< space
  kFormatAlternate = 8, ///< #
  kFormatZero = 16,     ///< 0
};

enum class FormatLength : uint8_t { kInt, kChar, kShort, kLong, kLongLong, kSize, kPtrdiff, kMax };

/// Small enough to travel in two registers: pass it by value.
struct FormatDirective {
  static constexpr int kNoPrecision = -1;

  unsigned flags = 0;
  unsigned width = 0; ///< up to 2^31: the magnitude of INT_MIN
  int precision = kNoPrecision;
  FormatLength length = FormatLength::kInt;
  char conversion = 0;

  bool has(FormatFlags flag) const { return (flags & flag) != 0; }
};

namespace format_detail {

inline unsigned flag_of(char c) {
  switch (c) {
  case '-':
    return kFormatLeft;
  case '+':
    return kFormatPlus;
  case ' ':
    return kFormatSpace;
  case '#':
    return kFormatAlternate;
  case '0':
    return kFormatZero;
  default:
    return 0;
  }
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits, none of them being 0. False when the number is above INT_MAX.
[[gnu::always_inline]] inline bool parse_number(const char*& at, unsigned& out) {
  unsigned number = 0;
  for (; is_digit(*at); ++at) {
    const unsigned digit = static_cast<unsigned>(*at - '0');
    if (number > (INT_MAX - digit) / 10) {
      return false;
    }
    number = number * 10 + digit;
  }
  out = number;
  return true;
}

[[gnu::always_inline]] inline bool parse_width(const char*& at, FormatArguments& args,
                                               FormatDirective& out) {
  if (*at != '*') {
    return parse_number(at, out.width);
  }
  ++at;
  const int width = va_arg(args.list, int);
  if (width < 0) {
    out.flags |= kFormatLeft;
    out.width = static_cast<unsigned>(-static_cast<int64_t>(width));
  } else {
    out.width = static_cast<unsigned>(width);
  }
  return true;
}

[[gnu::always_inline]] inline bool parse_precision(const char*& at, FormatArguments& args,
                                                   FormatDirective& out) {
  if (*at == '*') {
    ++at;
    const int precision = va_arg(args.list, int);
    out.precision = precision < 0 ? FormatDirective::kNoPrecision : precision;
    return true;
  }
  unsigned precision = 0;
  if (!parse_number(at, precision)) {
    return false;
  }
  out.precision = static_cast<int>(precision);
  return true;
}

[[gnu::always_inline]] inline FormatLength parse_length(const char*& at) {
  switch (*at) {
  case 'h':
    ++at;
    return *at == 'h' ? (++at, FormatLength::kChar) : FormatLength::kShort;
  case 'l':
    ++at;
    return *at == 'l' ? (++at, FormatLength::kLongLong) : FormatLength::kLong;
  case 'z':
    ++at;
    return FormatLength::kSize;
  case 't':
    ++at;
    return FormatLength::kPtrdiff;
  case 'j':
    ++at;
    return FormatLength::kMax;
  default:
    return FormatLength::kInt;
  }
}

} // namespace format_detail

/// Reads a directive; `at` stands behind its % and moves behind its conversion character, whatever
/// that is (the end of the format is one too: NUL, and `at` is then past it). Takes the arguments
/// that * asks for. False when a number is too large.
[[gnu::always_inline]] inline bool parse_directive(const char*& at, FormatArguments& args,
                                                   FormatDirective& out) {
  while (const unsigned flag = format_detail::flag_of(*at)) {
    out.flags |= flag;
    ++at;
  }
  if (!format_detail::parse_width(at, args, out)) {
    return false;
  }
  if (*at == '.') {
    ++at;
    if (!format_detail::parse_precision(at, args, out)) {
      return false;
    }
  }
  out.length = format_detail::parse_length(at);
  out.conversion = *at;
  ++at;
  return true;
}

} // namespace clay
