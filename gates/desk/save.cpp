#include "gates/desk/save.h"

#include <cctype>
#include <fmt/format.h>

#include "gates/support/atomic_file.h"
#include "gates/support/printable.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

SavedFiles save_finding(const std::string& folder, const std::string& stem,
                        std::span<const uint8_t> tape, std::string_view bundle_json,
                        std::string_view report_text, std::span<const sim::ExhibitedFile> shown) {
  SavedFiles saved;
  auto write_to = [&](const std::string& path, std::string_view content) {
    std::string error;
    if (write_file_atomically(path, content, &error)) {
      saved.files.push_back(path);
      return true;
    }
    if (saved.trouble.empty()) saved.trouble = error;
    return false;
  };
  auto write = [&](const char* ending, std::string_view content) {
    return write_to(fmt::format("{}/{}{}", folder, stem, ending), content);
  };
  saved.tape_saved = write(".hex", to_hex(tape));
  write(".json", bundle_json);
  write(".txt", printable_lines(report_text));
  for (const sim::ExhibitedFile& file : shown) {
    write_to(folder + "/" + shown_file(stem, file),
             {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
  }
  return saved;
}

std::string shown_file(const std::string& stem, const sim::ExhibitedFile& file) {
  std::string ending;
  for (char c : file.ending) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
                       (c == '.' && !ending.empty() && ending.back() != '.');
    if (plain) ending += c;
  }
  const bool taken = ending.empty() || ending == "hex" || ending == "json" || ending == "txt";
  return fmt::format("{}.{}{}", stem, taken ? "shown." : "", ending);
}

std::string lost_tape_text(const std::string& trouble, std::string_view target,
                           std::span<const uint8_t> tape) {
  return fmt::format("kiln: {}\nThe tape of {} follows; put it into a file to replay it:\n{}",
                     printable(trouble), target,
                     tape.empty() ? "(the empty tape)\n" : to_hex(tape));
}

} // namespace kiln::gates
