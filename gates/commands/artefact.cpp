// artefact: what a tape makes of a target, as the file that `feed` takes.

#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/run/one.h"
#include "gates/run/session.h"
#include "gates/support/atomic_file.h"
#include "gates/support/front_door.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

ExitCode no_artefact(const SingleJob& job, const LabResult& result) {
  bool broke = result.died || result.done.found;
  return fail_runner(fmt::format("'{}' names no artefact in this run{}.", job.target->info().name,
                                 broke ? ": it ends in a finding before" : ""));
}

} // namespace

ExitCode command_artefact(const Settings& settings) {
  std::string error;
  SingleJob job;
  if (settings.artefact.empty()) return refuse("Where to? Name the file to write: -o FILE.");
  if (!named_input(settings, &job, &error)) return refuse(error);
  if (job.target->info().feed == nullptr) return refuse(takes_no_artefact(*job.target));
  if (error = input_in_the_way(settings, settings.artefact); !error.empty()) return refuse(error);
  job.artefact = true;
  Pool pool = make_pool(settings);
  LabResult result = Lab(pool).run_alone(job);
  if (result.failed) return fail_runner(result.trouble);
  if (!result.done.has_artefact) return no_artefact(job, result);
  std::string_view bytes(reinterpret_cast<const char*>(result.done.artefact.data()),
                         result.done.artefact.size());
  if (!write_file_atomically(settings.artefact, bytes, &error)) return refuse(error);
  print_block(fmt::format("{}: {} bytes. What the kernel makes of it: {} feed {} {}",
                          settings.artefact, bytes.size(), front_door(), job.target->info().name,
                          settings.artefact));
  return ExitCode::kNothing;
}

} // namespace kiln::gates
