#include "gates/announce.h"

#include <fmt/format.h>

namespace kiln::gates {

namespace {

std::string stack_lines(const sim::Stack& stack, Symbolizer& symbolizer) {
  std::string out;
  unsigned number = 0;
  for (const Frame& frame : symbolizer.frames(stack)) {
    out += fmt::format("    #{:<2} {} {}\n", number++, frame.function, file_and_line(frame));
  }
  return out;
}

} // namespace

std::string replay_command(const Found& found, const std::string& tape_file) {
  const char* target = found.target->info().name;
  if (found.origin == Origin::kFeed) {
    return fmt::format("scripts/fuzz.py feed {} {}", target, found.feed_name);
  }
  if (!tape_file.empty()) return fmt::format("scripts/fuzz.py replay {} {}", target, tape_file);
  return fmt::format("scripts/fuzz.py {} --only {}:{}", target, found.seed, found.iteration);
}

std::string finding_text(const Found& found, const Identity& identity, Symbolizer& symbolizer,
                         const std::string& tape_file) {
  const sim::Finding& f = found.finding;
  std::string out =
      fmt::format("{}: {}: {}\n", found.target->info().name, sim::rule_name(f.rule), f.headline);
  out +=
      fmt::format("  identity {}\n  seed {}, iteration {}; reproduced {} of {}\n", identity.text(),
                  found.seed, found.iteration, found.reproduced, found.attempts);
  out += stack_lines(f.stack, symbolizer);
  if (f.has_other != 0) {
    out += fmt::format("  {}\n{}", f.other_label, stack_lines(f.other, symbolizer));
  }
  return out + fmt::format("  replay: {}\n", replay_command(found, tape_file));
}

} // namespace kiln::gates
