#include "gates/support/style.h"

#include <cstdlib>
#include <unistd.h>

namespace kiln::gates {

bool wants_colour(int fd) {
  // The environment of the user, as environment.cpp wrote it down before it was replaced.
  if (const char* screen = std::getenv("KILN_SCREEN")) {
    return isatty(fd) == 1 && std::string_view(screen).ends_with("colour");
  }
  const char* terminal = std::getenv("TERM");
  bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(fd) == 1 && !dumb && std::getenv("NO_COLOR") == nullptr;
}

} // namespace kiln::gates
