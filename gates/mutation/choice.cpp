#include "gates/mutation/choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "gates/cli/target_choice.h"
#include "gates/mutation/changed_lines.h"
#include "gates/support/subject.h"
#include "gates/support/suggest.h"

namespace kiln::gates {

namespace {

std::vector<std::string> paths_of(std::span<const sim::Mutant> mutants) {
  std::set<std::string> paths;
  for (const sim::Mutant& mutant : mutants)
    paths.insert(mutant.path);
  return {paths.begin(), paths.end()};
}

/// Arguments: targets, or files.
struct Arguments {
  std::vector<std::string> targets;
  std::vector<std::string> files;
};

bool sort_arguments(const std::vector<std::string>& words, Arguments* sorted, std::string* error) {
  std::vector<std::string> paths = paths_of(sim::mutant_table().mutants);
  for (const std::string& word : words) {
    std::string ignored;
    if (!choose_targets({word}, &ignored).empty()) {
      sorted->targets.push_back(word);
    } else if (std::any_of(paths.begin(), paths.end(),
                           [&](const std::string& path) { return means_file(word, path); })) {
      sorted->files.push_back(word);
    } else {
      std::vector<std::string> known = target_names();
      known.insert(known.end(), paths.begin(), paths.end());
      *error = fmt::format("'{}' is neither a target nor a file with mutants.{} A file is named "
                           "from the top of the checkout.",
                           word, did_you_mean(word, known));
      return false;
    }
  }
  return true;
}

/// Of mutants of that kind; a named one's is its name.
bool parse_operators(const std::string& text, sim::MutantKind kind, std::set<std::string>* names,
                     std::string* error) {
  std::set<std::string> known;
  for (const sim::Mutant& mutant : sim::mutant_table().mutants) {
    if (mutant.kind == kind) known.insert(mutant.oper);
  }
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string name = text.substr(at, end - at);
    at = end + 1;
    if (known.count(name) == 0) {
      std::vector<std::string> names_known(known.begin(), known.end());
      *error = fmt::format("No mutant here is of the operator '{}'; there are: {}.{}", name,
                           join_words(names_known), did_you_mean(name, names_known));
      return false;
    }
    names->insert(name);
  }
  return true;
}

/// What a mutant must be like.
struct Filter {
  sim::MutantKind kind = sim::MutantKind::kKernel;
  std::vector<std::string> files;
  std::set<std::string> operators;
  std::optional<ChangedLines> changed;

  bool lets(const sim::Mutant& mutant) const {
    if (mutant.kind != kind) return false;
    if (!operators.empty() && operators.count(mutant.oper) == 0) return false;
    if (changed.has_value() && !touches(*changed, mutant.path, mutant.line, mutant.end_line)) {
      return false;
    }
    return files.empty() || std::any_of(files.begin(), files.end(), [&](const std::string& file) {
             return means_file(file, mutant.path);
           });
  }
};

bool one_mutant(uint64_t number, MutantChoice* choice, std::string* error) {
  size_t count = sim::mutant_table().mutants.size();
  if (number >= count) {
    *error =
        fmt::format("There is no mutant {}: they are numbered from 0 to {}.", number, count - 1);
    return false;
  }
  choice->numbers = {static_cast<uint32_t>(number)};
  return true;
}

} // namespace

bool means_file(std::string_view argument, std::string_view path) {
  while (argument.starts_with("./"))
    argument.remove_prefix(2);
  if (argument.ends_with('/')) argument.remove_suffix(1);
  if (glob_matches(argument, path)) return true;
  return !argument.empty() && path.starts_with(argument) && path.size() > argument.size() &&
         path[argument.size()] == '/';
}

bool choose_mutants(const Settings& settings, MutantChoice* choice, std::string* error) {
  Arguments arguments;
  if (!sort_arguments(settings.arguments, &arguments, error)) return false;
  choice->targets = choose_targets(arguments.targets, error);
  if (choice->targets.empty()) return false;
  if (settings.mutant.has_value()) return one_mutant(*settings.mutant, choice, error);
  Filter filter;
  if (settings.named) filter.kind = sim::MutantKind::kNamed;
  filter.files = arguments.files;
  if (!settings.operators.empty() &&
      !parse_operators(settings.operators, filter.kind, &filter.operators, error)) {
    return false;
  }
  if (!settings.since.empty()) {
    filter.changed = lines_changed_since(subject_tree(), settings.since, error);
    if (!filter.changed.has_value()) return false;
  }
  std::span<const sim::Mutant> mutants = sim::mutant_table().mutants;
  for (uint32_t number = 0; number < mutants.size(); ++number) {
    if (filter.lets(mutants[number])) choice->numbers.push_back(number);
  }
  return true;
}

} // namespace kiln::gates
