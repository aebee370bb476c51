#pragma once
// What the host must give this program before it can do anything.

#include <string>

namespace kiln::gates {

/// One sentence about what is missing and how to mend it; "" when all is there. Takes what it may:
/// raises the limit on the stack as far as the user has left it open.
std::string missing_from_host();

} // namespace kiln::gates
