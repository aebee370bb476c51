#pragma once
// A filesystem's nodes against the model: one operation at a time. Compared are whether it
// succeeds, its error, and what it gives; and what there is, by node_checker.h.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/exhibit.h"
#include "targets/fs/node_checker.h"
#include "targets/fs/node_driver.h"
#include "worlds/fs/model.h"

namespace kiln::fs {

/// What became of an operation.
struct Outcome {
  worlds::FsErrors expected;              ///< by the model; empty: success
  std::optional<worlds::FsError> failure; ///< that the kernel gave
  /// It failed for a reason that the model does not know: nothing may have changed.
  bool refused() const { return failure && !expected.has(*failure); }
};

class NodeJudge {
 public:
  /// `root`: empty, and the model's root from now on.
  explicit NodeJudge(clay::Ref<clay::Node> root, const worlds::FsLimits& limits = {})
      : model(limits), driver(std::move(root)) {}

  worlds::FsModel model;
  NodeDriver driver;
  NodeChecker checker;
  std::vector<gen::FsOperation> done; ///< all operations so far, the last one maybe in part

  /// Does an operation and judges it. `tolerance()` is asked afterwards: the errors that may have
  /// come though the model knows no reason.
  template <typename Tolerance>
  Outcome step(const gen::FsOperation& operation, Tolerance tolerance) {
    if (model.is_idle(operation)) return {};
    done.push_back(operation);
    Outcome outcome{model.errors(operation), {}};
    const Answer answer = driver.perform(operation);
    outcome.failure = answer.failure;
    judge(operation, outcome, answer, tolerance());
    return outcome;
  }
  /// The whole tree, and what is open without being in it. What all of it takes.
  Totals check_all();
  /// For a finding: the operations, and what the model holds. `whose`: "Task 1", or "".
  void show(sim::Exhibitor& to, const std::string& whose) const;

 private:
  void judge(const gen::FsOperation& operation, const Outcome& outcome, const Answer& answer,
             worlds::FsErrors tolerated);
  void judge_success(const gen::FsOperation& operation, const Answer& answer);
};

} // namespace kiln::fs
