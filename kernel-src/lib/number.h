#pragma once
// Text as numbers: command lines, names of nodes, fields of headers.

#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

/// The whole text as a number: digits of base 2 to 36 of either case, at least one, and nothing
/// else (no sign, no space, no prefix). kInvalid, or kOverflow above 2^64 - 1.
Result<uint64_t> parse_digits(StringView text, unsigned base);

/// As C writes numbers: decimal, 0x hexadecimal, 0b binary, 0 octal.
Result<uint64_t> parse_unsigned(StringView text);

/// The same behind an optional + or -; kOverflow outside int64_t.
Result<int64_t> parse_signed(StringView text);

/// A size such as 64K, 16M, 2G, 1T (powers of 1024, either case), or a plain number.
Result<uint64_t> parse_size(StringView text);

} // namespace clay
