// Draws that make a value out of more than one number.

#include <cstring>
#include <limits>

#include "sim/prng.h"
#include "sim/tape.h"

namespace kiln::sim {
namespace {

/// Ends of the ranges that C types have, and what lies next to them.
template <typename T> T range_end(uint64_t raw) {
  constexpr uint64_t kEnds[] = {0x7F,       0x80,       0xFF,       0x100,
                                0x7FFF,     0x8000,     0xFFFF,     0x10000,
                                0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000,
                                INT64_MAX,  1ULL << 63, UINT64_MAX, UINT64_MAX - 1};
  constexpr size_t kCount = sizeof(T) == 8 ? 16 : 11;
  return static_cast<T>(kEnds[raw % kCount]);
}

/// What an edge value is made of: `kind` says how `raw` is understood; (0, 0) gives 0.
template <typename T> T edge_value(uint8_t kind, uint64_t raw) {
  constexpr unsigned kBits = std::numeric_limits<T>::digits;
  const T power = static_cast<T>(T{1} << (raw % kBits));
  switch (kind & 7) {
  case 0:
    return static_cast<T>(raw % 16);
  case 1:
    return static_cast<T>(raw % 256);
  case 2:
    return power;
  case 3:
    return static_cast<T>(power - 1);
  case 4:
    return static_cast<T>(power + 1);
  case 5:
    return range_end<T>(raw);
  case 6:
    return static_cast<T>(T{0} - static_cast<T>(raw % 16) - 1);
  default:
    return static_cast<T>(raw);
  }
}

} // namespace

uint32_t Tape::View::edge32() {
  const uint8_t kind = static_cast<uint8_t>(raw(1));
  return static_cast<uint32_t>(noted(5, edge_value<uint32_t>(kind, raw(4)), {DrawKind::kEdge}));
}

uint64_t Tape::View::edge64() {
  const uint8_t kind = static_cast<uint8_t>(raw(1));
  return noted(9, edge_value<uint64_t>(kind, raw(8)), {DrawKind::kEdge});
}

size_t Tape::View::weighted(std::span<const uint16_t> weights) {
  uint32_t sum = 0;
  for (uint16_t weight : weights) {
    sum += weight;
  }
  const uint64_t value = raw(2);
  size_t index = 0;
  if (value != 0 && sum != 0) {
    uint64_t rest = value % sum;
    while (rest >= weights[index]) {
      rest -= weights[index++];
    }
  }
  return noted(2, index, {DrawKind::kWeighted, 0, weights.size()});
}

void Tape::View::bytes(std::span<uint8_t> out) {
  size_t at = 0;
  if (tape_.record_ == nullptr) {
    for (; out.size() - at >= 8; at += 8) {
      const uint64_t block = raw(8);
      std::memcpy(&out[at], &block, 8);
    }
  }
  for (; at < out.size(); ++at) {
    out[at] = static_cast<uint8_t>(noted(1, raw(1), {DrawKind::kByte}));
  }
}

void Tape::View::noise(std::span<uint8_t> out) {
  const uint64_t seed = noted(4, raw(4), {DrawKind::kNoise, 0, out.size()});
  for (size_t at = 0; at < out.size(); at += 8) {
    const uint64_t block = seed == 0 ? 0 : stream_block(seed, at / 8);
    std::memcpy(&out[at], &block, out.size() - at < 8 ? out.size() - at : 8);
  }
}

} // namespace kiln::sim
