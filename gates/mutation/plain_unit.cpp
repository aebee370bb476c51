#include "gates/mutation/plain_unit.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "gates/support/read_file.h"
#include "gates/support/subprocess.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestDatabase = size_t{256} << 20;

struct BuildCommand {
  std::string folder;
  std::string file; ///< absolute
  std::vector<std::string> words;
};

std::optional<std::vector<BuildCommand>> read_commands(const std::string& build,
                                                       std::string* error) {
  std::string path = build + "/compile_commands.json";
  std::optional<std::string> text =
      read_file(path, kLargestDatabase, "a compilation database", error);
  if (!text.has_value()) return std::nullopt;
  std::vector<BuildCommand> commands;
  try {
    for (const auto& entry : nlohmann::json::parse(*text)) {
      std::string folder = entry.at("directory");
      fs::path file = fs::path(folder) / entry.at("file").get<std::string>();
      commands.push_back({folder, file.lexically_normal().string(),
                          shell_words(entry.at("command").get<std::string>())});
    }
  } catch (const nlohmann::json::exception&) {
    *error = fmt::format("'{}' is no compilation database: configure the build again", path);
    return std::nullopt;
  }
  return commands;
}

/// What each object was made of, by its name in the build folder.
using Inputs = std::map<std::string, std::vector<std::string>, std::less<>>;

std::optional<Inputs> read_inputs(const std::string& build, std::string* error) {
  // -n: nothing is written, as a build may be under way.
  ToolResult told = run_tool({"ninja", "-n", "-t", "deps"}, build, true);
  if (!told.started || told.status != 0) {
    *error = fmt::format("ninja does not tell what the objects in '{}' were made of: is it "
                         "installed, and was the program built there?",
                         build);
    return std::nullopt;
  }
  Inputs inputs;
  std::vector<std::string>* current = nullptr;
  for (size_t at = 0; at < told.output.size();) {
    size_t end = std::min(told.output.find('\n', at), told.output.size());
    std::string line = told.output.substr(at, end - at);
    size_t mark = line.find(": #deps ");
    if (mark != std::string::npos) {
      current = &inputs[line.substr(0, mark)];
    } else if (current != nullptr && line.starts_with("    ")) {
      current->push_back(line.substr(4));
    }
    at = end + 1;
  }
  return inputs;
}

/// The folder to include from that is `folder`, as the command spells it; "" when it is none.
std::string include_folder(const std::vector<std::string>& words, const std::string& folder) {
  for (const std::string& word : words) {
    std::error_code problem;
    if (word.starts_with("-I") && fs::equivalent(word.substr(2), folder, problem)) {
      return word.substr(2);
    }
  }
  return "";
}

std::string object_of(const std::vector<std::string>& words) {
  auto option = std::find(words.begin(), words.end(), "-o");
  return option == words.end() || option + 1 == words.end() ? "" : *(option + 1);
}

/// `path` from `folder`; "" when it lies elsewhere.
std::string below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + "/") ? path.substr(folder.size() + 1) : "";
}

PlainUnit unit_of(const BuildCommand& command, const std::string& mutated, const std::string& tree,
                  const std::vector<std::string>& inputs) {
  PlainUnit unit;
  unit.folder = command.folder;
  unit.source = below(command.file, mutated);
  if (unit.source.empty()) unit.source = below(command.file, tree);
  for (const std::string& input : inputs) {
    std::string absolute = (fs::path(command.folder) / input).lexically_normal().string();
    std::string path = below(absolute, mutated);
    if (!path.empty()) unit.files.insert(path);
  }
  unit.words = plain_command(command.words, mutated, tree + "/" + unit.source);
  return unit;
}

/// The object goes elsewhere, and what is compiled is said at the end.
bool has_a_value_to_drop(const std::string& word, const std::string& value) {
  return word == "-o" || word == "-c" || (word == "-Xclang" && value.starts_with("-fsanitize")) ||
         (word == "-mllvm" && value.starts_with("-tsan"));
}

bool is_dropped(const std::string& word, const std::string& mutated) {
  if (word == "-I" + mutated || word.starts_with("-I" + mutated + "/")) return true;
  for (const char* start : {"-fsanitize", "-fno-sanitize", "-g", "-O"}) {
    if (word.starts_with(start)) return true;
  }
  return false;
}

} // namespace

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    bool blank = quote == 0 && (c == ' ' || c == '\t' || c == '\n');
    if (blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    bool is_quote = quote == 0 ? c == '"' || c == '\'' : c == quote;
    if (is_quote) {
      quote = quote == 0 ? c : 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::vector<std::string> plain_command(const std::vector<std::string>& words,
                                       const std::string& mutated, const std::string& source) {
  std::vector<std::string> out;
  for (size_t i = 0; i < words.size(); ++i) {
    bool has_value = i + 1 < words.size();
    if (has_value && has_a_value_to_drop(words[i], words[i + 1])) {
      ++i;
    } else if (!is_dropped(words[i], mutated)) {
      out.push_back(words[i]);
    }
  }
  for (const std::string& word : {"-O2", "-g0", "-o", "-", "-c", source.c_str()})
    out.push_back(word);
  return out;
}

std::optional<PlainBuild> plain_build(const std::string& build, const std::string& rewritten,
                                      const std::string& tree, std::string* error) {
  std::optional<std::vector<BuildCommand>> commands = read_commands(build, error);
  if (!commands.has_value()) return std::nullopt;
  std::optional<Inputs> inputs = read_inputs(build, error);
  if (!inputs.has_value()) return std::nullopt;
  PlainBuild out;
  for (const BuildCommand& command : *commands) {
    std::string mutated = include_folder(command.words, rewritten);
    auto made_of = inputs->find(object_of(command.words));
    if (mutated.empty() || made_of == inputs->end()) continue;
    out.tree = include_folder(command.words, tree);
    if (out.tree.empty()) {
      *error = fmt::format("the sources in '{}' are not those that '{}' was built from: start it "
                           "in its own checkout",
                           tree, build);
      return std::nullopt;
    }
    out.units.push_back(unit_of(command, mutated, out.tree, made_of->second));
  }
  // Where a difference shows soonest: the others are larger, and use less of a file.
  auto order = [](const PlainUnit& unit) {
    return std::make_tuple(unit.files.count(unit.source) == 0, std::string_view(unit.source));
  };
  std::sort(out.units.begin(), out.units.end(),
            [&](const PlainUnit& a, const PlainUnit& b) { return order(a) < order(b); });
  return out;
}

} // namespace kiln::gates
