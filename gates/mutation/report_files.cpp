#include "gates/mutation/report_files.h"

#include <fmt/format.h>

#include "gates/mutation/report_elements.h"
#include "gates/mutation/report_html.h"
#include "gates/mutation/report_matrix.h"
#include "gates/mutation/report_sarif.h"
#include "gates/support/atomic_file.h"
#include "gates/support/read_file.h"
#include "gates/support/subject.h"
#include "gates/tape/hex.h"

namespace kiln::gates {
namespace {

/// Most tapes are those of the last run: what is there already is not brought to the disk again.
bool write_tape(const std::string& path, const std::string& tape, std::string* error) {
  std::string text = tape.ends_with('\n') ? tape : tape + "\n", ignored;
  if (read_file(path, kLargestHexFile, "a tape", &ignored) == text) return true;
  return write_file_atomically(path, text, error);
}

bool write_tapes(const MutationReport& report, const std::string& tapes, std::string* error) {
  for (const MutantResult& result : report.results) {
    if (result.verdict != Verdict::kKilled || result.tape.empty()) continue;
    if (!write_tape(mutant_tape_path(tapes, result.number), result.tape, error)) return false;
  }
  return true;
}

} // namespace

std::string mutant_tape_path(const std::string& tapes, uint32_t number) {
  return fmt::format("{}/mutant-{}.hex", tapes, number);
}

bool write_reports(const MutationReport& report, const sim::MutantTable& table,
                   const std::string& folder, std::string* error) {
  ReportSources sources(subject_tree());
  std::string tapes = folder + "/tapes";
  auto write = [&](const char* name, const std::string& text) {
    return write_file_atomically(folder + "/" + name, text, error);
  };
  return write_tapes(report, tapes, error) &&
         write("mutation.json", mutation_elements_json(report, table, sources)) &&
         write("mutation.html", mutation_html(report, table, sources, tapes)) &&
         write("survivors.sarif", survivors_sarif(report, table, sources)) &&
         write("matrix.json", matrix_json(report, table)) &&
         write("matrix.md", matrix_markdown(report, table));
}

} // namespace kiln::gates
