#include "mutants/rewrite/command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "mutants/operators/operator.h"
#include "mutants/rewrite/output.h"

namespace kiln::mutants {
namespace {

namespace fs = std::filesystem;

int refuse(const std::string& sentence) {
  std::cerr << "kiln-mutator: " << sentence << "\n";
  return 2;
}

bool read_text(const std::string& path, std::string* text) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream all;
  all << stream.rdbuf();
  *text = all.str();
  return static_cast<bool>(stream);
}

std::string absolute(const std::string& path) {
  std::string text = fs::absolute(path).lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

int list_operators() {
  for (const auto& oper : all_operators()) {
    for (const Operator::Name& name : oper->names()) {
      if (!name.text.empty()) std::cout << name.name << "  " << name.text << "\n";
    }
  }
  return 0;
}

bool choose_operators(const Options& options, Subject& subject, std::string* error) {
  for (const auto& oper : all_operators()) {
    for (const Operator::Name& name : oper->names()) {
      subject.operators[std::string(name.name)] = {name.judged, name.harness};
    }
  }
  if (options.operators.empty()) return true;
  std::map<std::string, Subject::Wanted, std::less<>> chosen;
  for (const std::string& name : options.operators) {
    auto found = subject.operators.find(name);
    if (found == subject.operators.end()) {
      *error = "there is no operator '" + name + "'; --list-operators names them";
      return false;
    }
    chosen.insert(*found);
  }
  subject.operators = std::move(chosen);
  return true;
}

bool read_roles(const std::string& path, Roles& roles, std::string* error) {
  if (path.empty()) return true;
  std::string text;
  if (!read_text(path, &text)) {
    *error = "cannot read the roles '" + path + "'; --roles names a file";
    return false;
  }
  std::optional<Roles> parsed = Roles::parse(text, error);
  if (parsed) roles = std::move(*parsed);
  if (!parsed) *error = path + ": " + *error;
  return parsed.has_value();
}

bool read_patches(const std::string& folder, std::vector<Patch>& patches, std::string* error) {
  if (folder.empty()) return true;
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".patch") files.push_back(entry.path());
  }
  if (problem) {
    *error = "cannot read the folder '" + folder + "'; --named names a folder of patches";
    return false;
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::string text;
    read_text(file.string(), &text);
    std::optional<Patch> patch = parse_patch(file.stem().string(), text, error);
    if (!patch) return false;
    patches.push_back(std::move(*patch));
  }
  return true;
}

bool check_folders(const Options& options, std::string* error) {
  if (options.build.empty() || options.root.empty() || options.out.empty() ||
      options.mutate.empty()) {
    *error = "--build, --root, --mutate and --out are all needed; --help says what they are";
    return false;
  }
  for (const auto& folders : {options.mutate, options.harness}) {
    for (const std::string& folder : folders) {
      if (!fs::is_directory(options.root + "/" + folder)) {
        *error = "there is no folder '" + folder + "' in '" + options.root +
                 "'; --mutate and --harness name folders from the top of --root";
        return false;
      }
    }
  }
  return true;
}

std::vector<std::string> without_slash(std::vector<std::string> folders) {
  for (std::string& folder : folders) {
    while (folder.size() > 1 && folder.ends_with('/')) {
      folder.pop_back();
    }
  }
  return folders;
}

bool prepare(const Options& options, Work& work, std::string* error) {
  if (!check_folders(options, error)) return false;
  work.subject.root = absolute(options.root);
  work.subject.kernel_folders = without_slash(options.mutate);
  work.subject.harness_folders = without_slash(options.harness);
  work.subject.files = options.files;
  work.header = absolute(options.out) + "/kiln_mutants.h";
  work.jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  work.says = [](const std::string& line) { std::cerr << "kiln-mutator: " << line << "\n"; };
  if (!choose_operators(options, work.subject, error) ||
      !read_roles(options.roles, work.roles, error) ||
      !read_patches(options.named, work.patches, error)) {
    return false;
  }
  work.units = load_units(options.build, work.subject.root, absolute(options.out), error);
  return !work.units.empty();
}

void say_sum(const Rewritten& rewritten, const std::vector<TableRow>& rows) {
  size_t sites = 0;
  size_t unmade = 0;
  for (const auto& [path, file] : rewritten.files) {
    unmade += file.unmade.size();
    for (const Site& site : file.sites) {
      sites += site.switched() ? 1 : 0;
    }
  }
  std::cerr << "kiln-mutator: " << rows.size() << " mutants at " << sites << " sites of "
            << rewritten.files.size() << " files, " << unmade << " not made\n";
}

} // namespace

int run(const Options& options) {
  std::string error;
  if (options.list_operators) return list_operators();
  Work work;
  Rewritten rewritten;
  if (!prepare(options, work, &error)) return refuse(error);
  if (!rewrite(work, &rewritten, &error)) return refuse(error);
  std::vector<TableRow> rows = table_rows(rewritten, work.patches, work.subject);
  if (!write_tree(rewritten, rows, work, absolute(options.out), &error)) return refuse(error);
  say_sum(rewritten, rows);
  return 0;
}

} // namespace kiln::mutants
