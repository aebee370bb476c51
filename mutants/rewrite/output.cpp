#include "mutants/rewrite/output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "mutants/rewrite/files.h"

namespace kiln::mutants {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  for (const char* ending :
       {".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh", ".hxx", ".inc", ".ipp"}) {
    if (path.extension() == ending) return true;
  }
  return false;
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A first line that names the original, so that debug information and findings do; behind a byte
/// order mark, which must stay in front.
std::string named_after(const std::string& path, const std::string& text) {
  size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  return text.substr(0, mark) + line_directive(1, path) + text.substr(mark);
}

bool is_named_after(const std::string& path, const std::string& text) {
  size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  return std::string_view(text).substr(mark).starts_with(line_directive(1, path));
}

std::optional<std::string> mirrored_text(const Rewritten& rewritten, const Work& work,
                                         const std::string& path, std::string* error) {
  auto file = rewritten.files.find(path);
  if (file != rewritten.files.end()) return named_after(path, render(file->second, path).text);
  std::optional<std::string> text = read_file(work.subject.absolute(path));
  if (text) return named_after(path, *text);
  *error = "cannot read '" + work.subject.absolute(path) + "'";
  return std::nullopt;
}

/// Sources below a folder, but for those in the folders of `passed_over`; sorted. Nothing, and one
/// sentence, when a folder cannot be read.
std::optional<std::vector<std::string>> sources_below(const std::string& folder,
                                                      const std::set<std::string>& passed_over,
                                                      std::string* error) {
  std::vector<std::string> paths;
  std::error_code problem;
  std::error_code ignored; // of links to nowhere
  fs::recursive_directory_iterator entry(folder, problem);
  for (; !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
    std::string path = entry->path().lexically_normal().string();
    if (passed_over.contains(path)) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && is_source(path)) {
      paths.push_back(path);
    }
  }
  if (problem) {
    *error = "cannot read the folder '" + folder + "' (" + problem.message() + ")";
    return std::nullopt;
  }
  std::ranges::sort(paths);
  return paths;
}

/// The subject's sources, from the checkout's top.
std::optional<std::set<std::string>> sources_of(const Work& work, const std::string& out,
                                                std::string* error) {
  std::set<std::string> paths;
  std::set<std::string> passed_over = {work.subject.absolute(".git"),
                                       work.subject.absolute("build"), out};
  for (const auto& folders : {work.subject.kernel_folders, work.subject.harness_folders}) {
    for (const std::string& folder : folders) {
      auto found = sources_below(folder == "." ? work.subject.root : work.subject.absolute(folder),
                                 passed_over, error);
      if (!found) return std::nullopt;
      for (const std::string& path : *found) {
        paths.insert(work.subject.relative(path));
      }
    }
  }
  return paths;
}

/// What an earlier run wrote and this one did not: in the way of a header that is gone, it would be
/// found.
bool remove_others(const std::set<std::string>& written, const std::string& out,
                   std::string* error) {
  auto found = sources_below(out, {}, error);
  if (!found) return false;
  for (const std::string& absolute : *found) {
    std::string path = absolute.substr(out.size() + 1);
    if (written.contains(path)) continue;
    std::optional<std::string> text = read_file(absolute);
    if (!text || !is_named_after(path, *text)) continue; // somebody else's
    std::error_code problem;
    fs::remove(absolute, problem);
    if (problem) {
      *error = "cannot remove '" + absolute + "' (" + problem.message() + "), which is out of date";
      return false;
    }
  }
  return true;
}

bool write_if_changed(const std::string& path, const std::string& text, std::string* error) {
  std::error_code problem;
  fs::create_directories(fs::path(path).parent_path(), problem);
  if (read_file(path) == text) return true;
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
  auto sources = sources_of(work, out, error);
  if (!sources) return false;
  for (const std::string& path : *sources) {
    auto text = mirrored_text(rewritten, work, path, error);
    if (!text || !write_if_changed(out + "/" + path, *text, error)) return false;
  }
  return write_if_changed(out + "/kiln_mutants.h", header_text(rewritten.files), error) &&
         write_if_changed(out + "/mutant_table.cpp", table_source(rewritten, rows, work.patches),
                          error) &&
         write_if_changed(out + "/mutants.json", table_json(rewritten, rows, work.patches),
                          error) &&
         remove_others(*sources, out, error);
}

} // namespace kiln::mutants
