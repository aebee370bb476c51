#pragma once
// Which program this is: what was seen with it holds for no other.

#include <string>

namespace kiln::gates {

/// The SHA-256 of its file; "" and one sentence when that cannot be read.
std::string program_identity(std::string* error);

} // namespace kiln::gates
