// kiln: the program behind scripts/fuzz.py.

#include <algorithm>
#include <csignal>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "gates/cli/command_line.h"
#include "gates/cli/help.h"
#include "gates/cli/target_choice.h"
#include "gates/run/session.h"
#include "gates/support/environment.h"
#include "gates/support/host_needs.h"
#include "gates/support/screen.h"

namespace {

using namespace kiln::gates;

ExitCode run(const std::vector<std::string>& words) {
  CommandLine line = parse_command_line(words, target_names());
  if (!line.ok) return refuse(line.error);
  bool named = std::find(words.begin(), words.end(), line.command->name) != words.end();
  if (line.settings.help) {
    print_block(named ? command_help(*line.command) : general_help());
    return ExitCode::kNothing;
  }
  return line.command->run(line.settings);
}

} // namespace

int main(int count, char** arguments) {
  fill_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of write(), with a sentence
  if (std::string missing = missing_from_host(); !missing.empty()) {
    return status_of(refuse(missing));
  }
  std::vector<std::string> words(arguments + 1, arguments + count);
  bool keep_aslr = std::find(words.begin(), words.end(), "--aslr") != words.end();
  // gdb shall have the user's terminal and settings; it starts this program anew.
  bool debugger = std::find(words.begin(), words.end(), "--gdb") != words.end();
  if (!debugger) settle_environment(arguments, keep_aslr);
  try {
    ExitCode code = run(words);
    std::string lost = lost_output();
    if (!lost.empty()) {
      ExitCode failed = fail_runner(lost);
      if (code == ExitCode::kNothing) code = failed;
    }
    return status_of(code);
  } catch (const std::exception& problem) {
    return status_of(fail_runner(std::string("The runner failed: ") + problem.what() + "."));
  }
}
