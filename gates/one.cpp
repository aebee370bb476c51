#include "gates/one.h"

#include <fmt/format.h>

#include "gates/announce.h"
#include "gates/bundle.h"
#include "gates/confirm.h"
#include "gates/hex.h"
#include "gates/in_process.h"
#include "gates/interrupt.h"
#include "gates/screen.h"
#include "gates/session.h"
#include "gates/target_choice.h"

namespace kiln::gates {

namespace {

std::string facts_line(const SingleDone& done) {
  return fmt::format(
      "digest {:016x}, {} scheduling points, {} switches, {} allocations, {}.{:09} s "
      "of virtual time\n",
      done.digest, done.points, done.switches, done.allocations, done.clock_ns / 1'000'000'000,
      done.clock_ns % 1'000'000'000);
}

void print_trace(const TraceLog& log) {
  std::string text;
  for (const sim::TraceEvent& event : log.events)
    text += sim::describe(event) + "\n";
  print_block(text);
}

LabResult run_where_asked(const Settings& settings, const SingleJob& job) {
  if (settings.one_process) return run_in_this_process(job);
  watch_for_interrupts();
  Pool pool = make_pool(settings);
  return Lab(pool).run_alone(job);
}

} // namespace

Found found_of(const SingleJob& job, const LabResult& result) {
  Found found;
  found.target = job.target;
  found.origin = job.origin;
  found.seed = job.seed;
  found.iteration = job.iteration;
  found.strategy = job.strategy;
  found.feed_name = job.name;
  found.finding = result.done.finding;
  found.digest = result.done.digest;
  found.sanitizer_text = result.words;
  found.signal = result.signal;
  found.tape = job.origin == Origin::kTape ? job.bytes : result.done.tape;
  found.has_tape = !result.died;
  found.spans = result.done.spans;
  found.trace_tail = result.done.trace_tail;
  return found;
}

bool read_input_file(const Settings& settings, const std::string& path, std::vector<uint8_t>* tape,
                     std::string* error) {
  if (path.ends_with(".json") && !settings.raw) {
    std::optional<Bundle> bundle = read_bundle(path, error);
    if (!bundle.has_value()) return false;
    std::optional<std::vector<uint8_t>> bytes = parse_hex(bundle->input.hex, error);
    if (bytes.has_value()) *tape = std::move(*bytes);
    return bytes.has_value();
  }
  TapeFormat format = settings.raw ? TapeFormat::kRaw : TapeFormat::kHex;
  std::optional<std::vector<uint8_t>> bytes = read_tape_file(path, format, error);
  if (bytes.has_value()) *tape = std::move(*bytes);
  return bytes.has_value();
}

bool named_input(const Settings& settings, SingleJob* job, std::string* error) {
  const std::vector<std::string>& arguments = settings.arguments;
  bool by_seed = settings.only.has_value();
  if (arguments.size() != (by_seed ? 1 : 2)) {
    *error = by_seed ? "--only names an input of one target: name that target, and nothing else."
                     : "Which input? Name a tape file, or give --only SEED:ITERATION.";
    return false;
  }
  job->target = choose_target(arguments[0], error);
  if (job->target == nullptr) return false;
  job->strategy = settings.strategy;
  if (by_seed) {
    job->seed = settings.only->seed;
    job->iteration = settings.only->iteration;
    return true;
  }
  job->origin = Origin::kTape;
  return read_input_file(settings, arguments[1], &job->bytes, error);
}

ExitCode run_only(const Settings& settings) {
  std::string error;
  SingleJob job;
  if (!named_input(settings, &job, &error)) return refuse(error);
  return run_one(settings, std::move(job));
}

ExitCode run_one(const Settings& settings, SingleJob job) {
  job.details = true;
  job.record = true;
  job.tail = kTailLines;
  job.trace = settings.trace || !settings.perfetto.empty();
  if (settings.gdb) return fail_runner(become_debugger());
  LabResult result = run_where_asked(settings, job);
  if (result.failed) return fail_runner(result.trouble);
  if (settings.trace) print_trace(result.done.trace);
  if (!result.done.words.empty()) print_block(result.done.words);
  if (!result.died) print_block(facts_line(result.done));
  if (!result.done.found) {
    print_block("Nothing found.");
    return ExitCode::kNothing;
  }
  Symbolizer symbolizer;
  Found found = found_of(job, result);
  print_block(finding_text(found, identify(found.finding, symbolizer), symbolizer, ""));
  return found.finding.rule == sim::Rule::kHang ? ExitCode::kHang : ExitCode::kFinding;
}

} // namespace kiln::gates
