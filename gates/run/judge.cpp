#include "gates/run/judge.h"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <vector>

#include "gates/support/host_tools.h"
#include "gates/support/printable.h"
#include "gates/support/subprocess.h"

namespace kiln::gates {

namespace {

constexpr const char* kSeconds = "60";
constexpr int kTimedOut = 124; // of `timeout`

/// Tools for disks lie where a user's PATH does not lead.
std::string find_judge(const std::string& name) {
  std::string file = find_program(name);
  for (const char* folder : {"/usr/sbin/", "/sbin/"}) {
    if (file.empty() && std::filesystem::exists(folder + name)) file = folder + name;
  }
  return file;
}

std::string missing(const std::string& name) {
  for (const HostTool& tool : host_tools()) {
    if (name == tool.name) {
      return fmt::format("{} is missing, which would judge this file: install {}.\n", name,
                         tool.package);
    }
  }
  return fmt::format("{} is missing, which would judge this file.\n", name);
}

} // namespace

std::string judge_words(const std::string& judge, const std::string& file) {
  std::istringstream text(judge);
  std::vector<std::string> words = {"timeout", kSeconds};
  for (std::string word; text >> word;)
    words.push_back(word);
  const std::string name = words[2];
  words[2] = find_judge(name);
  if (words[2].empty()) return missing(name);
  // A name that begins with '-' is no option.
  words.push_back(std::filesystem::absolute(file).string());
  const ToolResult result = run_tool_aloud(words);
  if (!result.started) return missing("timeout");
  std::string out = result.status == kTimedOut
                        ? fmt::format("{} has not come to an end in {} s\n", judge, kSeconds)
                        : fmt::format("{} says (exit code {}):\n", judge, result.status);
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);)
    out += "  " + printable(line) + "\n";
  return out;
}

} // namespace kiln::gates
