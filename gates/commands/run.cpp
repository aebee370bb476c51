// run: a campaign, until its time or number is up, or until Ctrl-C.

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/many.h"
#include "gates/run/one.h"
#include "gates/run/session.h"

namespace kiln::gates {

ExitCode command_run(const Settings& settings) {
  if (settings.only.has_value()) return run_only(settings);
  std::string error;
  std::vector<const sim::Target*> targets = choose_targets(settings.arguments, &error);
  if (targets.empty()) return refuse(error);
  ManyOptions options;
  options.keep_going = true;
  options.endless = !settings.seconds.has_value() && !settings.iterations.has_value();
  if (options.endless && targets.size() > 1) {
    return refuse("A run without --seconds or --iterations never leaves its first target: name one "
                  "target, or say how long.");
  }
  return run_many(settings, targets, options).exit_code;
}

} // namespace kiln::gates
