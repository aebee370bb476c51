// bundle: what a finding's bundle holds, how this build differs, and whether it still shows.

#include "gates/desk/bundle.h"

#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/desk/saved_findings.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/printable.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

std::string describe_bundle(const Bundle& b) {
  std::string out = fmt::format(
      "bundle {} of {}, found {}\n  {}: {}\n  {}\n  commit {}{}, flavour {}, {}\n"
      "  seed {}, iteration {}, digest {}; reproduced {} of {}\n  input: {} bytes{}, sha256 {}\n",
      printable(b.id), printable(b.target.harness), printable(b.found_at),
      printable(b.observed.kind), printable(b.observed.headline), printable(b.observed.identity),
      b.target.commit.empty() ? "unknown" : printable(b.target.commit),
      b.target.edited ? " (edited)" : "", printable(b.environment.flavour),
      printable(b.environment.compiler), b.runtime.seed, b.runtime.iteration,
      printable(b.observed.digest), b.observed.reproduced, b.observed.attempts, b.input.bytes,
      b.input.shrunk ? ", shrunk" : "", b.input.sha256);
  for (const std::string& frame : b.observed.top_frames)
    out += "    " + printable(frame) + "\n";
  return out;
}

// What is not as it was; "" when all is.
std::string differences(const Bundle& b, uint64_t generation) {
  std::string out;
  auto compare = [&](const char* what, const std::string& then, const std::string& now) {
    if (then != now) out += fmt::format("  {}: then {}, now {}\n", what, printable(then), now);
  };
  compare("commit", b.target.commit, build_facts().commit);
  compare("flavour", b.environment.flavour, build_facts().flavour);
  compare("compiler", b.environment.compiler, build_facts().compiler);
  compare("machine", b.environment.generation, fmt::format("{:016x}", generation));
  return out;
}

std::string verdict(const Rerun& rerun) {
  switch (rerun.still) {
  case Still::kShows:
  case Still::kShowsOther:
    return fmt::format("Here it {}. Now: {}", still_text(rerun.still), printable(rerun.said));
  case Still::kGone:
    return "Here it is gone.";
  default:
    return fmt::format("It cannot be run again here: {}.", printable(rerun.said));
  }
}

} // namespace

ExitCode command_bundle(const Settings& settings) {
  std::string error;
  std::optional<Bundle> bundle = read_bundle(settings.arguments[0], &error);
  if (!bundle.has_value()) return refuse(error);
  watch_for_interrupts();
  print_block(describe_bundle(*bundle));
  Pool pool = make_pool(settings);
  Lab lab(pool);
  Symbolizer symbolizer;
  Rerun rerun = run_again(*bundle, lab, symbolizer);
  std::string changed = differences(*bundle, pool.booted().generation);
  if (!changed.empty()) print_block("What is not as it was:\n" + changed);
  print_block(verdict(rerun));
  switch (rerun.still) {
  case Still::kShows:
  case Still::kShowsOther:
    return ExitCode::kFinding;
  case Still::kGone:
    return ExitCode::kNothing;
  case Still::kNoTarget:
  case Still::kNoInput:
    return ExitCode::kUsage;
  case Still::kFailed:
    break;
  }
  return ExitCode::kInconclusive;
}

} // namespace kiln::gates
