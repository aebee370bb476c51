#pragma once
// A filesystem's nodes against the model: one operation at a time, and everything at once.
//
// What is compared: whether an operation succeeds, and its error; what it gives; of every node its
// kind, number, permissions, links and size; contents; that a node is one object by whatever name
// it is reached; of directories the entries. Not the space that nodes take.

#include <cstdint>
#include <vector>

#include "targets/fs/node_driver.h"
#include "worlds/fs/model.h"

namespace kiln::fs {

/// What became of an operation.
struct Outcome {
  worlds::FsErrors expected;              ///< by the model; empty: success
  std::optional<worlds::FsError> failure; ///< that the kernel gave
  bool done() const { return !failure; }
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

  /// Does an operation and judges it. `tolerance()` is asked afterwards: the errors that may have
  /// come though the model knows no reason.
  template <typename Tolerance>
  Outcome step(const gen::FsOperation& operation, Tolerance tolerance) {
    Outcome outcome{model.errors(operation), {}};
    Answer answer = driver.perform(operation);
    outcome.failure = answer.failure;
    judge(operation, outcome, answer, tolerance());
    return outcome;
  }
  /// The whole tree, and what is open without being in it.
  void check_all();

 private:
  void judge(const gen::FsOperation& operation, const Outcome& outcome, Answer& answer,
             worlds::FsErrors tolerated);
  void judge_success(const gen::FsOperation& operation, Answer& answer);
  void check_read(const gen::FsOperation& operation, worlds::FsNodeId id, const Answer& answer);
  void check_target(worlds::FsNodeId id, const Answer& answer) const;
  void check_entries(worlds::FsNodeId id, const std::vector<Listed>& entries);
  void check_stat(worlds::FsNodeId id, const clay::NodeStat& stat);
  void check_node(worlds::FsNodeId id, clay::Node& node);
  void check_contents(worlds::FsNodeId id, clay::Node& node);
  void check_range(worlds::FsNodeId id, clay::Node& node, uint64_t begin, uint64_t end);
  void check_number(worlds::FsNodeId id, uint64_t number);

  std::vector<uint64_t> numbers_; ///< the kernel's, by the model's; 0: not seen yet
  std::vector<uint8_t> buffer_;
};

} // namespace kiln::fs
