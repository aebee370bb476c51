#include "gates/desk/lab_judge.h"

#include "gates/desk/confirm.h"
#include "gates/support/interrupt.h"

namespace kiln::gates {

LabJudge::LabJudge(Lab& lab, const Found& found, std::function<bool(const sim::Finding&)> same)
    : lab_(lab), job_(job_of(found)), same_(std::move(same)) {
  job_.origin = Origin::kTape;
  job_.record = true;
}

std::optional<Judged> LabJudge::run(std::span<const uint8_t> tape) {
  if (interrupted()) return std::nullopt;
  job_.bytes.assign(tape.begin(), tape.end());
  LabResult result = lab_.run(job_);
  if (result.failed) return std::nullopt;
  Judged judged;
  judged.same = result.done.found && same_(result.done.finding);
  if (!result.died) {
    judged.tape = std::move(result.done.tape);
    judged.record = std::move(result.done.spans);
  }
  return judged;
}

} // namespace kiln::gates
