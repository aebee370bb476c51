#include "gates/run/one.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "gates/cli/target_choice.h"
#include "gates/desk/bundle.h"
#include "gates/desk/confirm.h"
#include "gates/report/perfetto.h"
#include "gates/report/report.h"
#include "gates/report/task_names.h"
#include "gates/run/session.h"
#include "gates/support/atomic_file.h"
#include "gates/support/interrupt.h"
#include "gates/support/printable.h"
#include "gates/support/screen.h"
#include "gates/support/style.h"
#include "gates/tape/hex.h"
#include "gates/worker/in_process.h"
#include "sim/host_memory.h"

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
  TaskNames names(log);
  std::string text;
  for (const sim::TraceEvent& event : log.events) {
    text += sim::describe(event, names.of(event.task), other_name(names, event)) + "\n";
  }
  print_block(text);
}

LabResult run_where_asked(const Settings& settings, const SingleJob& job, const BootPlan& boot) {
  if (settings.one_process) return run_in_this_process(job, boot);
  watch_for_interrupts();
  Pool pool = make_pool(settings);
  pool.set_boot_plan(boot);
  return Lab(pool).run_alone(job);
}

/// What a target says of an artefact, whose text may hold anything: lines without colours.
std::string plain_lines(std::string_view words) {
  std::string out;
  while (!words.empty()) {
    const size_t end = std::min(words.find('\n'), words.size());
    out += printable(words.substr(0, end)) + "\n";
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

// The run itself, found or not; false when a file could not be written.
bool print_run(const Settings& settings, const LabResult& result) {
  if (settings.trace) print_trace(result.done.trace);
  if (!result.done.words.empty()) print_block(plain_lines(result.done.words));
  if (!result.died) print_block(facts_line(result.done));
  if (settings.perfetto.empty()) return true;
  Symbolizer symbolizer;
  return write_report(settings.perfetto, trace_to_perfetto(result.done.trace, &symbolizer));
}

/// The image of a disk that a finding left, where one is asked for; false when there is none.
bool write_disk_image(const Settings& settings, const LabResult& result) {
  if (settings.disk_image.empty()) return true;
  for (const sim::ExhibitedFile& file : result.done.exhibits.files) {
    if (file.ending != sim::kDiskImage) continue;
    return write_report(settings.disk_image, {file.bytes.begin(), file.bytes.end()});
  }
  complain(result.done.found ? "The target shows no disk image at this finding."
                             : "Nothing found: there is no disk image to write.");
  return false;
}

/// Why a file that is to be written cannot be; "" when it can.
std::string trouble_with(const Settings& settings, const std::string& output) {
  if (output.empty()) return "";
  std::string error = input_in_the_way(settings, output);
  if (error.empty()) can_write_file(output, &error);
  return error;
}

void print_finding(const Settings& settings, const SingleJob& job, const LabResult& result) {
  Symbolizer symbolizer;
  ReportContext context;
  context.trace = &result.done.trace;
  context.colour = wants_colour(STDOUT_FILENO);
  if (job.origin == Origin::kTape) context.tape_file = settings.arguments.back();
  Found found = found_of(job, result);
  Identity identity = identify(found.finding, symbolizer);
  print_block(report_long(found, identity, symbolizer, context));
}

/// A file from outside may be larger than models have memory for; that says nothing of the kernel.
bool is_too_large(const SingleJob& job, const LabResult& result) {
  return job.origin == Origin::kFeed && result.died &&
         result.words.find(sim::kOutOfModelMemory) != std::string::npos;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code not_there;
  return std::filesystem::equivalent(a, b, not_there);
}

} // namespace

std::string input_in_the_way(const Settings& settings, const std::string& output) {
  for (size_t i = 1; i < settings.arguments.size(); ++i) {
    if (is_same_file(settings.arguments[i], output)) {
      return fmt::format("'{}' is an input: name another file to write to.", output);
    }
  }
  return "";
}

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
  found.has_tape =
      job.origin == Origin::kTape || (job.origin == Origin::kSeed && job.record && !result.died);
  found.spans = result.done.spans;
  found.trace_tail = result.done.trace_tail;
  found.exhibits = result.done.exhibits;
  return found;
}

bool read_input_file(const Settings& settings, const std::string& path, std::vector<uint8_t>* tape,
                     std::string* error) {
  if (path.ends_with(".json") && !settings.raw) {
    std::optional<Bundle> bundle = read_bundle(path, error);
    if (!bundle.has_value()) return false;
    if (bundle->runtime.origin == "gate") {
      *error = fmt::format("'{}' is about no single input: 'bundle' says what it holds", path);
      return false;
    }
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

ExitCode run_one(const Settings& settings, SingleJob job, const BootPlan& boot) {
  job.details = true;
  job.record = true;
  job.tail = kTailLines;
  job.trace = true;
  for (const std::string& output : {settings.perfetto, settings.disk_image}) {
    if (std::string error = trouble_with(settings, output); !error.empty()) return refuse(error);
  }
  if (settings.gdb) return fail_runner(become_debugger());
  LabResult result = run_where_asked(settings, job, boot);
  if (result.failed) return fail_runner(result.trouble);
  if (is_too_large(job, result)) {
    return fail_runner(
        fmt::format("'{}' is too large for the models of '{}': feed it a smaller one.", job.name,
                    job.target->info().name));
  }
  bool written = print_run(settings, result);
  if (!write_disk_image(settings, result)) written = false;
  if (!result.done.found) {
    print_block("Nothing found.");
    return written ? ExitCode::kNothing : ExitCode::kInconclusive;
  }
  print_finding(settings, job, result);
  return result.done.finding.rule == sim::Rule::kHang ? ExitCode::kHang : ExitCode::kFinding;
}

} // namespace kiln::gates
