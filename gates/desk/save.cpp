#include "gates/desk/save.h"

#include <fmt/format.h>

#include "gates/support/atomic_file.h"
#include "gates/support/printable.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

SavedFiles save_finding(const std::string& folder, const std::string& stem,
                        std::span<const uint8_t> tape, std::string_view bundle_json,
                        std::string_view report_text) {
  SavedFiles saved;
  auto write = [&](const char* ending, std::string_view content) {
    std::string path = fmt::format("{}/{}{}", folder, stem, ending);
    std::string error;
    if (write_file_atomically(path, content, &error)) {
      saved.files.push_back(path);
      return true;
    }
    if (saved.trouble.empty()) saved.trouble = error;
    return false;
  };
  saved.tape_saved = write(".hex", to_hex(tape));
  write(".json", bundle_json);
  write(".txt", printable_lines(report_text));
  return saved;
}

std::string lost_tape_text(const std::string& trouble, std::string_view target,
                           std::span<const uint8_t> tape) {
  return fmt::format("kiln: {}\nThe tape of {} follows; put it into a file to replay it:\n{}",
                     printable(trouble), target,
                     tape.empty() ? "(the empty tape)\n" : to_hex(tape));
}

} // namespace kiln::gates
