#pragma once
// The flattened devicetree as it lies in memory: Devicetree Specification v0.4, chapter 5. All
// numbers are big-endian.

#include <stddef.h>
#include <stdint.h>

namespace clay::fdt {

/// 5.2: what the header begins with.
inline constexpr uint32_t kMagic = 0xD00DFEED;
/// 5.2: the header of version 17 has ten fields of 4 bytes.
inline constexpr size_t kHeaderBytes = 40;
/// 5.2: the version that this reader speaks.
inline constexpr uint32_t kVersion = 17;
/// 5.6: alignment of the structure block and of each of its tokens, and of the reservation block.
inline constexpr size_t kTokenAlign = 4;
inline constexpr size_t kReservationAlign = 8;
/// 5.3.2: address and size, 8 bytes each; an entry of zeros ends the list.
inline constexpr size_t kReservationBytes = 16;

/// A field's place in the header (5.2).
enum HeaderField : size_t {
  kMagicAt = 0,
  kTotalSizeAt = 4,
  kStructOffsetAt = 8,
  kStringsOffsetAt = 12,
  kReservationOffsetAt = 16,
  kVersionAt = 20,
  kLastCompatibleAt = 24,
  kBootCpuAt = 28,
  kStringsSizeAt = 32,
  kStructSizeAt = 36,
};

/// 5.4.1; kBroken is no token but what a reader makes of bytes that are none.
enum class TokenKind : uint32_t {
  kBroken = 0,
  kBeginNode = 1,
  kEndNode = 2,
  kProperty = 3,
  kNop = 4,
  kEnd = 9,
};

/// A rule of Clay's own: nodes nest at most this deep, the root counted. Real trees need 10.
inline constexpr size_t kMaxDepth = 32;

} // namespace clay::fdt
