#include "gates/support/sha256.h"

#include <array>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>

namespace kiln::gates {

std::string sha256_hex(std::span<const uint8_t> bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256(digest.data(), bytes.data(), bytes.size());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text;
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return {text.data(), 2 * digest.size()};
}

} // namespace kiln::gates
