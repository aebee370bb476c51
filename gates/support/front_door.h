#pragma once
// How a user starts this program.

#include <string>

namespace kiln::gates {

/// "python3 scripts/fuzz.py", with --kernel where the program is not Clay's.
std::string front_door();

} // namespace kiln::gates
