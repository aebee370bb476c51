// replay: one tape, and what happens.

#include "gates/cli/commands.h"
#include "gates/mutation/armed_boot.h"
#include "gates/run/one.h"
#include "gates/run/session.h"

namespace kiln::gates {

ExitCode command_replay(const Settings& settings) {
  std::string error;
  SingleJob job;
  BootPlan boot;
  if (!named_input(settings, &job, &error) || !armed_boot(settings, *job.target, &boot, &error)) {
    return refuse(error);
  }
  return run_one(settings, std::move(job), boot);
}

} // namespace kiln::gates
