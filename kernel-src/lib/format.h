#pragma once
// The kernel's printf: C's conversion grammar (C23 7.23.6.1) for integers, text, characters and
// pointers. No floating point, no locale, no allocation; any context.
//
//   %[flags][width][.precision][length]conversion
//
//   flags        - + space # 0, in any order and number
//   width        digits or *; a negative * is the - flag and its magnitude
//   precision    . and digits, nothing or *; a negative * is no precision at all
//   length       hh h l ll z t j, with the integer conversions only
//   conversion   d i u o x X b B   integers
//                c s               a character; NUL-terminated text, of which no more is read than
//                                  the precision says; a null pointer prints "(null)", or nothing
//                                  where the precision leaves no room for all of it
//                p                 a pointer as %#lx prints it, null as "(nil)"; only the width and
//                                  the - flag count
//                %                 a percent sign
//
// Whatever else stands behind a % is refused: %n (it writes to memory), a e f g and their capitals,
// wide characters (%ls %lc), numbered arguments, a width or precision above INT_MAX, a format that
// ends in the middle. Since nothing is known of the arguments from there on, the rest of the
// format, from that % on, is printed as it stands and no further argument is read.

#include <stdarg.h>
#include <stddef.h>

/// Has the compiler check the arguments of a printf-like function against its format, both counted
/// from 1 (a member function's `this` is 1); args_at is 0 for a function that takes a va_list.
#define CLAY_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))

namespace clay {

/// Writes at most size - 1 characters to `out`, and a NUL behind them; with size 0 nothing (`out`
/// may then be null). Returns the length of the whole text, without NUL, however much of it fitted:
/// the text was cut if the result >= size.
size_t format(char* out, size_t size, const char* text, ...) CLAY_PRINTF(3, 4);
size_t vformat(char* out, size_t size, const char* text, va_list args) CLAY_PRINTF(3, 0);

} // namespace clay
