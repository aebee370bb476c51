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

/// Digits (none: 0); stops before one that would take the number above INT_MAX.
[[gnu::always_inline]] inline unsigned parse_number(const char*& at) {
  unsigned number = 0;
  for (; is_digit(*at); ++at) {
    const unsigned digit = static_cast<unsigned>(*at - '0');
    if (number > (INT_MAX - digit) / 10) {
      break;
    }
    number = number * 10 + digit;
  }
  return number;
}

[[gnu::always_inline]] inline void parse_width(const char*& at, FormatArguments& args,
                                               FormatDirective& out) {
  if (*at != '*') {
    out.width = parse_number(at);
    return;
  }
  ++at;
  const int width = va_arg(args.list, int);
  if (width < 0) {
    out.flags |= kFormatLeft;
    out.width = static_cast<unsigned>(-static_cast<int64_t>(width));
  } else {
    out.width = static_cast<unsigned>(width);
  }
}

[[gnu::always_inline]] inline void parse_precision(const char*& at, FormatArguments& args,
                                                   FormatDirective& out) {
  if (*at == '*') {
    ++at;
    const int precision = va_arg(args.list, int);
    out.precision = precision < 0 ? FormatDirective::kNoPrecision : precision;
    return;
  }
  out.precision = static_cast<int>(parse_number(at));
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
/// that * asks for. Of a number that is too large it leaves a digit over, which comes out as the
/// conversion character and is none.
[[gnu::always_inline]] inline void parse_directive(const char*& at, FormatArguments& args,
                                                   FormatDirective& out) {
  while (const unsigned flag = format_detail::flag_of(*at)) {
    out.flags |= flag;
    ++at;
  }
  format_detail::parse_width(at, args, out);
  if (*at == '.') {
    ++at;
    format_detail::parse_precision(at, args, out);
  }
  out.length = format_detail::parse_length(at);
  out.conversion = *at;
  ++at;
}

} // namespace clay
