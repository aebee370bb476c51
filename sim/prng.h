#pragma once
// The only source of randomness: SplitMix64 over a counter, so that block k of a stream costs the
// same whether or not the blocks before it were made.

#include <cstdint>
#include <string_view>

namespace kiln::sim {

/// Finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014): a bijection on 64 bits with full avalanche.
constexpr uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

inline constexpr uint64_t kGolden = 0x9E3779B97F4A7C15u;

/// Block `index` of the stream `seed`.
constexpr uint64_t stream_block(uint64_t seed, uint64_t index) {
  return mix64(seed + (index + 1) * kGolden);
}

/// FNV-1a, for names.
constexpr uint64_t hash_name(std::string_view name) {
  uint64_t h = 0xCBF29CE484222325u;
  for (char c : name) {
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  return h;
}

/// A sequential generator over the same blocks.
class Prng {
 public:
  explicit constexpr Prng(uint64_t seed) : seed_(seed) {}
  constexpr uint64_t next() { return stream_block(seed_, index_++); }
  /// Uniform in [0, n), n > 0, by multiplication (Lemire); the bias is below n / 2^64.
  constexpr uint64_t below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
  }

 private:
  uint64_t seed_;
  uint64_t index_ = 0;
};

} // namespace kiln::sim
