#include "gates/cli/options.h"

#include "gates/cli/option_values.h"

namespace kiln::gates {

namespace {

using Values = std::vector<std::string>;

constexpr uint32_t kRunsMany = kForGate | kForRun | kForCover;
constexpr uint32_t kRunsOne =
    kForReplay | kForFeed | kForShrink | kForTriage | kForCorpus | kForJoin;
constexpr uint32_t kRunsAny =
    kRunsMany | kRunsOne | kForDecode | kForArtefact | kForBundle | kForBench;

bool apply_number(std::optional<uint64_t>& to, const Values& values, uint64_t low, uint64_t high,
                  std::string* error) {
  uint64_t value = 0;
  if (!parse_number(values[0], low, high, &value, error)) return false;
  to = value;
  return true;
}

bool apply_jobs(Settings& s, const Values& v, std::string* error) {
  uint64_t jobs = 0;
  if (!parse_number(v[0], 1, 1024, &jobs, error)) return false;
  s.jobs = static_cast<unsigned>(jobs);
  return true;
}

bool apply_only(Settings& s, const Values& v, std::string* error) {
  OnlyInput only{};
  if (!parse_only(v[0], &only, error)) return false;
  s.only = only;
  return true;
}

bool apply_replay(Settings& s, const Values& v, std::string* error) {
  if (!s.command.empty() && s.command != "replay") {
    *error = "it is a command of its own and does not go with '" + s.command + "'.";
    return false;
  }
  s.command = "replay";
  s.arguments.insert(s.arguments.begin(), v.begin(), v.end());
  return true;
}

bool apply_nothing(Settings&, const Values&, std::string*) { return true; }

template <bool Settings::* member, bool value = true>
bool apply_switch(Settings& s, const Values&, std::string*) {
  s.*member = value;
  return true;
}

template <std::string Settings::* member>
bool apply_text(Settings& s, const Values& v, std::string* error) {
  if (v[0].empty()) {
    *error = "it must not be empty.";
    return false;
  }
  s.*member = v[0];
  return true;
}

// clang-format off
const Option kOptions[] = {
    // --- Which inputs
    {"--seed", "N", "Inputs",
     "seed of the inputs; the gate's is 1. With a seed of your own it is a campaign",
     kRunsMany, false,
     [](Settings& s, const Values& v, std::string* e) { return apply_number(s.seed, v, 0, UINT64_MAX, e); }},
    {"--iterations", "N", "Inputs", "so many inputs of each target, in place of the tier's",
     kRunsMany, false,
     [](Settings& s, const Values& v, std::string* e) { return apply_number(s.iterations, v, 1, UINT64_MAX - 1, e); }},
    {"--seconds", "S", "Inputs", "so many seconds for each target, in place of a number of inputs",
     kForGate | kForRun, false,
     [](Settings& s, const Values& v, std::string* e) { return apply_number(s.seconds, v, 1, 10'000'000, e); }},
    {"--only", "SEED:ITERATION", "Inputs",
     "this one input of one target, looked at as closely as in a replay",
     kForGate | kForRun | kForShrink | kForDecode | kForArtefact, false, apply_only},
    {"--tier", "TIER", "Inputs",
     "quick (a tenth of the gate), gate, nightly (ten times the gate) or release (a hundred times)",
     kRunsMany, false,
     [](Settings& s, const Values& v, std::string* e) { return parse_tier(v[0], &s.tier, e); }},
    {"--strategy", "NAME", "Inputs",
     "who runs next in seeded inputs: portfolio (drawn for each input), in-order, random-walk, pct",
     kRunsMany | kForMutate | kForShrink | kForDecode | kForArtefact, false,
     [](Settings& s, const Values& v, std::string* e) { return parse_strategy(v[0], &s.strategy, e); }},
    {"--replay", "TARGET FILE", "Inputs", "the same as the command replay", kForGate | kForReplay, false,
     apply_replay},
    {"--raw", "", "Inputs", "tape files are the bytes themselves, not hexadecimal text",
     kForReplay | kForDecode | kForArtefact | kForShrink | kForCorpus | kForJoin | kForGate, false,
     apply_switch<&Settings::raw>},

    // --- How they are run
    {"--jobs", "N", "Running", "worker processes; changes the speed and nothing else (default: one a processor)",
     kRunsMany | kForMutate | kForCorpus | kForBench, false, apply_jobs},
    {"--isolate", "HOW", "Running",
     "process (many inputs a process, the machine reset in between) or fork (a process each: the slow reference)",
     kRunsMany, false,
     [](Settings& s, const Values& v, std::string* e) { return parse_isolate(v[0], &s.isolate, e); }},
    {"--timeout", "S", "Running", "seconds of wall clock that one input may take (default: 10)", kRunsAny, false,
     [](Settings& s, const Values& v, std::string* e) { return parse_number(v[0], 1, 100'000, &s.timeout_s, e); }},
    {"--memory", "MB", "Running", "resident memory that one worker may have (default: 2048)",
     kRunsAny | kForMutate, false,
     [](Settings& s, const Values& v, std::string* e) { return parse_number(v[0], 64, 1'000'000, &s.memory_mb, e); }},
    {"--keep-going", "", "Running", "go on after a target's first finding; each finding is reported once",
     kRunsMany, false, apply_switch<&Settings::keep_going>},
    {"--no-shrink", "", "Running", "leave the tapes of findings as they were found", kRunsMany, false,
     apply_switch<&Settings::shrink, false>},
    {"--aslr", "", "Running", "leave the host's address randomisation on", kRunsAny, false,
     apply_switch<&Settings::aslr>},
    {"--no-fork", "", "Running", "run the input in this very process, without fences: for debuggers",
     kForReplay | kForFeed | kForGate, false, apply_switch<&Settings::one_process>},
    {"--gdb", "", "Running", "run the input under gdb, stopped where a rule breaks",
     kForReplay | kForFeed | kForGate, false, apply_switch<&Settings::gdb>},

    // --- Mutants
    {"--operators", "NAMES", "Mutants", "only mutants of these operators, separated by commas", kForMutate, false,
     apply_text<&Settings::operators>},
    {"--since", "REV", "Mutants", "only mutants on lines that changed since this revision (git)", kForMutate, false,
     apply_text<&Settings::since>},
    {"--budget", "N", "Mutants", "inputs of each target that a mutant may take (default: 20000)", kForMutate, false,
     [](Settings& s, const Values& v, std::string* e) { return apply_number(s.budget, v, 1, 100'000'000, e); }},
    {"--threshold", "P", "Mutants", "percent of the mutants that must be found (default: 95)", kForMutate, false,
     [](Settings& s, const Values& v, std::string* e) { return parse_number(v[0], 0, 100, &s.threshold, e); }},
    {"--mutant", "N", "Mutants", "this one mutant, by its number: `mutate` looks at it, `replay` runs the input with it",
     kForMutate | kForReplay | kForGate, false,
     [](Settings& s, const Values& v, std::string* e) { return apply_number(s.mutant, v, 0, UINT32_MAX, e); }},
    {"--named", "", "Mutants", "the catalogue's mutants: each must be found by its target within its inputs",
     kForMutate, false, apply_switch<&Settings::named>},
    {"--harness", "", "Mutants", "afterwards: which of the kills need which oracle, rule and strategy",
     kForMutate, false, apply_switch<&Settings::harness>},
    {"--matrix", "", "Mutants", "afterwards: every mutant with every target and strategy, for matrix.json",
     kForMutate, false, apply_switch<&Settings::matrix>},

    // --- Findings
    {"--out", "DIR", "Findings", "folder for findings and reports (default: out)", kForEvery, false,
     apply_text<&Settings::out>},
    {"-o", "FILE", "Findings", "the file to write", kForArtefact, false, apply_text<&Settings::artefact>},
    {"--known", "FILE", "Findings", "findings to stay silent about: one identity a line, with the reason",
     kRunsMany, false, apply_text<&Settings::known>},

    // --- What is printed
    {"--trace", "", "Output", "print every event of the run, not only the tail",
     kForReplay | kForFeed | kForGate, false, apply_switch<&Settings::trace>},
    {"--perfetto", "FILE", "Output", "write the run's events for ui.perfetto.dev",
     kForReplay | kForFeed | kForGate, false, apply_text<&Settings::perfetto>},
    {"--disk-image", "FILE", "Output", "write the image of the disk as the finding leaves it, if the target has one",
     kForReplay | kForFeed | kForGate, false, apply_text<&Settings::disk_image>},
    {"--json", "FILE", "Output", "write the summary as JSON", kRunsMany | kForBench | kForList, false,
     apply_text<&Settings::json>},
    {"--junit", "FILE", "Output", "write the summary as JUnit XML", kRunsMany, false,
     apply_text<&Settings::junit>},
    {"--all", "", "Output", "also what is left out by default (canaries; choices that are the ordinary one)",
     kForList | kForDecode | kForMutate, false, apply_switch<&Settings::all>},
    {"--parser", "", "Output", "a target for a parser: a generator that lies, a second reader, feed",
     kForNewTarget, false, apply_switch<&Settings::parser>},
    {"--plain", "", "Output", "no live line, even on a terminal", kRunsMany | kForMutate, false, apply_switch<&Settings::plain>},
    {"--help", "", "Output", "print this, or the help of a command", kForEvery, false, apply_switch<&Settings::help>},

    // --- scripts/fuzz.py
    {"--flavour", "NAME", "Building", "the build to use: gate (default), fast, cover, mutants or mutants-harness", kForEvery, true,
     apply_nothing},
    {"--kernel", "NAME", "Building", "the kernel to use: clay (default), or one that kiln_add_kernel adds",
     kForEvery, true, apply_nothing},
    {"--no-build", "", "Building", "use the build as it is", kForEvery, true, apply_nothing},
};
// clang-format on

} // namespace

std::span<const Option> options() { return kOptions; }

unsigned value_count(const Option& option) {
  std::string_view values = option.values;
  if (values.empty()) return 0;
  unsigned count = 1;
  for (char c : values)
    count += c == ' ' ? 1 : 0;
  return count;
}

uint64_t seed_of(const Settings& settings) { return settings.seed.value_or(1); }

bool is_campaign(const Settings& settings) {
  return settings.seed.has_value() || settings.iterations.has_value() ||
         settings.seconds.has_value();
}

} // namespace kiln::gates
