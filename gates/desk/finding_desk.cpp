#include "gates/desk/finding_desk.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <unistd.h>

#include "gates/desk/bundle.h"
#include "gates/desk/lab_judge.h"
#include "gates/desk/save.h"
#include "gates/report/report.h"
#include "gates/support/environment.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"
#include "gates/support/style.h"

namespace kiln::gates {

namespace {

constexpr ShrinkBudget kShrinkBudget{20'000, std::chrono::seconds{20}};

unsigned confirm_runs(const Found& found) {
  if (found.origin == Origin::kGate) return 0;
  return found.finding.rule == sim::Rule::kHang ? kConfirmHangRuns : kConfirmRuns;
}

// No way out of the worker: one of the two fences about it is up.
bool egress_denied(const std::vector<Fence>& fences) {
  return std::any_of(fences.begin(), fences.end(), [](const Fence& fence) {
    return fence.up && (fence.name.find("network") != std::string::npos ||
                        fence.name.find("sockets") != std::string::npos);
  });
}

BundleContext bundle_context(const Found& found, const std::string& stem, const Booted& booted) {
  BundleContext context;
  context.found_at = std::time(nullptr);
  context.input_file = stem + ".hex";
  for (const sim::ExhibitedFile& file : found.exhibits.files) {
    context.shown_files.push_back(shown_file(stem, file));
  }
  context.environment = worker_environment();
  context.arguments = program_arguments();
  context.aslr = address_randomisation();
  context.egress_denied = egress_denied(booted.fences);
  return context;
}

} // namespace

FindingLine line_of(const Found& found, const Identity& identity) {
  FindingLine line;
  line.identity = identity.short_hash();
  line.rule = sim::rule_name(found.finding.rule);
  line.headline = found.finding.headline;
  line.place = identity.where;
  line.iteration = found.iteration;
  line.reproduced = found.reproduced;
  line.attempts = found.attempts;
  line.hang = found.finding.rule == sim::Rule::kHang;
  return line;
}

FindingDesk::FindingDesk(const Settings& settings, Pool& pool, KnownFindings known)
    : settings_(settings), lab_(pool), known_(std::move(known)), pool_(pool) {}

bool FindingDesk::is_silenced(const sim::Finding& finding) {
  return known_.reason(identify(finding, symbolizer_)) != nullptr;
}

bool FindingDesk::seen_before(const sim::Target* target, const std::string& identity,
                              uint64_t key) {
  for (Entry& entry : entries_) {
    if (entry.target == target && entry.identity == identity) {
      entry.keys.push_back(key);
      return true;
    }
  }
  return false;
}

void FindingDesk::take(Found found) {
  Identity identity = identify(found.finding, symbolizer_);
  std::string text = identity.text();
  if (seen_before(found.target, text, found.key)) return;
  FindingLine line = deal_with(found, identity);
  entries_.push_back({found.target, text, std::move(line), {found.key}});
}

FindingLine FindingDesk::deal_with(Found& found, const Identity& identity) {
  if (const std::string* reason = known_.reason(identity)) {
    FindingLine line = line_of(found, identity);
    line.silenced = *reason;
    return line;
  }
  TraceLog trace;
  std::string trouble;
  auto same = same_as(identity);
  bool runnable = found.origin != Origin::kGate;
  bool works = !runnable || (confirm(lab_, found, confirm_runs(found), same, &trouble) &&
                             record(lab_, found, same, &trace, &trouble));
  found.generation = pool_.booted().generation;
  if (!works) trouble_.push_back("A finding could not be confirmed. " + trouble);
  if (works && settings_.shrink && found.reproduced > 0) shrink_tape(found, identity, trace);
  return save_and_print(found, identity, trace);
}

std::function<bool(const sim::Finding&)> FindingDesk::same_as(const Identity& identity) {
  return [this, text = identity.text()](const sim::Finding& other) {
    return identify(other, symbolizer_).text() == text;
  };
}

void FindingDesk::shrink_tape(Found& found, const Identity& identity, TraceLog& trace) {
  bool can = found.has_tape && found.tape_exact && !interrupted() &&
             found.finding.rule != sim::Rule::kHang;
  if (!can) return;
  auto same = same_as(identity);
  LabJudge judge(lab_, found, same);
  ShrinkResult result = shrink(found.tape, judge, kShrinkBudget);
  if (result.end == ShrinkEnd::kNotReproduced || result.end == ShrinkEnd::kCannotRun) return;
  Found smaller = found;
  smaller.tape = std::move(result.tape);
  smaller.shrunk = true;
  std::string trouble;
  if (record(lab_, smaller, same, &trace, &trouble)) found = std::move(smaller);
}

Bundle FindingDesk::bundle_of(const Found& found, const Identity& identity,
                              const std::string& stem) {
  std::vector<Frame> frames = symbolizer_.frames(identity_stack(found.finding));
  return make_bundle(found, identity, frames, build_facts(),
                     bundle_context(found, stem, pool_.booted()));
}

FindingLine FindingDesk::save_and_print(const Found& found, const Identity& identity,
                                        const TraceLog& trace) {
  std::string stem = file_stem(found.target->info().name, identity);
  std::string folder = settings_.out + "/findings";
  ReportContext context;
  context.trace = &trace;
  if (found.has_tape) context.tape_file = folder + "/" + stem + ".hex";
  for (const char* ending : {".hex", ".json", ".txt"}) {
    context.files.push_back(fmt::format("{}/{}{}", folder, stem, ending));
  }
  context.report_file = context.files.back();
  for (const sim::ExhibitedFile& file : found.exhibits.files) {
    context.files.push_back(folder + "/" + shown_file(stem, file));
  }
  std::string text = report_long(found, identity, symbolizer_, context);
  Bundle bundle = bundle_of(found, identity, stem);
  SavedFiles saved =
      save_finding(folder, stem, found.tape, bundle_to_json(bundle), text, found.exhibits.files);
  if (!saved.tape_saved) context.tape_file.clear();
  context.colour = wants_colour(STDOUT_FILENO);
  print_block("\n" + report_short(found, identity, symbolizer_, context));
  if (std::string trouble = symbolizer_.take_trouble(); !trouble.empty()) complain(trouble);
  if (!saved.trouble.empty()) {
    trouble_.push_back(saved.trouble);
    print_error(lost_tape_text(saved.trouble, found.target->info().name, found.tape));
  }
  FindingLine line = line_of(found, identity);
  line.files = saved.files;
  line.replay = replay_command(found, context);
  return line;
}

std::vector<FindingLine> FindingDesk::lines_of(const sim::Target* target,
                                               const std::map<uint64_t, uint64_t>& seen) const {
  std::vector<FindingLine> lines;
  for (const Entry& entry : entries_) {
    if (entry.target != target) continue;
    FindingLine& line = lines.emplace_back(entry.line);
    uint64_t count = 0;
    for (uint64_t key : entry.keys) {
      if (auto found = seen.find(key); found != seen.end()) count += found->second;
    }
    if (count != 0) line.seen = count;
  }
  return lines;
}

} // namespace kiln::gates
