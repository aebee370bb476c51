// A mutant as lines before and after.

#include <algorithm>

#include "gates/mutation/report_sources.h"

namespace kiln::gates {
namespace {

constexpr uint32_t kAround = 2;
/// Changed lines that are shown; the middle of a longer change is left out.
constexpr uint32_t kMostChanged = 12;
/// The table cuts its texts at 200 characters; the last few may be the mark of the cut.
constexpr size_t kMaybeCut = 190;

using Line = SourceChange::Line;
using Lines = std::vector<std::string_view>;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Without any white space: what is folded in one text may be a line's end in the other.
std::string squeezed(std::string_view text) {
  std::string out;
  for (char c : text)
    if (!is_space(c)) out += c;
  return out;
}

/// The part of line `number` that lies within the mutant.
std::string_view part(const sim::Mutant& mutant, const Lines& lines, uint32_t number) {
  std::string_view line = lines[number - 1];
  size_t end = number == mutant.end_line ? mutant.end_column - 1 : line.size();
  size_t begin = number == mutant.line ? mutant.column - 1 : 0;
  return line.substr(begin, end - begin);
}

bool lies_within(const sim::Mutant& mutant, const Lines& lines) {
  if (mutant.line == 0 || mutant.column == 0 || mutant.end_column == 0) return false;
  if (mutant.end_line < mutant.line || mutant.end_line > lines.size()) return false;
  if (mutant.line == mutant.end_line && mutant.end_column < mutant.column) return false;
  return mutant.column - 1 <= lines[mutant.line - 1].size() &&
         mutant.end_column - 1 <= lines[mutant.end_line - 1].size();
}

Line plain(Line::Kind kind, uint32_t number, std::string_view text) {
  return {kind, number, std::string(text), "", ""};
}

Line removed(const sim::Mutant& mutant, const Lines& lines, uint32_t number) {
  std::string_view line = lines[number - 1];
  std::string_view inside = part(mutant, lines, number);
  auto begin = static_cast<size_t>(inside.data() - line.data());
  return {Line::Kind::kRemoved, number, std::string(line.substr(0, begin)), std::string(inside),
          std::string(line.substr(begin + inside.size()))};
}

Line added(const sim::Mutant& mutant, const Lines& lines) {
  return {Line::Kind::kAdded, mutant.line,
          std::string(lines[mutant.line - 1].substr(0, mutant.column - 1)), mutant.replacement,
          std::string(lines[mutant.end_line - 1].substr(mutant.end_column - 1))};
}

bool is_blank(const Line& line) {
  return squeezed(line.before + line.changed + line.after).empty();
}

} // namespace

bool still_stands(const sim::Mutant& mutant, const ReportSources::File& file) {
  const Lines& lines = file.lines;
  if (!lies_within(mutant, lines)) return false;
  std::string here;
  for (uint32_t n = mutant.line; n <= mutant.end_line; ++n)
    here += part(mutant, lines, n);
  std::string_view wanted = mutant.original;
  if (wanted.size() <= kMaybeCut) return squeezed(here) == squeezed(wanted);
  return squeezed(here).starts_with(squeezed(wanted.substr(0, kMaybeCut)));
}

SourceChange change_of(const sim::Mutant& mutant, const ReportSources::File& file) {
  SourceChange change;
  const Lines& lines = file.lines;
  if (!still_stands(mutant, file)) return change;
  uint32_t first = mutant.line - std::min(mutant.line - 1, kAround);
  auto last = std::min<uint32_t>(mutant.end_line + kAround, static_cast<uint32_t>(lines.size()));
  for (uint32_t n = first; n < mutant.line; ++n)
    change.lines.push_back(plain(Line::Kind::kSame, n, lines[n - 1]));
  uint32_t changed = mutant.end_line - mutant.line + 1;
  for (uint32_t n = mutant.line; n <= mutant.end_line; ++n) {
    uint32_t at = n - mutant.line;
    bool shown =
        changed <= kMostChanged || at < kMostChanged / 2 || changed - at <= kMostChanged / 2;
    if (shown) change.lines.push_back(removed(mutant, lines, n));
    if (!shown && at == kMostChanged / 2)
      change.lines.push_back(plain(Line::Kind::kLeftOut, n, ""));
  }
  Line after = added(mutant, lines);
  if (!is_blank(after)) change.lines.push_back(std::move(after));
  for (uint32_t n = mutant.end_line + 1; n <= last; ++n)
    change.lines.push_back(plain(Line::Kind::kSame, n, lines[n - 1]));
  return change;
}

} // namespace kiln::gates
