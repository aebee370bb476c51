#include "gates/support/environment.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <initializer_list>
#include <sys/personality.h>
#include <unistd.h>

namespace kiln::gates {

namespace {

constexpr unsigned long kAskOnly = 0xFFFFFFFF;
constexpr const char* kMark = "KILN_STARTED";
constexpr const char* kScreen = "KILN_SCREEN";

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What the terminal can do: "plain", "live" (lines can be rewritten) or "live-colour". Continuous
// integration gets plain lines.
std::string screen_of_user() {
  bool knows_cursor = variable("TERM")[0] != '\0' && std::strcmp(variable("TERM"), "dumb") != 0;
  if (!knows_cursor || variable("CI")[0] != '\0') return "plain";
  return variable("NO_COLOR")[0] != '\0' ? "live" : "live-colour";
}

void randomisation_off() {
  int now = personality(kAskOnly);
  if (now >= 0) personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
}

} // namespace

void fill_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    bool closed = fcntl(stream, F_GETFD) < 0 && errno == EBADF;
    if (closed) open("/dev/null", O_RDWR); // gets the lowest number that is free: this one
  }
}

void settle_environment(char** arguments, bool keep_aslr) {
  if (variable(kMark)[0] != '\0') return;
  if (!keep_aslr) randomisation_off();
  std::string screen = std::string(kScreen) + "=" + screen_of_user();
  std::string mark = std::string(kMark) + "=1";
  const char* const environment[] = {
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", mark.c_str(),
      screen.c_str(), nullptr};
  execve("/proc/self/exe", arguments, const_cast<char* const*>(environment));
}

void mark_environment_settled() { setenv(kMark, "1", 1); }

bool address_randomisation() {
  int now = personality(kAskOnly);
  bool off_for_us = now >= 0 && (now & ADDR_NO_RANDOMIZE) != 0;
  std::ifstream host("/proc/sys/kernel/randomize_va_space");
  char level = '2';
  host >> level;
  return !off_for_us && level != '0';
}

std::map<std::string, std::string> worker_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text = *entry;
    size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

std::vector<std::string> program_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');)
    arguments.push_back(argument);
  return arguments;
}

bool live_terminal() {
  return isatty(STDOUT_FILENO) == 1 && std::string_view(variable(kScreen)).starts_with("live");
}

} // namespace kiln::gates
