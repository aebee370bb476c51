#include "gates/mutation/report_sources.h"

#include <algorithm>

#include "gates/support/printable.h"
#include "gates/support/read_file.h"

namespace kiln::gates {
namespace {

constexpr size_t kLargestSource = size_t{16} << 20;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

/// Code units of UTF-16 in the first `bytes` bytes: two for what UTF-8 needs four bytes for.
uint32_t utf16_units(std::string_view line, size_t bytes) {
  uint32_t units = 0;
  for (size_t at = 0; at < std::min(bytes, line.size());) {
    size_t size = std::max<size_t>(1, utf8_character(line.substr(at)));
    units += size == 4 ? 2 : 1;
    at += size;
  }
  if (bytes > line.size()) units += static_cast<uint32_t>(bytes - line.size());
  return units;
}

Position position_of(uint32_t line, uint32_t column, const ReportSources::File& file) {
  Position position{std::max(line, 1U), std::max(column, 1U)};
  if (position.line > file.lines.size()) return position;
  position.column = 1 + utf16_units(file.lines[position.line - 1], position.column - 1);
  return position;
}

} // namespace

const ReportSources::File& ReportSources::file(const std::string& path) {
  auto [at, is_new] = files_.try_emplace(path);
  File& file = at->second;
  if (!is_new) return file;
  std::string ignored;
  auto text = root_.empty() ? std::nullopt
                            : read_file(root_ + "/" + path, kLargestSource, "a source", &ignored);
  file.found = text.has_value();
  if (!file.found) missing_.insert(path);
  if (file.found) file.text = std::move(*text);
  file.lines = lines_of(file.text);
  return file;
}

Extent extent_of(const sim::Mutant& mutant, const ReportSources::File& file) {
  return {position_of(mutant.line, mutant.column, file),
          position_of(mutant.end_line, mutant.end_column, file)};
}

Extent extent_of(const sim::UnmadeMutant& place, const ReportSources::File& file) {
  uint32_t length = 1;
  std::string_view original = place.original;
  if (place.line >= 1 && place.line <= file.lines.size() && place.column >= 1) {
    std::string_view line = file.lines[place.line - 1];
    bool there = place.column <= line.size() && !original.empty() &&
                 line.substr(place.column - 1).starts_with(original);
    if (there) length = static_cast<uint32_t>(original.size());
  }
  return {position_of(place.line, place.column, file),
          position_of(place.line, place.column + length, file)};
}

} // namespace kiln::gates
