// replay: one tape, and what happens.

#include "gates/commands.h"
#include "gates/one.h"
#include "gates/session.h"

namespace kiln::gates {

ExitCode command_replay(const Settings& settings) {
  std::string error;
  SingleJob job;
  if (!named_input(settings, &job, &error)) return refuse(error);
  return run_one(settings, std::move(job));
}

} // namespace kiln::gates
