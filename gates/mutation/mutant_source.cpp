#include "gates/mutation/mutant_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gates/support/read_file.h"

namespace kiln::gates {
namespace {

constexpr size_t kLargestTable = size_t{1} << 30;

bool is_row_of(const nlohmann::json& row, const sim::Mutant& mutant) {
  return row.at("path") == mutant.path && row.at("operator") == mutant.oper &&
         row.at("line") == mutant.line && row.at("column") == mutant.column;
}

/// Of the table's mutants in their order; nothing when a row is another mutant's.
std::optional<std::vector<std::string>> replacements_of(const nlohmann::json& rows) {
  std::span<const sim::Mutant> mutants = sim::mutant_table().mutants;
  if (rows.size() != mutants.size()) return std::nullopt;
  std::vector<std::string> texts;
  for (size_t i = 0; i < mutants.size(); ++i) {
    if (!is_row_of(rows[i], mutants[i])) return std::nullopt;
    texts.push_back(rows[i].at("edits").at(0).at("text"));
  }
  return texts;
}

size_t offset_of(const ReportSources::File& file, uint32_t line, uint32_t column) {
  return static_cast<size_t>(file.lines[line - 1].data() - file.text.data()) + column - 1;
}

} // namespace

std::optional<std::vector<std::string>> read_replacements(const std::string& path,
                                                          std::string* error) {
  std::optional<std::string> text = read_file(path, kLargestTable, "a table of mutants", error);
  if (!text.has_value()) return std::nullopt;
  std::optional<std::vector<std::string>> texts;
  try {
    texts = replacements_of(nlohmann::json::parse(*text).at("mutants"));
  } catch (const nlohmann::json::exception&) {
    texts.reset();
  }
  if (!texts.has_value()) {
    *error = fmt::format("'{}' is not of this program: build it again", path);
  }
  return texts;
}

std::optional<std::string> mutated_text(const sim::Mutant& mutant, const std::string& replacement,
                                        const ReportSources::File& file) {
  if (!still_stands(mutant, file)) return std::nullopt;
  size_t begin = offset_of(file, mutant.line, mutant.column);
  size_t end = offset_of(file, mutant.end_line, mutant.end_column);
  size_t lines = std::count(replacement.begin(), replacement.end(), '\n');
  size_t replaced = mutant.end_line - mutant.line;
  std::string filling(replaced > lines ? replaced - lines : 0, '\n');
  return file.text.substr(0, begin) + replacement + filling + file.text.substr(end);
}

} // namespace kiln::gates
