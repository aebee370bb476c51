#pragma once
// The exit codes of kiln and scripts/fuzz.py: part of the interface.

#include <cstdint>

namespace kiln::gates {

enum class ExitCode : uint8_t {
  kNothing = 0,      ///< nothing found
  kFinding = 1,      ///< a finding (also beside a hang)
  kUsage = 2,        ///< bad usage, or it cannot run
  kHang = 3,         ///< hangs, and nothing else
  kInconclusive = 4, ///< the runner itself failed, or was interrupted before it was done
};

constexpr int status_of(ExitCode code) { return static_cast<int>(code); }

/// The one sentence about each, for --help and docs/reference.md.
constexpr const char* exit_code_text(ExitCode code) {
  switch (code) {
  case ExitCode::kNothing:
    return "nothing found";
  case ExitCode::kFinding:
    return "a finding (also beside a hang)";
  case ExitCode::kUsage:
    return "bad usage, or it cannot run";
  case ExitCode::kHang:
    return "a hang, and no other finding";
  case ExitCode::kInconclusive:
    return "inconclusive: the runner itself failed, or was interrupted before it was done";
  }
  return "";
}

} // namespace kiln::gates
