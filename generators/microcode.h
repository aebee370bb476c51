#pragma once
// Files of Intel microcode updates out of choices: one to a few updates for a small family of
// processors, with and without tables of further signatures, sound most of the time. Checksums are
// right unless they are the lie. The empty tape gives an empty file.

#include <cstdint>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

std::vector<uint8_t> make_microcode(sim::Tape& tape);
/// A CPUID signature that updates may be for.
uint32_t make_microcode_signature(sim::Tape& tape);

} // namespace kiln::gen
