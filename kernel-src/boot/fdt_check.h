#pragma once
// The whole blob held against the format, once, before anything in it is used.

#include "kernel-src/boot/fdt_refusal.h"
#include "kernel-src/lib/span.h"

namespace clay::fdt {

/// A blob's parts, each within it.
struct Blocks {
  Bytes blob;         ///< totalsize bytes
  Bytes reservations; ///< whole entries, the last one (zeros) left out
  Bytes structure;
  Bytes strings;         ///< up to its last NUL: from any place in it there is one to come
  uint32_t boot_cpu = 0; ///< physical id of the CPU that runs
};

/// What the header says, if its blocks lie inside `bytes` (which may be longer than the blob) and
/// the reservations have an end. The structure block is not looked into.
Refused check_header(Bytes bytes, Blocks& out);

/// Every token of the structure block: known, whole, balanced, in order, at most kMaxDepth deep.
Refused check_structure(const Blocks& blocks);

} // namespace clay::fdt
