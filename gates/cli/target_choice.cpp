#include "gates/cli/target_choice.h"

#include <algorithm>

#include "gates/support/suggest.h"

namespace kiln::gates {

namespace {

std::string_view area_of(std::string_view name) { return name.substr(0, name.find('/')); }

bool meant_by(const sim::Target& target, const std::string& pattern) {
  std::string_view name = target.info().name;
  if (!glob_matches(pattern, name)) return false;
  return !target.info().must_fail || pattern.starts_with(area_of(name));
}

} // namespace

bool glob_matches(std::string_view pattern, std::string_view name) {
  size_t p = 0;
  size_t n = 0;
  size_t star = std::string_view::npos;
  size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

std::vector<const sim::Target*> all_targets() {
  std::vector<const sim::Target*> targets;
  for (const sim::Target* t = sim::Target::first(); t != nullptr; t = t->next()) {
    targets.push_back(t);
  }
  std::sort(targets.begin(), targets.end(), [](const auto* a, const auto* b) {
    return std::string_view(a->info().name) < b->info().name;
  });
  return targets;
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const sim::Target* target : all_targets())
    names.push_back(target->info().name);
  return names;
}

std::vector<const sim::Target*> choose_targets(const std::vector<std::string>& patterns,
                                               std::string* error) {
  std::vector<const sim::Target*> chosen;
  std::vector<bool> used(patterns.size());
  for (const sim::Target* target : all_targets()) {
    bool wanted = patterns.empty() && !target->info().must_fail;
    for (size_t i = 0; i < patterns.size(); ++i) {
      if (!meant_by(*target, patterns[i])) continue;
      wanted = true;
      used[i] = true;
    }
    if (wanted) chosen.push_back(target);
  }
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (used[i]) continue;
    *error = "There is no target '" + patterns[i] + "'." +
             did_you_mean(patterns[i], target_names()) + " 'list' names them all.";
    return {};
  }
  return chosen;
}

const sim::Target* choose_target(const std::string& name, std::string* error) {
  const sim::Target* target = sim::Target::find(name);
  if (target == nullptr) {
    *error = "There is no target '" + name + "'." + did_you_mean(name, target_names()) +
             " 'list' names them all.";
  }
  return target;
}

std::string takes_no_artefact(const sim::Target& target) {
  std::string others;
  for (const sim::Target* each : all_targets()) {
    if (each->info().feed != nullptr) others += std::string(" '") + each->info().name + "'";
  }
  return std::string("'") + target.info().name + "' takes no artefact; " +
         (others.empty() ? "no target of this program does." : "those that do:" + others + ".");
}

} // namespace kiln::gates
