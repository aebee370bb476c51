#pragma once
// A device tree and a board in words, for `feed`.

#include <string>

#include "kernel-src/boot/board.h"

namespace kiln::targets {

std::string describe(const clay::Board& board);
/// The root's children, what they are compatible with and how much is in them.
std::string describe(const clay::fdt::Tree& tree);
std::string describe(const clay::fdt::Refused& refused);

} // namespace kiln::targets
