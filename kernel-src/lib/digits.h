#pragma once
// Numbers as digits.

#include <stddef.h>
#include <stdint.h>

namespace clay {

/// Room for any 64-bit number in any base from 2.
inline constexpr size_t kMaxDigits = 64;

/// Writes the digits of `value`, at least one, so that the last stands before `end`, and returns
/// the first. At most 20 characters are written.
char* write_decimal(char* end, uint64_t value);

/// The same in base 2^bits (bits 1 to 4), with hexadecimal digits of either case; at most
/// kMaxDigits characters.
char* write_power_of_two(char* end, uint64_t value, unsigned bits, bool upper_case);

} // namespace clay
