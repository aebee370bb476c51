// triage: all saved findings, run again.

#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/desk/saved_findings.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/printable.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

void print_row(const std::string& file, const Bundle& bundle, const Rerun& rerun) {
  std::string digest = rerun.still == Still::kShows && rerun.same_digest ? " (the same run)" : "";
  std::string text = fmt::format("{}\n  {}{}: {}\n", printable(file), still_text(rerun.still),
                                 digest, printable(bundle.observed.identity));
  if (rerun.still != Still::kShows && !rerun.said.empty()) {
    text += fmt::format("  now: {}\n", printable(rerun.said));
  }
  print_block(text);
}

} // namespace

ExitCode command_triage(const Settings& settings) {
  std::string folder =
      settings.arguments.empty() ? settings.out + "/findings" : settings.arguments[0];
  std::vector<std::string> files;
  std::string error;
  if (!list_bundles(folder, &files, &error)) return refuse(error);
  watch_for_interrupts();
  Pool pool = make_pool(settings);
  Lab lab(pool);
  Symbolizer symbolizer;
  unsigned counts[static_cast<unsigned>(Still::kFailed) + 1] = {};
  bool unreadable = false;
  for (const std::string& file : files) {
    if (interrupted()) break;
    std::optional<Bundle> bundle = read_bundle(file, &error);
    if (!bundle.has_value()) {
      complain(error);
      unreadable = true;
      continue;
    }
    Rerun rerun = run_again(*bundle, lab, symbolizer);
    ++counts[static_cast<unsigned>(rerun.still)];
    print_row(file, *bundle, rerun);
  }
  unsigned shows = counts[static_cast<unsigned>(Still::kShows)];
  unsigned other = counts[static_cast<unsigned>(Still::kShowsOther)];
  unsigned failed = counts[static_cast<unsigned>(Still::kFailed)];
  print_block(fmt::format("{} saved findings: {} still show, {} have become others, {} are gone.",
                          files.size(), shows, other, counts[static_cast<unsigned>(Still::kGone)]));
  if (shows + other > 0) return ExitCode::kFinding;
  bool whole = !unreadable && failed == 0 && !interrupted();
  return whole ? ExitCode::kNothing : ExitCode::kInconclusive;
}

} // namespace kiln::gates
