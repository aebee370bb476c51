#pragma once
// The dynamic section of a module: where its tables lie. Each is a part of the file that is loaded,
// whole in one segment; the file is read, not what becomes of it in memory, so that no relocation
// changes what the next one says.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/boot/module_segments.h"

namespace clay::elf {

/// Entries of one size, one behind the other.
struct Table {
  Bytes bytes;
  size_t stride = 1; ///< at least what the format says of an entry

  size_t size() const { return bytes.size() / stride; }
  Bytes operator[](size_t index) const { return bytes.subspan(index * stride, stride); }
};

struct Tables {
  Bytes strings; ///< begins and ends with a NUL
  Table symbols;
  Table relocations[2]; ///< those of the procedure linkage table last; none is larger than the file
};

Refused read_tables(const Layout& layout, Tables& out);

} // namespace clay::elf
