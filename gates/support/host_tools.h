#pragma once
// The programs that Kiln uses beside its own, and the Debian package of each.

#include <span>

namespace kiln::gates {

struct HostTool {
  const char* name;
  const char* package;
  const char* use;
};

std::span<const HostTool> host_tools();

} // namespace kiln::gates
