#include "targets/fs/node_judge.h"

#include <algorithm>

#include "sim/machine.h"

namespace kiln::fs {

using gen::FsAct;
using gen::FsOperation;
using worlds::FsErrors;
using worlds::FsKind;
using worlds::FsNode;
using worlds::FsNodeId;

namespace {

clay::NodeKind kind_of(const FsNode& node) {
  switch (node.kind) {
  case FsKind::kFile:
    return clay::NodeKind::kFile;
  case FsKind::kDirectory:
    return clay::NodeKind::kDirectory;
  default:
    return clay::NodeKind::kSymlink;
  }
}

/// Files up to here are read from end to end.
constexpr uint64_t kReadWhole = 32 * 1024;

} // namespace

// --- One operation

void NodeJudge::judge(const FsOperation& operation, const Outcome& outcome, Answer& answer,
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

void NodeJudge::judge_success(const FsOperation& operation, Answer& answer) {
  if (model.is_idle(operation)) return;
  const auto made = model.apply(operation);
  if (made) {
    KILN_CHECK(answer.node, "\"%s\" gives no node", gen::fs_text(operation).c_str());
    return check_node(*made, *answer.node);
  }
  const auto id = gen::fs_of_handle(operation.act) ? model.opened(operation.handle)
                                                   : model.find(operation.path);
  switch (operation.act) {
  case FsAct::kRead:
  case FsAct::kReadHandle:
    return check_read(operation, *id, answer);
  case FsAct::kReadLink:
    return check_target(*id, answer);
  case FsAct::kStat:
  case FsAct::kStatHandle:
    return check_stat(*id, answer.stat);
  case FsAct::kList:
    return check_entries(*id, answer.entries);
  default:
    return;
  }
}

void NodeJudge::check_read(const FsOperation& operation, FsNodeId id, const Answer& answer) {
  const uint64_t expected = model.readable(id, operation.offset, operation.length);
  KILN_CHECK(answer.count == expected, "\"%s\" gives %llu bytes, not %llu",
             gen::fs_text(operation).c_str(), static_cast<unsigned long long>(answer.count),
             static_cast<unsigned long long>(expected));
  const auto got = std::span(answer.bytes).first(expected);
  if (const auto wrong = model.differs(id, operation.offset, got)) {
    uint8_t right = 0;
    model.read(id, operation.offset + *wrong, {&right, 1});
    KILN_CHECK(false, "\"%s\" gives %02x at %llu, not %02x", gen::fs_text(operation).c_str(),
               got[*wrong], static_cast<unsigned long long>(operation.offset + *wrong), right);
  }
}

void NodeJudge::check_target(FsNodeId id, const Answer& answer) const {
  const std::string target = gen::fs_path_bytes(model.node(id).target);
  KILN_CHECK(answer.count == target.size(), "a target of %zu bytes is said to have %llu",
             target.size(), static_cast<unsigned long long>(answer.count));
  const size_t given = std::min(target.size(), answer.bytes.size());
  KILN_CHECK(std::equal(target.begin(), target.begin() + static_cast<ptrdiff_t>(given),
                        answer.bytes.begin(),
                        [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; }),
             "the target of %s is another text", model.path_text(id).c_str());
}

void NodeJudge::check_entries(FsNodeId id, const std::vector<Listed>& entries) {
  const FsNode& directory = model.node(id);
  KILN_CHECK(entries.size() == directory.entries.size(), "%s has %zu entries, not %zu",
             model.path_text(id).c_str(), entries.size(), directory.entries.size());
  for (const worlds::FsEntry& entry : directory.entries) {
    const auto listed = std::find_if(entries.begin(), entries.end(),
                                     [&](const Listed& known) { return known.name == entry.name; });
    KILN_CHECK(listed != entries.end(), "%s does not list %s", model.path_text(id).c_str(),
               gen::fs_path_text(gen::FsPath{}.child(entry.name)).c_str());
    check_number(entry.node, listed->number);
    KILN_CHECK(listed->kind == kind_of(model.node(entry.node)) ||
                   listed->kind == clay::NodeKind::kOther,
               "%s lists %s as another kind", model.path_text(id).c_str(),
               gen::fs_path_text(gen::FsPath{}.child(entry.name)).c_str());
  }
}

// --- Nodes

/// The same node, the same number; and no other that lives has it.
void NodeJudge::check_number(FsNodeId id, uint64_t number) {
  numbers_.resize(std::max<size_t>(numbers_.size(), model.nodes()), 0);
  KILN_CHECK(number != 0, "%s has number 0", model.path_text(id).c_str());
  if (numbers_[id] == number) return;
  KILN_CHECK(numbers_[id] == 0, "%s had number %llu and has %llu", model.path_text(id).c_str(),
             static_cast<unsigned long long>(numbers_[id]),
             static_cast<unsigned long long>(number));
  for (FsNodeId other = 0; other < model.nodes(); ++other) {
    KILN_CHECK(!model.lives(other) || numbers_[other] != number, "%s and %s have number %llu",
               model.path_text(id).c_str(), model.path_text(other).c_str(),
               static_cast<unsigned long long>(number));
  }
  numbers_[id] = number;
}

void NodeJudge::check_stat(FsNodeId id, const clay::NodeStat& stat) {
  const FsNode& node = model.node(id);
  check_number(id, stat.number);
  KILN_CHECK(stat.kind == kind_of(node), "%s is of another kind", model.path_text(id).c_str());
  KILN_CHECK(stat.links == node.links, "%s has %u links, not %u", model.path_text(id).c_str(),
             stat.links, node.links);
  KILN_CHECK(node.kind == FsKind::kDirectory || stat.bytes == node.bytes,
             "%s has %llu bytes, not %llu", model.path_text(id).c_str(),
             static_cast<unsigned long long>(stat.bytes),
             static_cast<unsigned long long>(node.bytes));
  KILN_CHECK(id == 0 || stat.permissions == node.permissions, "%s has mode %04o, not %04o",
             model.path_text(id).c_str(), stat.permissions, node.permissions);
}

void NodeJudge::check_node(FsNodeId id, clay::Node& node) {
  KILN_CHECK(node.kind() == kind_of(model.node(id)), "%s is a node of another kind",
             model.path_text(id).c_str());
  check_stat(id, node.stat());
}

void NodeJudge::check_range(FsNodeId id, clay::Node& node, uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end;) {
    buffer_.resize(std::min<uint64_t>(end - at, 4096));
    FsOperation read;
    read.act = FsAct::kRead;
    read.offset = at;
    read.length = static_cast<uint32_t>(buffer_.size());
    const auto got = node.read(at, buffer_);
    KILN_CHECK(got.ok(), "reading %s at %llu gives %s", model.path_text(id).c_str(),
               static_cast<unsigned long long>(at), text_of(failure_of(got)));
    Answer answer;
    answer.count = got.value();
    answer.bytes.swap(buffer_);
    check_read(read, id, answer);
    buffer_.swap(answer.bytes);
    at += buffer_.size();
  }
}

void NodeJudge::check_contents(FsNodeId id, clay::Node& node) {
  const FsNode& file = model.node(id);
  if (file.bytes <= kReadWhole) {
    return check_range(id, node, 0, file.bytes + 1);
  }
  constexpr uint64_t kAround = 64;
  check_range(id, node, 0, kAround);
  check_range(id, node, file.bytes - kAround, file.bytes + 1);
  for (const worlds::FsExtent& extent : file.extents) {
    check_range(id, node, extent.begin - std::min(extent.begin, kAround), extent.end + kAround);
  }
}

// --- Everything

void NodeJudge::check_all() {
  // By the model's numbers: every node that lives, once it has been reached.
  std::vector<clay::Ref<clay::Node>> reached(model.nodes());
  std::vector<FsNodeId> pending;
  const auto reach = [&](FsNodeId id, const clay::Ref<clay::Node>& node) {
    KILN_CHECK(!reached[id] || reached[id].get() == node.get(), "%s is two objects",
               model.path_text(id).c_str());
    if (reached[id]) return;
    reached[id] = node;
    pending.push_back(id);
  };
  reach(0, clay::Ref<clay::Node>(driver.root()));
  for (unsigned handle = 0; handle < gen::kFsHandles; ++handle) {
    clay::Node* const node = driver.opened(handle);
    if (node != nullptr) reach(*model.opened(handle), clay::Ref<clay::Node>(*node));
  }
  while (!pending.empty()) {
    const FsNodeId id = pending.back();
    pending.pop_back();
    clay::Node& node = *reached[id];
    check_node(id, node);
    if (model.node(id).kind == FsKind::kFile) check_contents(id, node);
    if (model.node(id).kind != FsKind::kDirectory || model.node(id).links == 0) continue;
    std::vector<Listed> entries;
    const auto listed = list_all(node, 4, entries);
    KILN_CHECK(listed.ok(), "listing %s gives %s", model.path_text(id).c_str(),
               text_of(failure_of(listed)));
    check_entries(id, entries);
    for (const worlds::FsEntry& entry : model.node(id).entries) {
      const auto found = node.lookup(name_of(entry.name));
      KILN_CHECK(found.ok(), "%s is listed and not found: %s", model.path_text(entry.node).c_str(),
                 text_of(failure_of(found)));
      reach(entry.node, found.value());
    }
  }
}

} // namespace kiln::fs
