// shrink: a failing input, made small, with the files of a finding.

#include "gates/cli/commands.h"
#include "gates/desk/confirm.h"
#include "gates/desk/finding_desk.h"
#include "gates/run/one.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"

namespace kiln::gates {

ExitCode command_shrink(const Settings& settings) {
  std::string error;
  SingleJob job;
  if (!named_input(settings, &job, &error) || !prepare_out_folder(settings, &error)) {
    return refuse(error);
  }
  watch_for_interrupts();
  Pool pool = make_pool(settings);
  FindingDesk desk(settings, pool, KnownFindings());
  LabResult result = Lab(pool).run_alone(job);
  if (result.failed) return fail_runner(result.trouble);
  if (!result.done.found) {
    print_block("This input shows no finding: there is nothing to shrink.");
    return ExitCode::kNothing;
  }
  desk.take(found_of(job, result));
  for (const std::string& trouble : desk.trouble())
    complain(trouble);
  return result.done.finding.rule == sim::Rule::kHang ? ExitCode::kHang : ExitCode::kFinding;
}

} // namespace kiln::gates
