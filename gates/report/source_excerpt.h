#pragma once
// The lines around a place, from the source tree when it is there.

#include <string>

#include "gates/support/style.h"

namespace kiln::gates {

/// `file` as in Frame::file: looked for from the current folder and from the program's folder
/// upwards. Three lines, the middle one marked; "" when the file or the line is not there.
std::string source_excerpt(const std::string& file, unsigned line, const Style& style);

} // namespace kiln::gates
