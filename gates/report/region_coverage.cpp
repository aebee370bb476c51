#include "gates/report/region_coverage.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace kiln::gates {
namespace {

using Json = nlohmann::json;

constexpr const char* kAssertHeader = "/lib/assert.h";

// llvm/ProfileData/Coverage/CoverageMapping.h, CounterMappingRegion::RegionKind.
constexpr unsigned kCode = 0;
constexpr unsigned kExpansion = 1;

/// One element of a function's "regions".
struct Region {
  unsigned line, column, end_line, end_column;
  uint64_t count;
  unsigned file;     ///< index into the function's "filenames"
  unsigned expanded; ///< of an expansion: the index of what the macro became
  unsigned kind;

  explicit Region(const Json& json)
      : line(json.at(0)), column(json.at(1)), end_line(json.at(2)), end_column(json.at(3)),
        count(json.at(4)), file(json.at(5)), expanded(json.at(6)), kind(json.at(7)) {}
};

/// Where a region is, whatever function it was compiled into: the outermost macro's use, then the
/// region itself.
using Key = std::tuple<unsigned, unsigned, std::string, unsigned, unsigned, unsigned, unsigned>;
struct Known {
  bool ran = false;
  bool left_out = false;
  std::string function;
};
using Regions = std::map<Key, Known>;

/// The regions of one function.
class Function {
 public:
  explicit Function(const Json& json)
      : name_(json.at("name").get<std::string>()),
        files_(json.at("filenames").get<std::vector<std::string>>()) {
    for (const Json& element : json.at("regions")) {
      const Region region(element);
      if (region.kind == kCode) regions_.push_back(region);
      if (region.kind == kExpansion) uses_.emplace(region.expanded, region);
    }
  }

  /// The file that the function is in: the one that is no macro's body.
  std::string file() const {
    for (unsigned i = 0; i < files_.size(); ++i) {
      if (!uses_.contains(i)) return files_[i];
    }
    return "";
  }

  void collect(Regions& out) const {
    for (const Region& region : regions_) {
      bool assertion = false;
      const Region site = outermost(region, &assertion);
      const bool in_macro = uses_.contains(region.file);
      Known& known = out[{site.line, site.column, in_macro ? files_.at(region.file) : "",
                          region.line, region.column, region.end_line, region.end_column}];
      known.ran |= region.count != 0;
      known.left_out |= assertion;
      known.function = name_;
    }
  }

 private:
  /// The use of the macro in whose body the region is, and whether one on the way is an assertion;
  /// the region itself outside of all macros.
  Region outermost(Region region, bool* assertion) const {
    for (auto use = uses_.find(region.file); use != uses_.end(); use = uses_.find(region.file)) {
      *assertion |= files_.at(region.file).ends_with(kAssertHeader);
      region = use->second;
    }
    return region;
  }

  std::string name_;
  std::vector<std::string> files_;
  std::vector<Region> regions_;
  std::map<unsigned, Region> uses_; ///< by the file that the use became
};

FileCoverage summed(const std::string& file, const Regions& regions) {
  FileCoverage sum;
  sum.file = file;
  for (const auto& [key, known] : regions) {
    if (known.left_out) {
      ++sum.left_out;
      continue;
    }
    ++sum.regions;
    sum.ran += known.ran ? 1 : 0;
    const auto& [line, column, macro, inner_line, inner_column, end_line, end_column] = key;
    if (!known.ran) sum.uncovered.push_back({line, column, known.function, !macro.empty()});
  }
  return sum;
}

/// Without parameters; a function of a file's own begins with "file:".
std::string readable(const std::string& name) {
  const std::string mangled = name.substr(name.find(':') + 1);
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 ? text : mangled;
  std::free(text);
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at = out.find(kAnonymous); at != std::string::npos; at = out.find(kAnonymous)) {
    out.erase(at, kAnonymous.size());
  }
  return out.substr(0, out.find('('));
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return lines;
}

std::string row(const FileCoverage& sum) {
  return fmt::format("| {} | {} | {} | {:.1f} | {} |\n", sum.file, sum.regions, sum.ran,
                     sum.percent(), sum.left_out);
}

/// Adds the counts of a file to those of its folder.
void add_to(FileCoverage& sum, const FileCoverage& file) {
  sum.regions += file.regions;
  sum.ran += file.ran;
  sum.left_out += file.left_out;
}

/// What of a file never ran; "" when all of it did.
std::string list_uncovered(const FileCoverage& file, const std::string& root) {
  if (file.uncovered.empty()) return "";
  const std::vector<std::string> lines = lines_of(root + "/" + file.file);
  std::string list = fmt::format("\n### {}\n\n", file.file);
  for (const UncoveredRegion& region : file.uncovered) {
    list += fmt::format("- {}:{}, {}{}: `{}`\n", region.line, region.column,
                        readable(region.function), region.in_macro ? ", in a macro" : "",
                        region.line <= lines.size() ? lines[region.line - 1] : "");
  }
  return list;
}

} // namespace

double FileCoverage::percent() const {
  return regions == 0 ? 100.0 : 100.0 * static_cast<double>(ran) / static_cast<double>(regions);
}

std::vector<FileCoverage> read_region_coverage(std::string_view exported, const std::string& root,
                                               std::string* error) {
  std::map<std::string, Regions> files;
  try {
    const Json json = Json::parse(exported);
    const Json& data = json.at("data").at(0);
    for (const Json& file : data.at("files")) {
      files.emplace(file.at("filename").get<std::string>(), Regions());
    }
    for (const Json& element : data.at("functions")) {
      const Function function(element);
      const auto known = files.find(function.file());
      if (known != files.end()) function.collect(known->second);
    }
  } catch (const Json::exception& problem) {
    *error = fmt::format("llvm-cov exported something else than expected: {}", problem.what());
    return {};
  }
  std::vector<FileCoverage> sums;
  sums.reserve(files.size());
  for (const auto& [file, regions] : files) {
    sums.push_back(
        summed(file.starts_with(root + "/") ? file.substr(root.size() + 1) : file, regions));
  }
  return sums;
}

std::string describe_region_coverage(const std::vector<FileCoverage>& files,
                                     const std::string& root) {
  std::string table = "| file | regions | ran | % | left out |\n| --- | --- | --- | --- | --- |\n";
  std::string list;
  std::map<std::string, FileCoverage> folders;
  FileCoverage all;
  for (const FileCoverage& file : files) {
    table += row(file);
    list += list_uncovered(file, root);
    add_to(folders[file.file.substr(0, file.file.rfind('/'))], file);
    add_to(all, file);
  }
  for (auto& [folder, sum] : folders) {
    sum.file = fmt::format("**{}/**", folder);
    table += row(sum);
  }
  all.file = "**all**";
  table += row(all);
  return table + "\n## Never run\n" + (list.empty() ? "\nEverything ran.\n" : list);
}

} // namespace kiln::gates
