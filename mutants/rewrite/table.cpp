#include "mutants/rewrite/table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace kiln::mutants {
namespace {

constexpr size_t kLongestText = 200;

/// White space folded, at most 200 characters.
std::string folded(const std::string& text) {
  std::string line;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') {
    line.pop_back();
  }
  if (line.size() > kLongestText) line = line.substr(0, kLongestText - 3) + "...";
  return line;
}

/// What the reports show in the place of the original.
std::string shown_replacement(const SourceFile& file, const Site& site, size_t variant) {
  std::string original = file.text.substr(site.span.begin, site.span.end - site.span.begin);
  const std::string& text = site.variants[variant].text;
  switch (site.shape) {
  case Shape::kDrop:
    return "";
  case Shape::kBefore:
    return folded(text + " " + original);
  case Shape::kAfter:
    return folded(original + " " + text);
  case Shape::kSwap:
    return folded(site.line + " " + original);
  default:
    return folded(text);
  }
}

std::string shown_original(const SourceFile& file, Span span) {
  return folded(file.text.substr(span.begin, span.end - span.begin));
}

TableRow row_of(const SourceFile& file, const Site& site, size_t variant, bool judged) {
  return {&file,
          {{&file, &site}},
          variant,
          judged,
          file.kind == Kind::kKernel ? "kKernel" : "kHarness",
          site.variants[variant].oper,
          shown_original(file, site.whole()),
          shown_replacement(file, site, variant)};
}

/// A C++ string literal.
std::string literal(std::string_view text) {
  static const char* const kDigits = "01234567";
  std::string quoted = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '?' || byte < 0x20 || byte == 0x7f) { // '?': no trigraphs
      quoted += '\\';
      quoted += kDigits[byte >> 6];
      quoted += kDigits[(byte >> 3) & 7];
      quoted += kDigits[byte & 7];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string number(uint64_t value) { return std::to_string(value); }

std::string byte_of(const TableRow::At& at) {
  return "kiln_at_" + at.file->id + " + " + number(at.site->number);
}

std::string row_source(const TableRow& row, size_t index) {
  const Site& site = *row.sites[0].site;
  Span whole = site.whole();
  LineColumn begin = line_column(row.file->text, whole.begin);
  LineColumn end = line_column(row.file->text, whole.end);
  std::string also = row.sites.size() > 1 ? "kAlso" + number(index) : "{}";
  std::string text =
      "  {" + byte_of(row.sites[0]) + ", " + number(row.variant + 1) + ", MutantKind::" + row.kind;
  text += site.variants[row.variant].compared ? ", true" : ", false";
  text += row.judged ? ", true" : ", false";
  for (uint32_t place : {begin.line, begin.column, end.line, end.column}) {
    text += ", " + number(place);
  }
  for (const std::string& words :
       {row.file->path, site.function, row.oper, row.original, row.replacement}) {
    text += ", " + literal(words);
  }
  return text + ", " + also + "},\n";
}

struct UnmadeRow {
  const SourceFile* file;
  const Unmade* unmade;
};

std::vector<UnmadeRow> unmade_rows(const Rewritten& rewritten) {
  std::vector<UnmadeRow> rows;
  for (const auto& [path, file] : rewritten.files) {
    size_t first = rows.size();
    for (const Unmade& unmade : file.unmade) {
      rows.push_back({&file, &unmade});
    }
    auto key = [](const UnmadeRow& row) {
      const Unmade& place = *row.unmade;
      return std::tie(place.span.begin, place.oper, place.span.end, place.reason);
    };
    std::sort(rows.begin() + static_cast<ptrdiff_t>(first), rows.end(),
              [&](const UnmadeRow& a, const UnmadeRow& b) { return key(a) < key(b); });
  }
  return rows;
}

std::string unmade_source(const UnmadeRow& row) {
  LineColumn at = line_column(row.file->text, row.unmade->span.begin);
  std::string text = "  {" + number(at.line) + ", " + number(at.column);
  for (const std::string& words :
       {row.file->path, row.unmade->oper, shown_original(*row.file, row.unmade->span),
        row.unmade->reason}) {
    text += ", " + literal(words);
  }
  return text + "},\n";
}

std::string named_source(const TableRow& row, size_t index, const std::vector<Patch>& patches) {
  const Patch& patch = patches[static_cast<size_t>(row.sites[0].site->named)];
  return "  {" + number(index) + ", " + literal(patch.name) + ", " + literal(patch.kind) + ", " +
         literal(patch.target) + ", " + number(patch.within) + ", " + literal(patch.was) + "},\n";
}

/// "constexpr T name[] = {...};" and the expression for a span of it; an empty array is none.
std::string array_source(const std::string& type, const std::string& name,
                         const std::string& rows) {
  return rows.empty() ? "" : "constexpr " + type + " " + name + "[] = {\n" + rows + "};\n";
}

nlohmann::ordered_json json_row(const TableRow& row, size_t index) {
  const Site& site = *row.sites[0].site;
  LineColumn begin = line_column(row.file->text, site.whole().begin);
  LineColumn end = line_column(row.file->text, site.whole().end);
  nlohmann::ordered_json edits = nlohmann::ordered_json::array();
  for (const TableRow::At& at : row.sites) {
    edits.push_back({{"path", at.file->path},
                     {"begin", at.site->whole().begin},
                     {"end", at.site->whole().end},
                     {"text", plain_variant(*at.file, *at.site, row.variant)}});
  }
  return {{"number", index},          {"kind", row.kind.substr(1)},     {"path", row.file->path},
          {"line", begin.line},       {"column", begin.column},         {"end_line", end.line},
          {"end_column", end.column}, {"function", site.function},      {"operator", row.oper},
          {"original", row.original}, {"replacement", row.replacement}, {"edits", edits}};
}

} // namespace

