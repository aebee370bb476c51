#pragma once
// Stacks for people: the kernel's frames one a line, the machine's around them in one.

#include <span>
#include <string>

#include "gates/finding/symbolize.h"
#include "gates/support/style.h"

namespace kiln::gates {

/// Not of the kernel, nor of a target, world or generator.
bool is_machine(const Frame& frame);

/// At most `most` lines, each with `indent` spaces in front and a newline behind.
std::string stack_text(std::span<const Frame> frames, const Style& style, size_t indent = 2,
                       size_t most = 40);

} // namespace kiln::gates
