#include "tests/mutants/snippet.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "mutants/operators/operator.h"
#include "mutants/rewrite/output.h"

namespace kiln::mutants {
namespace {

namespace fs = std::filesystem;

std::string printed_by(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> part;
  while (size_t count = fread(part.data(), 1, part.size(), pipe)) {
    text.append(part.data(), count);
  }
  pclose(pipe);
  return text;
}

} // namespace

Snippet::Snippet() {
  std::string pattern = (fs::temp_directory_path() / "kiln-snippet-XXXXXX").string();
  root_ = mkdtemp(pattern.data());
}
Snippet::~Snippet() { fs::remove_all(root_); }

void Snippet::file(const std::string& path, const std::string& text) {
  fs::path file = fs::path(root_) / path;
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  if (path.ends_with(".cpp")) units_.push_back(file.string());
}

void Snippet::patch(const std::string& name, const std::string& text) {
  std::optional<Patch> patch = parse_patch(name, text, &error);
  if (patch) work_.patches.push_back(std::move(*patch));
}

bool Snippet::rewrite(const std::vector<std::string>& operators, unsigned jobs) {
  work_.subject.root = root_;
  work_.subject.kernel_folders = {"src"};
  work_.subject.operators.clear();
  for (const std::string& name : operators) {
    work_.subject.operators[name] = {};
  }
  work_.header = root_ + "/out/kiln_mutants.h";
  work_.jobs = jobs;
  work_.says = [](const std::string&) {};
  work_.units.clear();
  for (const std::string& unit : units_) {
    work_.units.push_back({unit, root_, {"/usr/bin/clang++-19", "-std=c++20", "-I", root_, unit}});
  }
  if (!kiln::mutants::rewrite(work_, &rewritten, &error)) return false;
  rows = table_rows(rewritten, work_.patches, work_.subject);
  return write_tree(rewritten, rows, work_, root_ + "/out", &error);
}

std::string Snippet::text(const std::string& path) const {
  auto file = rewritten.files.find(path);
  return file == rewritten.files.end() ? "" : render(file->second, path).text;
}

std::vector<std::string> Snippet::mutants() const {
  std::vector<std::string> words;
  for (const TableRow& row : rows) {
    words.push_back(row.oper + ": " + row.original + " -> " + row.replacement);
  }
  return words;
}

std::vector<std::string> Snippet::unmade() const {
  std::vector<std::string> words;
  for (const auto& [path, file] : rewritten.files) {
    for (const Unmade& unmade : file.unmade) {
      words.push_back(unmade.oper + ": " + unmade.reason);
    }
  }
  return words;
}

bool Snippet::build() {
  std::string command = "cd " + root_ +
                        "/out && clang++-19 -w -std=c++20 -include kiln_mutants.h "
                        "-I. -I.. -I" KILN_CHECKOUT " src/*.cpp mutant_table.cpp " KILN_CHECKOUT
                        "/mutants/standalone/runtime.cpp -o program 2>&1";
  error = printed_by(command);
  return error.empty();
}

std::string Snippet::output(int mutant) const {
  std::string variable = mutant < 0 ? "" : "KILN_MUTANT=" + std::to_string(mutant) + " ";
  return printed_by(variable + root_ + "/out/program 2>&1");
}

} // namespace kiln::mutants
