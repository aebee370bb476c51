#pragma once
// Where the sources are that this program was built from.

#include <string>

namespace kiln::gates {

/// The nearest folder above the working directory, else above this program, that holds targets/ and
/// CMakePresets.json; "" when there is none.
std::string source_tree();

} // namespace kiln::gates
