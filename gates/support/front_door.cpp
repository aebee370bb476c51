#include "gates/support/front_door.h"

#include <string_view>

#include "sim/engine.h"

namespace kiln::gates {

std::string front_door() {
  constexpr std::string_view kDefault = "clay";
  std::string words = "python3 scripts/fuzz.py";
  const char* kernel = sim::kernel().name;
  return kernel == nullptr || kernel == kDefault ? words : words + " --kernel " + kernel;
}

} // namespace kiln::gates
