#include "gates/report/source_excerpt.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestLine = 120;

fs::path find_upwards(fs::path folder, const fs::path& file) {
  std::error_code ignored;
  for (;; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / file, ignored)) return folder / file;
    if (folder == folder.parent_path()) return {};
  }
}

fs::path find_source(const std::string& file) {
  std::error_code ignored;
  fs::path path = find_upwards(fs::current_path(ignored), file);
  if (!path.empty()) return path;
  return find_upwards(fs::read_symlink("/proc/self/exe", ignored).parent_path(), file);
}

std::string shown(const std::string& line) {
  std::string out;
  for (char c : line.substr(0, kLongestLine)) {
    if (c == '\t') {
      out += "    ";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

} // namespace

std::string source_excerpt(const std::string& file, unsigned line, const Style& style) {
  if (file.empty() || line == 0) return "";
  std::ifstream source(find_source(file));
  std::string text;
  std::string out;
  for (unsigned number = 1; number <= line + 1 && std::getline(source, text); ++number) {
    if (number + 1 < line) continue;
    std::string row = fmt::format("{} {:5} | {}", number == line ? '>' : ' ', number, shown(text));
    out += "  " + (number == line ? style.bold(row) : row) + "\n";
    if (number == line + 1) return out;
  }
  return out.find('>') == std::string::npos ? "" : out;
}

} // namespace kiln::gates
