#pragma once
// A boot loader's environment block out of choices: as grub-editenv writes it most of the time, and
// damaged in the others. The empty tape gives an empty block of 1,024 bytes.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

std::vector<uint8_t> make_env_block(sim::Tape& tape);
/// A name that a block may have, or one that none can.
std::string make_env_name(sim::Tape& tape);
std::string make_env_value(sim::Tape& tape);

} // namespace kiln::gen
