#include "mutants/rewrite/reach.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace kiln::mutants {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string name;
  bool quoted;
};

/// The names behind #include in a line; nothing for other lines.
std::optional<Include> include_of(const std::string& line) {
  size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#') return std::nullopt;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 7, "include") != 0) return std::nullopt;
  size_t begin = line.find_first_of("\"<", at);
  if (begin == std::string::npos) return std::nullopt;
  bool quoted = line[begin] == '"';
  size_t end = line.find(quoted ? '"' : '>', begin + 1);
  if (end == std::string::npos) return std::nullopt;
  return Include{line.substr(begin + 1, end - begin - 1), quoted};
}

class Includes {
 public:
  const std::vector<Include>& of(const std::string& file) {
    auto [found, fresh] = known_.try_emplace(file);
    if (fresh) {
      std::ifstream stream(file);
      for (std::string line; std::getline(stream, line);) {
        if (auto include = include_of(line)) found->second.push_back(*include);
      }
    }
    return found->second;
  }
  bool exists(const std::string& file) {
    auto [found, fresh] = exists_.try_emplace(file, false);
    if (fresh) {
      std::error_code problem;
      found->second = fs::is_regular_file(file, problem);
    }
    return found->second;
  }

 private:
  std::map<std::string, std::vector<Include>> known_;
  std::map<std::string, bool> exists_;
};

std::vector<std::string> folders_of(const Unit& unit) {
  std::vector<std::string> folders;
  for (size_t i = 0; i < unit.arguments.size(); ++i) {
    const std::string& argument = unit.arguments[i];
    if (argument == "-I" && i + 1 < unit.arguments.size()) {
      folders.push_back(absolute_path(unit.arguments[i + 1], unit.directory));
    } else if (argument.starts_with("-I")) {
      folders.push_back(absolute_path(argument.substr(2), unit.directory));
    }
  }
  return folders;
}

std::set<std::string> files_seen(const Unit& unit, const Subject& subject, Includes& includes) {
  std::vector<std::string> folders = folders_of(unit);
  std::set<std::string> of_subject;
  std::set<std::string> seen{unit.file};
  std::vector<std::string> open{unit.file};
  while (!open.empty()) {
    std::string file = open.back();
    open.pop_back();
    if (subject.kind_of(subject.relative(file))) of_subject.insert(file);
    for (const Include& include : includes.of(file)) {
      std::vector<std::string> places = folders;
      if (include.quoted) places.insert(places.begin(), fs::path(file).parent_path().string());
      for (const std::string& place : places) {
        std::string path = absolute_path(include.name, place);
        if (!includes.exists(path)) continue;
        if (seen.insert(path).second) open.push_back(path);
        break;
      }
    }
  }
  return of_subject;
}

} // namespace

std::vector<std::set<std::string>> subject_files_of(const std::vector<Unit>& units,
                                                    const Subject& subject) {
  Includes includes;
  std::vector<std::set<std::string>> files;
  for (const Unit& unit : units)
    files.push_back(files_seen(unit, subject, includes));
  return files;
}

} // namespace kiln::mutants
