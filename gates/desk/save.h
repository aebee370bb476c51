#pragma once
// A finding's files: out/findings/<stem>.hex (the tape), .json (the bundle), .txt (the report),
// and those that the target showed (sim/exhibit.h).
// Nothing is lost when they cannot be written: the caller prints what is left over.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exhibit.h"

namespace kiln::gates {

struct SavedFiles {
  std::vector<std::string> files; ///< written: hex, json, txt, and what was shown
  std::string trouble;            ///< one sentence, "" when all was written
  bool tape_saved = false;
};

/// All are tried even when one fails; the first sentence is kept.
SavedFiles save_finding(const std::string& folder, const std::string& stem,
                        std::span<const uint8_t> tape, std::string_view bundle_json,
                        std::string_view report_text,
                        std::span<const sim::ExhibitedFile> shown = {});

/// What a file that a target shows is called: with its ending, as far as it is one.
std::string shown_file(const std::string& stem, const sim::ExhibitedFile& file);

/// What to print to stderr when the tape could not be saved: the sentence, the bytes, and how to
/// make the file by hand.
std::string lost_tape_text(const std::string& trouble, std::string_view target,
                           std::span<const uint8_t> tape);

} // namespace kiln::gates
