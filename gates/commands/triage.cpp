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
  for (const std::string& file : files) {
    if (interrupted()) break;
    std::optional<Bundle> bundle = read_bundle(file, &error);
    if (!bundle.has_value()) {
      complain(error);
      continue;
    }
    Rerun rerun = run_again(*bundle, lab, symbolizer);
    ++counts[static_cast<unsigned>(rerun.still)];
    print_row(file, *bundle, rerun);
  }
  unsigned shows = counts[static_cast<unsigned>(Still::kShows)];
  unsigned other = counts[static_cast<unsigned>(Still::kShowsOther)];
  unsigned gone = counts[static_cast<unsigned>(Still::kGone)];
  size_t unknown = files.size() - shows - other - gone;
  std::string text =
      fmt::format("{} saved findings: {} still show, {} have become others, {} are gone",
                  files.size(), shows, other, gone);
  if (unknown != 0) text += fmt::format(", {} could not be run", unknown);
  print_block(text + ".");
  if (shows + other > 0) return ExitCode::kFinding;
  return unknown == 0 ? ExitCode::kNothing : ExitCode::kInconclusive;
}

} // namespace kiln::gates
