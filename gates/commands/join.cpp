// join: several tapes, each run alone, and the rules about lock order that they break together.

#include "gates/cli/commands.h"
#include "gates/cli/target_choice.h"
#include "gates/desk/joined_finding.h"
#include "gates/run/one.h"
#include "gates/run/session.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

bool read_tapes(const Settings& settings, std::vector<JoinedTape>* tapes, std::string* error) {
  const std::vector<std::string>& words = settings.arguments;
  if (words.empty() || words.size() % 2 != 0) {
    *error = "'join' takes pairs of a target and a file.";
    return false;
  }
  for (size_t i = 0; i < words.size(); i += 2) {
    JoinedTape tape;
    tape.target = choose_target(words[i], error);
    if (tape.target == nullptr) return false;
    // Not from a seed: the number tells the inputs apart.
    tape.source = {tape.target->info().name, 0, i / 2};
    if (!read_input_file(settings, words[i + 1], &tape.tape, error)) return false;
    tapes->push_back(std::move(tape));
  }
  return true;
}

} // namespace

ExitCode command_join(const Settings& settings) {
  std::string error;
  std::vector<JoinedTape> tapes;
  if (!read_tapes(settings, &tapes, &error)) return refuse(error);
  watch_for_interrupts();
  Pool pool = make_pool(settings);
  Lab lab(pool);
  std::optional<JoinedCycle> cycle = join_tapes(lab, tapes, &error);
  if (!error.empty()) return fail_runner(error);
  if (!cycle.has_value()) {
    print_block("Together these tapes break no rule about lock order.");
    return ExitCode::kNothing;
  }
  print_block("FINDING " + std::string(sim::rule_name(cycle->rule)) + ": " + cycle->headline);
  return ExitCode::kFinding;
}

} // namespace kiln::gates
