// gate: a fixed number of inputs of every target, the same every time. With a seed, a time or a
// number of inputs of the user's own it is a campaign that stops at findings.

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/many.h"
#include "gates/run/one.h"
#include "gates/run/session.h"

namespace kiln::gates {

ExitCode command_gate(const Settings& settings) {
  if (settings.only.has_value() || settings.mutant.has_value()) return command_replay(settings);
  std::string error;
  std::vector<const sim::Target*> targets = choose_targets(settings.arguments, &error);
  if (targets.empty()) return refuse(error.empty() ? "This program has no targets." : error);
  ManyOptions options;
  options.keep_going = settings.keep_going;
  options.judge_probes = !is_campaign(settings) && settings.tier != Tier::kQuick;
  return run_many(settings, targets, options).exit_code;
}

} // namespace kiln::gates
