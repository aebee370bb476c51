#include "gates/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "gates/support/suggest.h"

namespace kiln::gates {

namespace {

struct Given {
  const Option* option;
  std::vector<std::string> values;
};

struct Tokens {
  std::string error;
  std::vector<Given> options;
  std::vector<std::string> words;
};

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Option& option : options())
    names.push_back(option.name);
  return names;
}

std::string needs_values(const Option& option) {
  return std::string(option.name) + " needs " + (value_count(option) == 1 ? "a value" : "values") +
         ": " + option.name + " " + option.values + ".";
}

std::string takes_none(const Option& option) {
  return std::string(option.name) + " is a switch and takes no value.";
}

// CLI11 says which option an error is about at the beginning of its text.
std::string explain(const CLI::ParseError& problem) {
  std::string text = problem.what();
  for (const Option& option : options()) {
    bool named = text.starts_with(option.name) &&
                 text.find_first_of(": ", std::string_view(option.name).size()) ==
                     std::string_view(option.name).size();
    if (named && value_count(option) > 0) return needs_values(option);
    if (named) return takes_none(option);
  }
  return text + ".";
}

// CLI11 gives a switch the value "true", and is content with fewer values than an option has.
void take_option(Tokens& tokens, const Option& option, std::vector<std::string> values) {
  unsigned count = value_count(option);
  bool set_to_something = std::any_of(values.begin(), values.end(),
                                      [](const std::string& value) { return value != "true"; });
  if (count == 0 && set_to_something) {
    tokens.error = takes_none(option);
  } else if (count > 0 && values.size() != count) {
    tokens.error = needs_values(option);
  }
  tokens.options.push_back({&option, std::move(values)});
}

Tokens tokenise(std::vector<std::string> words) {
  Tokens tokens;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<CLI::Option*> handles;
  for (const Option& option : options()) {
    unsigned count = value_count(option);
    CLI::Option* handle = count == 0 ? app.add_flag(option.name) : app.add_option(option.name);
    if (count > 0) {
      handle->expected(static_cast<int>(count));
      handle->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    handles.push_back(handle);
  }
  app.add_option("words", tokens.words);
  try {
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::ParseError& problem) {
    tokens.error = explain(problem);
    return tokens;
  }
  for (const std::string& extra : app.remaining()) {
    if (extra.starts_with("-")) {
      tokens.error = "There is no option '" + extra + "'." +
                     did_you_mean(extra.substr(0, extra.find('=')), option_names());
      return tokens;
    }
    tokens.words.push_back(extra);
  }
  for (size_t i = 0; i < handles.size() && tokens.error.empty(); ++i) {
    if (handles[i]->count() > 0) take_option(tokens, options()[i], handles[i]->reduced_results());
  }
  return tokens;
}

bool names_target(const std::string& word) {
  return word.find_first_of("/*?[") != std::string::npos;
}

// The first word is a command or, for the gate, already a target.
std::string choose_command(Settings& settings, std::vector<std::string>& words,
                           const std::vector<std::string>& targets) {
  if (words.empty() || names_target(words[0])) return "";
  if (find_command(words[0]) == nullptr) {
    std::vector<std::string> known = command_names();
    known.insert(known.end(), targets.begin(), targets.end());
    return "There is no command and no target '" + words[0] + "'." + did_you_mean(words[0], known);
  }
  settings.command = words[0];
  words.erase(words.begin());
  return "";
}

std::string apply_options(const Tokens& tokens, Settings& settings) {
  for (const Given& given : tokens.options) {
    std::string error;
    if (given.option->front_door) {
      return std::string(given.option->name) + " is for scripts/fuzz.py, not for this program.";
    }
    if (!given.option->apply(settings, given.values, &error)) {
      return std::string(given.option->name) + ": " + error;
    }
  }
  return "";
}

std::string check_options(const Tokens& tokens, const Command& command) {
  for (const Given& given : tokens.options) {
    if ((given.option->commands & command.bit) == 0) {
      return std::string(given.option->name) + " does not go with '" + command.name + "'; see '" +
             command.name + " --help'.";
    }
  }
  return "";
}

std::string check_arguments(const Settings& settings, const Command& command) {
  size_t count = settings.arguments.size();
  if (count >= command.least && count <= command.most) return "";
  std::string usage = std::string("kiln ") + command.name;
  if (command.arguments[0] != '\0') usage += std::string(" ") + command.arguments;
  return std::string("'") + command.name + "' " +
         (count < command.least ? "needs more than it was given: " : "was given too much: ") +
         usage + ".";
}

std::string check_together(const Settings& s, const Command& command) {
  bool one_input = s.only.has_value() || command.bit != kForGate;
  if (!one_input &&
      (s.trace || s.gdb || s.one_process || !s.perfetto.empty() || !s.disk_image.empty())) {
    return "--trace, --perfetto, --disk-image, --gdb and --no-fork need one input: give --only "
           "SEED:ITERATION, or replay a tape.";
  }
  if (s.only.has_value() && is_campaign(s)) {
    return "--only names one input and does not go with --seed, --iterations or --seconds.";
  }
  bool chosen_otherwise =
      s.named || s.harness || s.matrix || !s.since.empty() || !s.operators.empty();
  if (command.bit == kForMutate && s.mutant.has_value() && chosen_otherwise) {
    return "--mutant names one mutant and does not go with --named, --harness, --matrix, --since "
           "or "
           "--operators.";
  }
  if (s.seconds.has_value() && s.iterations.has_value()) {
    return "--seconds and --iterations are two ways to end a run: give one.";
  }
  return "";
}

} // namespace

CommandLine parse_command_line(const std::vector<std::string>& words,
                               const std::vector<std::string>& targets) {
  CommandLine line;
  Settings& settings = line.settings;
  Tokens tokens = tokenise(words);
  line.error = tokens.error;
  if (line.error.empty()) line.error = choose_command(settings, tokens.words, targets);
  if (line.error.empty()) line.error = apply_options(tokens, settings);
  if (!line.error.empty()) return line;

  if (settings.command.empty()) settings.command = "gate";
  settings.arguments.insert(settings.arguments.end(), tokens.words.begin(), tokens.words.end());
  line.command = find_command(settings.command);
  line.error = check_options(tokens, *line.command);
  if (line.error.empty() && !settings.help) {
    line.error = check_arguments(settings, *line.command);
    if (line.error.empty()) line.error = check_together(settings, *line.command);
  }
  line.ok = line.error.empty();
  return line;
}

} // namespace kiln::gates
