#include "kernel-src/lib/format.h"

#include <stdint.h>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/digits.h"
#include "kernel-src/lib/format_directive.h"

namespace clay {
namespace {

// Text that is counted whole and kept as far as there is room.
class Output {
 public:
  Output(char* out, size_t size) : out_(out), size_(size), room_(size == 0 ? 0 : size - 1) {}

  void put(char c) {
    if (length_ < room_) {
      out_[length_] = c;
    }
    ++length_;
  }
  void put(const char* text, size_t count) {
    if (const size_t kept = kept_of(count)) {
      memcpy(out_ + length_, text, kept);
    }
    length_ += count;
  }
  void fill(char c, size_t count) {
    if (const size_t kept = kept_of(count)) {
      memset(out_ + length_, c, kept);
    }
    length_ += count;
  }
  size_t finish() {
    if (size_ != 0) {
      out_[length_ < room_ ? length_ : room_] = '\0';
    }
    return length_;
  }

 private:
  size_t kept_of(size_t count) const {
    const size_t left = length_ < room_ ? room_ - length_ : 0;
    return count < left ? count : left;
  }

  char* out_;
  size_t size_;
  size_t room_;
  size_t length_ = 0;
};

int64_t signed_argument(FormatLength length, FormatArguments& args) {
  switch (length) {
  case FormatLength::kChar:
    return truncate_to<signed char>(va_arg(args.list, int));
  case FormatLength::kShort:
    return truncate_to<short>(va_arg(args.list, int));
  case FormatLength::kInt:
    return va_arg(args.list, int);
  case FormatLength::kLong:
    return va_arg(args.list, long);
  case FormatLength::kLongLong:
    return va_arg(args.list, long long);
  case FormatLength::kSize:
    return truncate_to<int64_t>(va_arg(args.list, size_t));
  case FormatLength::kPtrdiff:
    return va_arg(args.list, ptrdiff_t);
  case FormatLength::kMax:
    return va_arg(args.list, intmax_t);
  }
  return 0;
}

uint64_t unsigned_argument(FormatLength length, FormatArguments& args) {
  switch (length) {
  case FormatLength::kChar:
    return truncate_to<unsigned char>(va_arg(args.list, unsigned));
  case FormatLength::kShort:
    return truncate_to<unsigned short>(va_arg(args.list, unsigned));
  case FormatLength::kInt:
    return va_arg(args.list, unsigned);
  case FormatLength::kLong:
    return va_arg(args.list, unsigned long);
  case FormatLength::kLongLong:
    return va_arg(args.list, unsigned long long);
  case FormatLength::kSize:
    return va_arg(args.list, size_t);
  case FormatLength::kPtrdiff:
    return truncate_to<uint64_t>(va_arg(args.list, ptrdiff_t));
  case FormatLength::kMax:
    return va_arg(args.list, uintmax_t);
  }
  return 0;
}

// What stands before the digits: a sign, or the mark of a base.
struct Prefix {
  char text[2];
  unsigned size;
};

Prefix sign_prefix(FormatDirective directive, bool negative) {
  if (negative) {
    return {{'-', 0}, 1};
  }
  if (directive.has(kFormatPlus)) {
    return {{'+', 0}, 1};
  }
  if (directive.has(kFormatSpace)) {
    return {{' ', 0}, 1};
  }
  return {};
}

// Padding, prefix, zeros and digits of a number whose digits are made.
void put_digits(Output& out, FormatDirective directive, Prefix prefix, const char* digits,
                size_t count) {
  const size_t wanted =
      directive.precision > 0 ? static_cast<size_t>(directive.precision) : size_t{0};
  size_t zeros = wanted > count ? wanted - count : 0;
  const bool octal_mark = directive.conversion == 'o' && directive.has(kFormatAlternate);
  if (octal_mark && zeros == 0 && (count == 0 || digits[0] != '0')) {
    zeros = 1;
  }
  const size_t taken = prefix.size + zeros + count;
  size_t padding = directive.width > taken ? directive.width - taken : 0;
  const bool left = directive.has(kFormatLeft);
  if (directive.has(kFormatZero) && !left && directive.precision == FormatDirective::kNoPrecision) {
    zeros += padding;
    padding = 0;
  }
  out.fill(' ', left ? 0 : padding);
  for (unsigned i = 0; i < prefix.size; ++i) {
    out.put(prefix.text[i]);
  }
  out.fill('0', zeros);
  out.put(digits, count);
  out.fill(' ', left ? padding : 0);
}

void put_number(Output& out, FormatDirective directive, Prefix prefix, uint64_t value,
                unsigned bits) {
  char buffer[kMaxDigits];
  char* const end = buffer + sizeof(buffer);
  if (value == 0 && directive.precision == 0) {
    put_digits(out, directive, prefix, end, 0);
    return;
  }
  const char* const digits =
      bits == 0 ? write_decimal(end, value)
                : write_power_of_two(end, value, bits, directive.conversion == 'X');
  put_digits(out, directive, prefix, digits, static_cast<size_t>(end - digits));
}

void put_signed(Output& out, FormatDirective directive, FormatArguments& args) {
  const int64_t value = signed_argument(directive.length, args);
  const uint64_t bits = static_cast<uint64_t>(value);
  put_number(out, directive, sign_prefix(directive, value < 0),
             value < 0 ? wrapping_neg(bits) : bits, 0);
}

void put_unsigned(Output& out, FormatDirective directive, FormatArguments& args, unsigned bits) {
  const uint64_t value = unsigned_argument(directive.length, args);
  const bool marked = directive.has(kFormatAlternate) && value != 0 && (bits == 1 || bits == 4);
  put_number(out, directive, marked ? Prefix{{'0', directive.conversion}, 2} : Prefix{}, value,
             bits);
}

void put_padded(Output& out, FormatDirective directive, const char* text, size_t count) {
  const size_t padding = directive.width > count ? directive.width - count : 0;
  const bool left = directive.has(kFormatLeft);
  out.fill(' ', left ? 0 : padding);
  out.put(text, count);
  out.fill(' ', left ? padding : 0);
}

void put_text(Output& out, FormatDirective directive, const char* text) {
  constexpr char kNull[] = "(null)";
  constexpr size_t kNullSize = sizeof(kNull) - 1;
  const bool all = directive.precision == FormatDirective::kNoPrecision;
  const size_t limit = all ? SIZE_MAX : static_cast<size_t>(directive.precision);
  if (text == nullptr) {
    put_padded(out, directive, kNull, limit < kNullSize ? 0 : kNullSize);
    return;
  }
  size_t count = 0;
  while (count < limit && text[count] != '\0') {
    ++count;
  }
  put_padded(out, directive, text, count);
}

void put_pointer(Output& out, FormatDirective directive, const void* pointer) {
  if (pointer == nullptr) {
    put_padded(out, directive, "(nil)", 5);
    return;
  }
  directive.flags &= kFormatLeft;
  directive.precision = FormatDirective::kNoPrecision;
  put_number(out, directive, {{'0', 'x'}, 2}, reinterpret_cast<uintptr_t>(pointer), 4);
}

// Everything that takes no length. False when there is no such conversion.
bool put_other(Output& out, FormatDirective directive, FormatArguments& args) {
  if (directive.length != FormatLength::kInt) {
    return false;
  }
  switch (directive.conversion) {
  case 'c': {
    const char c = truncate_to<char>(va_arg(args.list, int));
    put_padded(out, directive, &c, 1);
    return true;
  }
  case 's':
    put_text(out, directive, va_arg(args.list, const char*));
    return true;
  case 'p':
    put_pointer(out, directive, va_arg(args.list, const void*));
    return true;
  case '%':
    out.put('%');
    return true;
  default:
    return false;
  }
}

bool put_directive(Output& out, FormatDirective directive, FormatArguments& args) {
  switch (directive.conversion) {
  case 'd':
  case 'i':
    put_signed(out, directive, args);
    return true;
  case 'u':
    put_unsigned(out, directive, args, 0);
    return true;
  case 'o':
    put_unsigned(out, directive, args, 3);
    return true;
  case 'x':
  case 'X':
    put_unsigned(out, directive, args, 4);
    return true;
  case 'b':
  case 'B':
    put_unsigned(out, directive, args, 1);
    return true;
  default:
    return put_other(out, directive, args);
  }
}

// Copies up to the next % or the end, and stands there.
const char* put_literal(Output& out, const char* at) {
  const char* end = at;
  while (*end != '%' && *end != '\0') {
    ++end;
  }
  out.put(at, static_cast<size_t>(end - at));
  return end;
}

} // namespace

size_t vformat(char* out, size_t size, const char* text, va_list args) {
  Output output(out, size);
  FormatArguments arguments;
  va_copy(arguments.list, args);
  const char* at = put_literal(output, text);
  while (*at != '\0') {
    const char* const percent = at++;
    FormatDirective directive;
    parse_directive(at, arguments, directive);
    if (!put_directive(output, directive, arguments)) {
      output.put(percent, strlen(percent));
      break;
    }
    at = put_literal(output, at);
  }
  va_end(arguments.list);
  return output.finish();
}

size_t format(char* out, size_t size, const char* text, ...) {
  va_list args;
  va_start(args, text);
  const size_t length = vformat(out, size, text, args);
  va_end(args);
  return length;
}

} // namespace clay
