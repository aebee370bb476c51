#pragma once
// The shrinker's judge: runs candidates in a worker of the lab.

#include <functional>

#include "gates/finding/found.h"
#include "gates/shrink/shrink.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

class LabJudge : public ShrinkJudge {
 public:
  /// `same`: whether a finding is the one sought.
  LabJudge(Lab& lab, const Found& found, std::function<bool(const sim::Finding&)> same);
  /// Nothing once the runner fails, or on Ctrl-C.
  std::optional<Judged> run(std::span<const uint8_t> tape) override;

 private:
  Lab& lab_;
  SingleJob job_;
  std::function<bool(const sim::Finding&)> same_;
};

} // namespace kiln::gates
