#pragma once
// A finding's files: out/findings/<stem>.hex (the tape), .json (the bundle), .txt (the report).
// Nothing is lost when they cannot be written: the caller prints what is left over.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::gates {

struct SavedFiles {
  std::vector<std::string> files; ///< written, in the order hex, json, txt
  std::string trouble;            ///< one sentence, "" when all was written
  bool tape_saved = false;
};

/// All three are tried even when one fails; the first sentence is kept.
SavedFiles save_finding(const std::string& folder, const std::string& stem,
                        std::span<const uint8_t> tape, std::string_view bundle_json,
                        std::string_view report_text);

/// What to print to stderr when the tape could not be saved: the sentence, the bytes, and how to
/// make the file by hand.
std::string lost_tape_text(const std::string& trouble, std::string_view target,
                           std::span<const uint8_t> tape);

} // namespace kiln::gates
