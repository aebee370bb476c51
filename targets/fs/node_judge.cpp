#include "targets/fs/node_judge.h"

#include "sim/machine.h"

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using worlds::FsErrors;

void NodeJudge::judge(const FsOperation& operation, const Outcome& outcome, const Answer& answer,
                      FsErrors tolerated) {
  if (!outcome.failure) {
    KILN_CHECK(outcome.expected.empty(), "\"%s\" succeeds where %s is right",
               gen::fs_text(operation).c_str(), outcome.expected.text().c_str());
    return judge_success(operation, answer);
  }
  KILN_CHECK((outcome.expected | tolerated).has(*outcome.failure), "\"%s\" gives %s, not %s",
             gen::fs_text(operation).c_str(), text_of(outcome.failure),
             outcome.expected.text().c_str());
  if (outcome.refused()) check_all();
}

void NodeJudge::judge_success(const FsOperation& operation, const Answer& answer) {
  const auto made = model.apply(operation);
  if (made) {
    KILN_CHECK(answer.node, "\"%s\" gives no node", gen::fs_text(operation).c_str());
    return checker.check_node(model, *made, *answer.node);
  }
  const auto id = gen::fs_of_handle(operation.act) ? model.opened(operation.handle)
                                                   : model.find(operation.path);
  switch (operation.act) {
  case FsAct::kRead:
  case FsAct::kReadHandle:
    KILN_CHECK(answer.count == model.readable(*id, operation.offset, operation.length) &&
                   rest_is_unread(answer.bytes, answer.count),
               "\"%s\" gives %llu bytes", gen::fs_text(operation).c_str(),
               static_cast<unsigned long long>(answer.count));
    return checker.check_bytes(model, *id, operation.offset,
                               std::span(answer.bytes).first(answer.count));
  case FsAct::kReadLink:
    return checker.check_target(model, *id, answer.count, answer.bytes);
  case FsAct::kStat:
  case FsAct::kStatHandle:
    return checker.check_stat(model, *id, answer.stat);
  case FsAct::kList:
    return checker.check_entries(model, *id, answer.entries);
  default:
    return;
  }
}

void NodeJudge::show(sim::Exhibitor& to, const std::string& whose) const {
  to.text(whose + (whose.empty() ? "Operations" : ", operations"), gen::fs_text(done));
  to.text(whose + (whose.empty() ? "What" : ", what") + " there should be", model.text());
}

Totals NodeJudge::check_all() {
  std::vector<OpenNode> open;
  for (unsigned handle = 0; handle < gen::kFsHandles; ++handle) {
    clay::Node* const node = driver.opened(handle);
    if (node != nullptr) open.push_back({*model.opened(handle), clay::Ref<clay::Node>(*node)});
  }
  return checker.check_all(model, driver.root(), open);
}

} // namespace kiln::fs
