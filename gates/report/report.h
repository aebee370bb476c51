#pragma once
// A finding for people. docs/reading-a-finding.md explains each part.

#include <string>
#include <vector>

#include "gates/finding/found.h"
#include "gates/finding/identity.h"
#include "gates/finding/symbolize.h"
#include "gates/support/front_door.h"

namespace kiln::gates {

struct ReportContext {
  const TraceLog* trace = nullptr; ///< for the schedule in words; may be null
  std::vector<std::string> files;  ///< saved
  std::string report_file;         ///< the one among them that holds the long form
  std::string tape_file;           ///< what a replay reads; "" when it was not saved
  std::string program = front_door();
  bool colour = false;
};

/// Everything: what the .txt file holds and `replay` prints.
std::string report_long(const Found& found, const Identity& identity, Symbolizer& symbolizer,
                        const ReportContext& context);

/// One screen: what a gate prints for each finding.
std::string report_short(const Found& found, const Identity& identity, Symbolizer& symbolizer,
                         const ReportContext& context);

/// The command that makes the finding again.
std::string replay_command(const Found& found, const ReportContext& context);

/// Where its regression test lives: "tests/regress/net/dhcp/1a2b3c4d-118.hex".
std::string regression_file(const Found& found, const Identity& identity);

} // namespace kiln::gates
