#include "gates/worker/input.h"

namespace kiln::gates {

sim::Outcome execute_input(const Input& input, const sim::ExecuteOptions& options,
                           std::string* words) {
  const sim::Target& target = *input.target;
  if (input.origin == Origin::kFeed) {
    std::string unread;
    std::string& out = words != nullptr ? *words : unread;
    out.clear();
    return sim::execute_feed(target, input.name, input.bytes, out, options);
  }
  if (input.origin == Origin::kTape) {
    sim::Tape tape(input.bytes);
    return sim::execute(target, tape, options);
  }
  sim::Tape tape(sim::SeededInput{target.info().name, input.seed, input.iteration,
                                  target.info().longest_tape, target.info().numbered});
  return sim::execute(target, tape, options);
}

} // namespace kiln::gates
