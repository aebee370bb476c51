#include "gates/support/front_door.h"

namespace kiln::gates {

std::string front_door() { return "python3 scripts/fuzz.py"; }

} // namespace kiln::gates
