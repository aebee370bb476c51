#include "kernel-src/lib/hash.h"

#include <bit>

#include "kernel-src/lib/endian.h"

namespace clay {
namespace {

// The four words of SipHash's state.
struct SipState {
  uint64_t v0;
  uint64_t v1;
  uint64_t v2;
  uint64_t v3;

  void round() {
    v0 = wrapping_add(v0, v1);
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 = wrapping_add(v2, v3);
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = wrapping_add(v0, v3);
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = wrapping_add(v2, v1);
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void absorb(uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  uint64_t finish() {
    v2 ^= 0xFF;
    for (int i = 0; i < 4; ++i) {
      round();
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

// The bytes that fill no word, and the length's low byte above them.
uint64_t last_word(Bytes tail, size_t length) {
  uint64_t word = static_cast<uint64_t>(length & 0xFF) << 56;
  for (size_t i = 0; i < tail.size(); ++i) {
    word |= static_cast<uint64_t>(tail[i]) << (8 * i);
  }
  return word;
}

} // namespace

uint64_t siphash(HashSeed seed, Bytes bytes) {
  // "somepseudorandomlygeneratedbytes"
  SipState state{seed.low ^ 0x736F6D6570736575, seed.high ^ 0x646F72616E646F6D,
                 seed.low ^ 0x6C7967656E657261, seed.high ^ 0x7465646279746573};
  Bytes rest = bytes;
  while (rest.size() >= sizeof(uint64_t)) {
    state.absorb(load_le<uint64_t>(rest.data()));
    rest = rest.from(sizeof(uint64_t));
  }
  state.absorb(last_word(rest, bytes.size()));
  return state.finish();
}

} // namespace clay
