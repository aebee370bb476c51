// Findings of several inputs together: the desk's way with them.

#include <fmt/format.h>

#include "gates/desk/finding_desk.h"
#include "gates/desk/save.h"
#include "gates/report/report.h"
#include "gates/support/atomic_file.h"
#include "gates/support/screen.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

void FindingDesk::take_joined(const sim::Target* target, const JoinedCycle& cycle,
                              sim::StrategyKind strategy) {
  Found found;
  found.target = target;
  found.origin = Origin::kGate;
  found.strategy = strategy;
  found.finding = finding_of(cycle);
  if (!cycle.parts.empty()) {
    found.seed = cycle.parts.front().source.seed;
    found.iteration = cycle.parts.front().source.iteration;
  }
  Identity identity = identify(found.finding, symbolizer_);
  if (seen_before(target, identity.text(), 0)) return;
  FindingLine line;
  if (const std::string* reason = known_.reason(identity)) {
    line = line_of(found, identity);
    line.silenced = *reason;
  } else {
    JoinedFinding joined;
    std::string trouble;
    if (!examine_cycle(lab_, cycle, pool_.booted().lock_edges, strategy, settings_.shrink, &joined,
                       &trouble)) {
      trouble_.push_back("A finding of several inputs could not be confirmed. " + trouble);
    }
    found.attempts = 1;
    found.reproduced = joined.reproduced ? 1 : 0;
    found.generation = pool_.booted().generation;
    line = save_joined(found, joined, cycle, identity);
  }
  entries_.push_back({target, identity.text(), std::move(line), {}});
}

// Where one part of a cycle was learned: "'a', then 'b'  kernel-src/fs/x.cpp:12, fs/y 1:7".
std::string FindingDesk::part_line(const JoinedCycle::Part& part) {
  bool pair = sim::is_edge(part.edge.fact);
  std::string what = pair ? fmt::format("'{}', then '{}'", part.edge.from, part.edge.to)
                          : fmt::format("'{}'", part.edge.from);
  std::string place;
  for (const Frame& frame : symbolizer_.at(part.edge.taken_site)) {
    place = fmt::format("{} ({})", file_and_line(frame), frame.function);
    if (!is_plumbing(frame.file, sim::Rule::kLockOrder)) break;
  }
  std::string from =
      part.source.target.empty()
          ? "at boot"
          : fmt::format("{} {}:{}", part.source.target, part.source.seed, part.source.iteration);
  return fmt::format("  taken     {} in {}, {}\n", what, place.empty() ? "?" : place, from);
}

FindingLine FindingDesk::save_joined(const Found& found, const JoinedFinding& joined,
                                     const JoinedCycle& cycle, const Identity& identity) {
  std::string stem = settings_.out + "/findings/" + file_stem(found.target->info().name, identity);
  FindingLine line = line_of(found, identity);
  std::string text =
      fmt::format("FINDING {}: {}\n  identity  {}\n", line.rule, line.headline, identity.text());
  for (const JoinedCycle::Part& part : cycle.parts)
    text += part_line(part);
  for (size_t i = 0; i < joined.tapes.size(); ++i) {
    const JoinedTape& tape = joined.tapes[i];
    std::string file = fmt::format("{}-{}.hex", stem, i + 1);
    std::string error;
    if (write_file_atomically(file, to_hex(tape.tape), &error)) {
      line.files.push_back(file);
    } else {
      trouble_.push_back(error);
      print_error(lost_tape_text(error, tape.target->info().name, tape.tape));
    }
    text += fmt::format("  input     {}, seed {}, iteration {}; a tape of {} bytes\n",
                        tape.target->info().name, tape.source.seed, tape.source.iteration,
                        tape.tape.size());
  }
  line.replay = join_command(joined.tapes, line.files);
  text += fmt::format("  confirmed {}\n  replay    {}\n",
                      joined.reproduced ? "the tapes close the cycle again, each run alone"
                                        : "NOT: the tapes do not close the cycle again",
                      line.replay);
  std::string error;
  if (write_file_atomically(stem + ".txt", text, &error)) {
    line.files.push_back(stem + ".txt");
  } else {
    trouble_.push_back(error);
  }
  print_block("\n" + text);
  return line;
}

} // namespace kiln::gates
