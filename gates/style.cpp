#include "gates/style.h"

#include <cstdlib>
#include <unistd.h>

namespace kiln::gates {

bool wants_colour(int fd) {
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(fd) == 1 && !dumb && std::getenv("NO_COLOR") == nullptr;
}

} // namespace kiln::gates
