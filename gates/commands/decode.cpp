// decode: a tape's choices and its schedule, in words.

#include "gates/report/decode.h"

#include "gates/cli/commands.h"
#include "gates/report/decode_schedule.h"
#include "gates/run/one.h"
#include "gates/run/session.h"
#include "gates/support/screen.h"
#include "gates/tape/candidate.h"

namespace kiln::gates {

ExitCode command_decode(const Settings& settings) {
  std::string error;
  SingleJob job;
  if (!named_input(settings, &job, &error)) return refuse(error);
  job.record = true;
  job.judge = false;
  job.trace = true;
  Pool pool = make_pool(settings);
  Lab lab(pool);
  LabResult result = lab.run_alone(job);
  if (result.failed) return fail_runner(result.trouble);
  // A run that ended its process has named nothing: then the bytes are all there is to print.
  const std::vector<uint8_t>& tape = result.died ? job.bytes : result.done.tape;
  DecodeOptions options;
  options.ordinary = settings.all;
  Symbolizer symbolizer;
  std::vector<std::string> schedule =
      decisions_in_words(take_apart(tape).decisions, result.done.trace, symbolizer);
  print_block(decode(tape, result.done.spans, schedule, options));
  if (result.died) complain("The run ended its process; its choices have no names.");
  return ExitCode::kNothing;
}

} // namespace kiln::gates
