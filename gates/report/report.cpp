#include "gates/report/report.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "gates/report/report_stack.h"
#include "gates/report/schedule.h"
#include "gates/report/source_excerpt.h"
#include "gates/support/printable.h"
#include "gates/support/style.h"

namespace kiln::gates {
namespace {

constexpr const char* kContexts[] = {"task context", "a soft IRQ", "an interrupt", "an NMI"};
constexpr size_t kTailShown = 40;
constexpr size_t kShortFrames = 6;
constexpr size_t kShortSteps = 8;

std::string plural(uint64_t n, std::string_view thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

const char* target_name(const Found& found) {
  return found.target != nullptr ? found.target->info().name : "?";
}

/// "task 'writer' on cpu1, in task context, at 1.204 us (scheduling point 37)".
std::string who(const sim::Finding& finding) {
  if (finding.task[0] == 0) return "";
  const char* context = finding.context < std::size(kContexts) ? kContexts[finding.context] : "?";
  return fmt::format("task '{}' on cpu{}, in {}, at {} (scheduling point {})", finding.task,
                     finding.cpu, context, sim::describe_time(finding.clock_ns), finding.point);
}

std::string input_words(const Found& found) {
  std::string size = plural(found.tape.size(), "byte");
  std::string shrunk = found.shrunk ? ", shrunk" : "";
  std::string name = target_name(found);
  switch (found.origin) {
  case Origin::kSeed:
    return fmt::format("{}, seed {}, iteration {}; a tape of {}{}", name, found.seed,
                       found.iteration, size, shrunk);
  case Origin::kTape:
    return fmt::format("{}, a tape of {}{}", name, size, shrunk);
  case Origin::kFeed:
    return fmt::format("{}, fed with '{}'", name, printable(found.feed_name));
  case Origin::kGate:
    break;
  }
  return fmt::format("{}, all inputs of the run", name);
}

std::string confirmation(const Found& found) {
  if (found.attempts == 0) return "";
  std::string words =
      fmt::format("{} of {} runs in a fresh process", found.reproduced, found.attempts);
  if (!found.tape_exact) {
    words += "; the process died before it had written its schedule down, so the tape may lead "
             "elsewhere";
  }
  return words;
}

class Writer {
 public:
  Writer(const Found& found, const Identity& identity, Symbolizer& symbolizer,
         const ReportContext& context)
      : found_(found), finding_(found.finding), identity_(identity), symbolizer_(symbolizer),
        context_(context), style_(context.colour) {}

  std::string long_form() {
    headline();
    facts();
    excerpt();
    own_stack(SIZE_MAX);
    other_stack(SIZE_MAX);
    held_locks();
    other_tasks();
    exhibits();
    schedule(SIZE_MAX);
    tail();
    sanitizer();
    what_now();
    return std::move(out_);
  }

  std::string short_form() {
    headline();
    fact("place", place());
    fact("who", who(finding_));
    fact("input", input_words(found_));
    excerpt();
    own_stack(kShortFrames);
    other_stack(kShortFrames);
    other_tasks_in_a_line();
    schedule(kShortSteps);
    out_ += "\n";
    fact("all of it", printable(context_.report_file));
    fact("replay", replay_command(found_, context_));
    return std::move(out_);
  }

 private:
  void fact(std::string_view name, const std::string& value) {
    if (!value.empty())
      out_ += fmt::format("  {} {}\n", style_.dim(fmt::format("{:<9}", name)), value);
  }
  void title(std::string_view words) { out_ += fmt::format("\n{}\n", style_.head(words)); }

  std::string place() const {
    std::string where = file_and_line(identity_.place);
    if (where.empty()) return identity_.place.function;
    return fmt::format("{} in {}", where, identity_.place.function);
  }

  void headline() {
    out_ += fmt::format("{} {}\n",
                        style_.bad(fmt::format("FINDING {}:", sim::rule_name(finding_.rule))),
                        style_.bold(finding_.headline));
  }

  void facts() {
    fact("rule", std::string(sim::rule_text(finding_.rule)));
    fact("place", place());
    fact("who", who(finding_));
    fact("input", input_words(found_));
    fact("confirmed", confirmation(found_));
    if (found_.signal != 0) fact("signal", fmt::format("{}", found_.signal));
    if (found_.digest != 0) fact("digest", fmt::format("{:016x}", found_.digest));
    fact("identity", identity_.text());
  }

  void excerpt() {
    std::string text = source_excerpt(identity_.place.file, identity_.place.line, style_);
    if (!text.empty()) out_ += "\n" + text;
  }

  void own_stack(size_t most) {
    if (finding_.stack.count == 0) return;
    title("Where the rule broke");
    out_ += stack_text(symbolizer_.frames(finding_.stack), style_, 2, most);
  }

  void other_stack(size_t most) {
    if (finding_.has_other == 0) return;
    std::string label = finding_.other_label[0] != 0 ? finding_.other_label : "the other place";
    label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    title(label);
    out_ += stack_text(symbolizer_.frames(finding_.other), style_, 2, most);
  }

  void held_locks() {
    if (finding_.held_count == 0) return;
    title("Locks held then, the newest first");
    for (const sim::HeldLock& held : std::span(finding_.held).first(finding_.held_count)) {
      std::string site = symbolizer_.place(held.site);
      out_ += fmt::format("  '{}'{}\n", held.name, site.empty() ? "" : ", taken in " + site);
    }
  }

  void other_tasks() {
    if (finding_.task_count == 0) return;
    title("The other tasks");
    for (const sim::TaskStack& task : std::span(finding_.tasks).first(finding_.task_count)) {
      std::string cpu = task.cpu == UINT32_MAX ? "" : fmt::format(" (cpu{})", task.cpu);
      out_ += fmt::format("  {}{} {}\n", style_.bold(task.name), cpu, task.state);
      out_ += stack_text(symbolizer_.frames(task.stack), style_, 4);
    }
  }

  void other_tasks_in_a_line() {
    if (finding_.task_count == 0) return;
    title("The other tasks");
    for (const sim::TaskStack& task : std::span(finding_.tasks).first(finding_.task_count)) {
      std::string where;
      for (const Frame& frame : symbolizer_.frames(task.stack)) {
        if (where.empty() && !is_machine(frame)) where = ", " + file_and_line(frame);
      }
      out_ += fmt::format("  {} {}{}\n", style_.bold(task.name), task.state, where);
    }
  }

  void exhibits() {
    for (const sim::ExhibitedText& text : found_.exhibits.texts) {
      title(printable(text.title));
      std::string_view words = text.words;
      while (!words.empty()) {
        const size_t end = std::min(words.find('\n'), words.size());
        out_ += "  " + printable(words.substr(0, end)) + "\n";
        words.remove_prefix(std::min(end + 1, words.size()));
      }
    }
  }

  void schedule(size_t most) {
    if (context_.trace == nullptr || context_.trace->events.empty()) return;
    std::vector<std::string> steps = schedule_steps(*context_.trace, finding_, symbolizer_);
    title(steps.size() > most ? "How it came to it, the last steps" : "How it came to it");
    for (size_t i = steps.size() - std::min(steps.size(), most); i < steps.size(); ++i) {
      out_ += "  " + steps[i] + "\n";
    }
  }

  void tail() {
    const std::vector<std::string>& lines = found_.trace_tail;
    if (lines.empty()) return;
    title("The end of the trace");
    for (size_t i = lines.size() - std::min(lines.size(), kTailShown); i < lines.size(); ++i) {
      out_ += "  " + lines[i] + "\n";
    }
  }

  void sanitizer() {
    if (found_.sanitizer_text.empty()) return;
    title("The sanitizer's own words");
    std::string_view text = found_.sanitizer_text;
    text = text.substr(0, text.find("\nShadow bytes around"));
    out_ += std::string(text) + (text.ends_with('\n') ? "" : "\n");
  }

  /// How to have the tape's blob as a file, where the target takes files.
  std::string artefact_command() const {
    bool takes_files = found_.target != nullptr && found_.target->info().feed != nullptr;
    if (!takes_files || context_.tape_file.empty()) return "";
    return fmt::format("{} artefact {} {} -o FILE", context_.program, target_name(found_),
                       context_.tape_file);
  }

  /// How to have the disk's image, where it is not among the files.
  std::string image_command() const {
    const auto& files = found_.exhibits.files;
    const bool has_image = std::any_of(files.begin(), files.end(), [](const auto& file) {
      return file.ending == sim::kDiskImage;
    });
    if (!has_image || !context_.files.empty() || context_.tape_file.empty()) return "";
    return replay_command(found_, context_) + " --disk-image FILE";
  }

  void what_now() {
    title("What now");
    for (const std::string& file : context_.files)
      fact("saved", printable(file));
    std::string command = replay_command(found_, context_);
    fact("replay", command);
    if (found_.origin == Origin::kGate) return;
    fact("debug", command + " --gdb");
    fact("artefact", artefact_command());
    fact("disk", image_command());
    if (!context_.tape_file.empty()) {
      std::string kept = regression_file(found_, identity_);
      fact("keep", fmt::format("install -D {} {}", shell_word(context_.tape_file), kept));
      fact("",
           "(ctest --test-dir build/gate -R Regress replays it: must fail now, pass once mended)");
    }
    fact("silence",
         fmt::format("a line in the file of known findings: {}  <reason>", identity_.text()));
  }

  const Found& found_;
  const sim::Finding& finding_;
  const Identity& identity_;
  Symbolizer& symbolizer_;
  const ReportContext& context_;
  Style style_;
  std::string out_;
};

} // namespace

std::string report_long(const Found& found, const Identity& identity, Symbolizer& symbolizer,
                        const ReportContext& context) {
  return Writer(found, identity, symbolizer, context).long_form();
}

std::string report_short(const Found& found, const Identity& identity, Symbolizer& symbolizer,
                         const ReportContext& context) {
  return Writer(found, identity, symbolizer, context).short_form();
}

std::string replay_command(const Found& found, const ReportContext& context) {
  const char* name = target_name(found);
  if (found.origin == Origin::kGate) return fmt::format("{} {}", context.program, name);
  if (found.origin == Origin::kFeed) {
    return fmt::format("{} feed {} {}", context.program, name, shell_word(found.feed_name));
  }
  if (!context.tape_file.empty()) {
    return fmt::format("{} --replay {} {}", context.program, name, shell_word(context.tape_file));
  }
  return fmt::format("{} {} --only {}:{}", context.program, name, found.seed, found.iteration);
}

std::string regression_file(const Found& found, const Identity& identity) {
  std::string stem = file_stem(target_name(found), identity)
                         .substr(std::string_view(target_name(found)).size() + 1);
  bool is_feed = found.origin == Origin::kFeed;
  return fmt::format("tests/regress/{}/{}.{}", target_name(found), stem, is_feed ? "bin" : "hex");
}

} // namespace kiln::gates
