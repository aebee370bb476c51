#pragma once
// Kernel command lines out of choices: words that kernels take, with right and wrong values,
// quotes, odd blanks, repetitions, over-long words, and now and then raw bytes. The empty tape
// gives an empty line.

#include <span>
#include <string>
#include <string_view>

#include "sim/tape.h"

namespace kiln::gen {

/// Names that the lines are made of, so that a target can ask for them.
std::span<const std::string_view> command_line_names();

std::string make_command_line(sim::Tape& tape);

} // namespace kiln::gen
