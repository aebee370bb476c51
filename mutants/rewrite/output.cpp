#include "mutants/rewrite/output.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace kiln::mutants {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool is_source(const fs::path& path) {
  for (const char* ending :
       {".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh", ".hxx", ".inc", ".ipp"}) {
    if (path.extension() == ending) return true;
  }
  return false;
}

/// The first line names the original, so that debug information and findings do.
std::string with_name(const std::string& path, const std::string& text) {
  return "#line 1 \"" + path + "\"\n" + text;
}

std::string mirrored_text(const Rewritten& rewritten, const Work& work, const std::string& path) {
  auto file = rewritten.files.find(path);
  return with_name(path, file == rewritten.files.end() ? read_file(work.subject.absolute(path))
                                                       : render(file->second, path).text);
}

/// Files below a folder of the checkout, from the checkout's top, sorted.
std::vector<std::string> files_below(const Work& work, const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code problem;
  fs::recursive_directory_iterator entry(work.subject.absolute(folder), problem);
  for (; !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
    std::string path = work.subject.relative(entry->path().string());
    if (entry->is_directory() && (path.starts_with(".git") || path.starts_with("build"))) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && is_source(entry->path())) {
      paths.push_back(path);
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool write_if_changed(const std::string& path, const std::string& text, std::string* error) {
  std::error_code problem;
  fs::create_directories(fs::path(path).parent_path(), problem);
  if (fs::exists(path, problem) && read_file(path) == text) return true;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) {
    *error = "cannot write '" + path + "' (" + std::strerror(errno) +
             "); --out must name a place that can be written";
    return false;
  }
  return true;
}

} // namespace

bool write_tree(const Rewritten& rewritten, const std::vector<TableRow>& rows, const Work& work,
                const std::string& out, std::string* error) {
  for (const auto& folders : {work.subject.kernel_folders, work.subject.harness_folders}) {
    for (const std::string& folder : folders) {
      for (const std::string& path : files_below(work, folder == "." ? "" : folder)) {
        if (!write_if_changed(out + "/" + path, mirrored_text(rewritten, work, path), error)) {
          return false;
        }
      }
    }
  }
  return write_if_changed(out + "/kiln_mutants.h", header_text(rewritten.files), error) &&
         write_if_changed(out + "/mutant_table.cpp", table_source(rewritten, rows, work.patches),
                          error) &&
         write_if_changed(out + "/mutants.json", table_json(rewritten, rows, work.patches), error);
}

} // namespace kiln::mutants
