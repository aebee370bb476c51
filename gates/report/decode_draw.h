#pragma once
// One draw in words: what was asked for, and what came.

#include <cstdint>
#include <span>
#include <string>

#include "sim/tape.h"

namespace kiln::gates {

/// "below 5", "1 to 8", "chance 1 in 16", "one of 4", "u16", "noise for 48 bytes".
std::string draw_asked(const sim::DrawRecord& draw);
/// "2", "10000 (0x2710)", "yes", "[3]" (an index into what it chose from): of the same draw.
std::string draw_came(const sim::DrawRecord& draw);
/// "68 69", with the letters behind it where all can be printed: "68 69  \"hi\"".
std::string bytes_in_words(std::span<const uint8_t> bytes);

} // namespace kiln::gates
