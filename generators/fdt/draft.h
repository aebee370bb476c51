#pragma once
// From a Tree to bytes in two steps: the blocks of a blob (a Draft, still easy to lie in), then the
// blob with its header. Devicetree Specification v0.4, chapter 5.

#include <cstdint>
#include <vector>

#include "generators/endian.h"
#include "generators/fdt/maker.h"
#include "generators/fdt/tree.h"

namespace kiln::gen::fdt {

enum class TokenKind : uint32_t { kBeginNode = 1, kEndNode = 2, kProperty = 3, kNop = 4, kEnd = 9 };

/// A token of the structure block; NOPs have none.
struct Mark {
  TokenKind kind;
  uint32_t at;
};

struct Draft {
  std::vector<uint8_t> reservations; ///< with the last entry
  std::vector<uint8_t> structure;
  std::vector<uint8_t> strings;
  std::vector<Mark> marks; ///< in order
};

/// `nops`: 0 for none, else what decides where they are. `marks`: whether anyone needs them.
Draft draft_of(const Tree& tree, bool suffixes, uint32_t nops, bool marks);

/// The header's fields, by their place.
enum class Field : uint32_t {
  kMagic,
  kTotalSize,
  kStructOffset,
  kStringsOffset,
  kReservationOffset,
  kVersion,
  kLastCompatible,
  kBootCpu,
  kStringsSize,
  kStructSize,
};
inline constexpr uint32_t kHeaderBytes = 40;

inline uint32_t read32(const std::vector<uint8_t>& bytes, size_t at) {
  return load_be<uint32_t>(&bytes[at]);
}
inline void write32(std::vector<uint8_t>& bytes, size_t at, uint32_t value) {
  store_be(&bytes[at], value);
}
inline size_t place_of(Field field) { return static_cast<size_t>(field) * 4; }

/// How the blocks lie in the blob. The plain one: reservations, structure, strings, no gaps.
struct Layout {
  uint32_t order = 0;    ///< of six
  uint32_t gaps[4] = {}; ///< bytes before each block, and behind the last; rounded up to fit
  uint8_t filler = 0;    ///< what they hold
  uint32_t version = 17;
  uint32_t last_compatible = 16;
  uint32_t boot_cpu = 0;
  static Layout draw(sim::Tape::View data);
};

std::vector<uint8_t> blob_of(const Draft& draft, const Layout& layout);

} // namespace kiln::gen::fdt
