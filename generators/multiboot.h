#pragma once
// Multiboot2 information out of choices: the tags that loaders make, with sound contents most of
// the time, and lies about sizes, counts and texts in the others. The empty tape gives a block with
// an end tag alone.

#include <cstdint>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

std::vector<uint8_t> make_multiboot(sim::Tape& tape);

} // namespace kiln::gen
