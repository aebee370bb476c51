#pragma once
// SHA-256 (FIPS 180-4) of bytes, by libsodium.

#include <cstdint>
#include <span>
#include <string>

namespace kiln::gates {

/// 64 lower-case hex digits.
std::string sha256_hex(std::span<const uint8_t> bytes);

} // namespace kiln::gates
