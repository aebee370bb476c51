// Findings of several inputs together: the desk's way with them.

#include <fmt/format.h>

#include "gates/desk/finding_desk.h"
#include "gates/desk/save.h"
#include "gates/report/report.h"
#include "gates/support/atomic_file.h"
#include "gates/support/screen.h"
#include "gates/support/sha256.h"
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
    if (!examine_cycle(lab_, cycle, strategy, settings_.shrink, &joined, &trouble)) {
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

std::string FindingDesk::joined_text(const FindingLine& line, const JoinedFinding& joined,
                                     const JoinedCycle& cycle, const Identity& identity) {
  std::string text =
      fmt::format("FINDING {}: {}\n  identity  {}\n", line.rule, line.headline, identity.text());
  for (const JoinedCycle::Part& part : cycle.parts)
    text += part_line(part);
  for (const JoinedTape& tape : joined.tapes) {
    text += fmt::format("  input     {}, seed {}, iteration {}; a tape of {} bytes\n",
                        tape.target->info().name, tape.source.seed, tape.source.iteration,
                        tape.tape.size());
  }
  return text + fmt::format("  confirmed {}\n  replay    {}\n",
                            joined.reproduced ? "the tapes close the cycle again, each run alone"
                                              : "NOT: the tapes do not close the cycle again",
                            line.replay);
}

void FindingDesk::save_beside(const std::string& path, const std::string& text, FindingLine& line) {
  std::string error;
  if (write_file_atomically(path, text, &error)) {
    line.files.push_back(path);
  } else {
    trouble_.push_back(error);
  }
}

void FindingDesk::save_joined_tapes(const std::vector<JoinedTape>& tapes,
                                    const std::vector<std::string>& names, FindingLine& line) {
  for (size_t i = 0; i < tapes.size(); ++i) {
    size_t before = line.files.size();
    save_beside(names[i], to_hex(tapes[i].tape), line);
    if (line.files.size() != before) continue;
    print_error(lost_tape_text(trouble_.back(), tapes[i].target->info().name, tapes[i].tape));
  }
}

FindingLine FindingDesk::save_joined(const Found& found, const JoinedFinding& joined,
                                     const JoinedCycle& cycle, const Identity& identity) {
  std::string folder = settings_.out + "/findings/";
  std::string stem = file_stem(found.target->info().name, identity);
  Bundle bundle = bundle_of(found, identity, "");
  std::vector<std::string> names;
  for (const JoinedTape& tape : joined.tapes) {
    std::string file = fmt::format("{}-{}.hex", stem, names.size() + 1);
    names.push_back(folder + file);
    bundle.joined.push_back({tape.target->info().name, tape.source.seed, tape.source.iteration,
                             sha256_hex(tape.tape), file, bundle_hex(tape.tape)});
  }
  FindingLine line = line_of(found, identity);
  line.replay = join_command(joined.tapes, names);
  std::string text = joined_text(line, joined, cycle, identity);
  save_joined_tapes(joined.tapes, names, line);
  save_beside(folder + stem + ".json", bundle_to_json(bundle), line);
  save_beside(folder + stem + ".txt", text, line);
  print_block("\n" + text);
  return line;
}

} // namespace kiln::gates
