#include "gates/support/subprocess.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::gates {

namespace {

constexpr int kNoSuchProgram = 127;

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words)
    out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

enum class Errors : uint8_t { kShown, kDropped, kWithOutput };

// Allocates nothing: another thread may have held the heap's lock.
[[noreturn]] void child(char* const* arguments, const char* folder, int out, Errors errors) {
  dup2(out, STDOUT_FILENO);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  if (errors != Errors::kShown) {
    dup2(errors == Errors::kDropped ? nothing : out, STDERR_FILENO);
  }
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    std::signal(signal, SIG_DFL);
  if (folder[0] == '\0' || chdir(folder) == 0) execvp(arguments[0], arguments);
  _exit(kNoSuchProgram);
}

std::string read_to_end(int in) {
  std::string text;
  char buffer[16384];
  while (true) {
    ssize_t n = read(in, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}

ToolResult run(const std::vector<std::string>& words, const std::string& folder, Errors errors) {
  ToolResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  std::vector<char*> arguments = pointers(words);
  pid_t pid = fork();
  if (pid == 0) child(arguments.data(), folder.c_str(), ends[1], errors);
  close(ends[1]);
  if (pid > 0) {
    result.output = read_to_end(ends[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.started = result.status != kNoSuchProgram;
  }
  close(ends[0]);
  return result;
}

} // namespace

ToolResult run_tool(const std::vector<std::string>& words, const std::string& folder, bool quiet) {
  return run(words, folder, quiet ? Errors::kDropped : Errors::kShown);
}

ToolResult run_tool_aloud(const std::vector<std::string>& words) {
  return run(words, "", Errors::kWithOutput);
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "";
  for (size_t at = 0; at <= folders.size();) {
    size_t end = std::min(folders.find(':', at), folders.size());
    std::string file = folders.substr(at, end - at) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return "";
}

void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments = pointers(words);
  execvp(arguments[0], arguments.data());
}

} // namespace kiln::gates