std::vector<TableRow> table_rows(const Rewritten& rewritten, const std::vector<Patch>& patches,
                                 const Subject& subject) {
  std::vector<TableRow> rows;
  std::vector<TableRow> named(patches.size());
  for (const auto& [path, file] : rewritten.files) {
    size_t first = rows.size();
    for (const Site& site : file.sites) {
      if (site.shape == Shape::kNamed) {
        TableRow& row = named[static_cast<size_t>(site.named)];
        if (row.sites.empty()) {
          row = row_of(file, site, 0, true);
          row.kind = "kNamed";
        } else {
          row.sites.push_back({&file, &site});
        }
        continue;
      }
      for (size_t variant = 0; variant < site.variants.size(); ++variant) {
        auto oper = subject.operators.find(site.variants[variant].oper);
        rows.push_back(row_of(file, site, variant, oper->second.judged));
      }
    }
    auto key = [](const TableRow& row) {
      const Site& site = *row.sites[0].site;
      return std::make_tuple(site.whole().begin, row.oper, site.number, row.variant);
    };
    std::sort(rows.begin() + static_cast<ptrdiff_t>(first), rows.end(),
              [&](const TableRow& a, const TableRow& b) { return key(a) < key(b); });
  }
  for (TableRow& row : named) {
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string table_source(const Rewritten& rewritten, const std::vector<TableRow>& rows,
                         const std::vector<Patch>& patches) {
  std::string also;
  std::string mutants;
  std::string unmade;
  std::string named;
  for (size_t i = 0; i < rows.size(); ++i) {
    mutants += row_source(rows[i], i);
    if (rows[i].kind == "kNamed") named += named_source(rows[i], i, patches);
    if (rows[i].sites.size() == 1) continue;
    std::string bytes;
    for (size_t s = 1; s < rows[i].sites.size(); ++s) {
      bytes += "  " + byte_of(rows[i].sites[s]) + ",\n";
    }
    also += array_source("uint8_t*", "kAlso" + number(i), bytes);
  }
  for (const UnmadeRow& row : unmade_rows(rewritten)) {
    unmade += unmade_source(row);
  }
  std::string text = "// Written by kiln-mutator.\n\n#include \"kiln_mutants.h\"\n"
                     "#include \"sim/mutants.h\"\n\nnamespace {\n\nusing namespace kiln::sim;\n\n";
  text += also + array_source("Mutant", "kMutants", mutants) +
          array_source("UnmadeMutant", "kUnmade", unmade) +
          array_source("NamedMutant", "kNamed", named);
  text += "\n} // namespace\n\nextern \"C\" const MutantTable kiln_mutant_table = {";
  text += mutants.empty() ? "{}, " : "kMutants, ";
  text += unmade.empty() ? "{}, " : "kUnmade, ";
  text += named.empty() ? "{}};\n" : "kNamed};\n";
  return text;
}

std::string table_json(const Rewritten& rewritten, const std::vector<TableRow>& rows,
                       const std::vector<Patch>& patches) {
  nlohmann::ordered_json mutants = nlohmann::ordered_json::array();
  nlohmann::ordered_json unmade = nlohmann::ordered_json::array();
  nlohmann::ordered_json named = nlohmann::ordered_json::array();
  for (size_t i = 0; i < rows.size(); ++i) {
    mutants.push_back(json_row(rows[i], i));
    if (rows[i].kind != "kNamed") continue;
    const Patch& patch = patches[static_cast<size_t>(rows[i].sites[0].site->named)];
    named.push_back({{"number", i},
                     {"name", patch.name},
                     {"kind", patch.kind},
                     {"target", patch.target},
                     {"within", patch.within},
                     {"was", patch.was}});
  }
  for (const UnmadeRow& row : unmade_rows(rewritten)) {
    LineColumn at = line_column(row.file->text, row.unmade->span.begin);
    unmade.push_back({{"path", row.file->path},
                      {"line", at.line},
                      {"column", at.column},
                      {"operator", row.unmade->oper},
                      {"original", shown_original(*row.file, row.unmade->span)},
                      {"reason", row.unmade->reason}});
  }
  nlohmann::ordered_json all{
      {"mutants", std::move(mutants)}, {"unmade", std::move(unmade)}, {"named", std::move(named)}};
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace kiln::mutants
