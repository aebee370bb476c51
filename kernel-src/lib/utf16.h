#pragma once
// UTF-16 as firmware and disks store it, to UTF-8.

#include <stddef.h>

#include "kernel-src/lib/span.h"

namespace clay {

/// UTF-8 needs at most so many bytes for each unit of UTF-16.
inline constexpr size_t kUtf8PerUtf16Unit = 3;

struct Utf8Written {
  size_t size = 0;     ///< bytes written
  bool broken = false; ///< a surrogate without its other half: U+FFFD stands in its place
};

/// The text in `units`, little-endian, up to the first NUL or the end; an odd byte at the end is no
/// unit. `out` holds kUtf8PerUtf16Unit bytes for each unit.
Utf8Written utf8_of_utf16le(Bytes units, Span<char> out);

} // namespace clay
