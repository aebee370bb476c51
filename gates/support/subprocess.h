#pragma once
// Other programs: run to their end, with what they print.

#include <string>
#include <vector>

namespace kiln::gates {

struct ToolResult {
  bool started = false; ///< false: there is no such program
  int status = -1;      ///< exit status; 128 + signal when a signal ended it
  std::string output;   ///< standard output, and standard error when asked for
};

/// `folder`: to run in, "" for here. `quiet`: standard error is dropped, not shown.
ToolResult run_tool(const std::vector<std::string>& words, const std::string& folder = "",
                    bool quiet = false);
/// The same here, with standard error among the output.
ToolResult run_tool_aloud(const std::vector<std::string>& words);

/// The file of a program in PATH; "" when there is none.
std::string find_program(const std::string& name);

/// Becomes another program. Returns only when that fails.
void become(const std::vector<std::string>& words);

} // namespace kiln::gates
