#include "targets/fs/node_checker.h"

#include <algorithm>

#include "sim/machine.h"

namespace kiln::fs {

using worlds::FsKind;
using worlds::FsModel;
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

/// The same node, the same number; and no other that lives has it.
void NodeChecker::check_number(const FsModel& model, FsNodeId id, uint64_t number) {
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

void NodeChecker::check_allocated(const FsModel& model, FsNodeId id, uint64_t allocated) const {
  const FsNode& file = model.node(id);
  uint64_t written = 0;
  uint64_t last = 0; // one more than the last block that was counted
  for (const worlds::FsExtent& extent : file.extents) {
    const uint64_t first = std::max(extent.begin / block_bytes, last);
    const uint64_t end = (extent.end - 1) / block_bytes + 1;
    written += end > first ? end - first : 0;
    last = std::max(last, end);
  }
  const uint64_t most = (file.bytes + block_bytes - 1) / block_bytes;
  const uint64_t blocks = allocated / block_bytes;
  KILN_CHECK(allocated % block_bytes == 0 && blocks >= written && blocks <= most,
             "%s takes %llu bytes: it has %llu blocks with something in them, and %llu in all",
             model.path_text(id).c_str(), static_cast<unsigned long long>(allocated),
             static_cast<unsigned long long>(written), static_cast<unsigned long long>(most));
}

void NodeChecker::check_stat(const FsModel& model, FsNodeId id, const clay::NodeStat& stat) {
  const FsNode& node = model.node(id);
  check_number(model, id, stat.number);
  KILN_CHECK(stat.kind == kind_of(node), "%s is of another kind", model.path_text(id).c_str());
  KILN_CHECK(stat.links == node.links, "%s has %u links, not %u", model.path_text(id).c_str(),
             stat.links, node.links);
  KILN_CHECK(node.kind == FsKind::kDirectory || stat.bytes == node.bytes,
             "%s has %llu bytes, not %llu", model.path_text(id).c_str(),
             static_cast<unsigned long long>(stat.bytes),
             static_cast<unsigned long long>(node.bytes));
  if (block_bytes != 0 && node.kind == FsKind::kFile) check_allocated(model, id, stat.allocated);
  KILN_CHECK(id == 0 || stat.permissions == node.permissions, "%s has mode %04o, not %04o",
             model.path_text(id).c_str(), stat.permissions, node.permissions);
}

void NodeChecker::check_node(const FsModel& model, FsNodeId id, clay::Node& node) {
  KILN_CHECK(node.kind() == kind_of(model.node(id)), "%s is a node of another kind",
             model.path_text(id).c_str());
  check_stat(model, id, node.stat());
}

void NodeChecker::check_bytes(const FsModel& model, FsNodeId id, uint64_t offset,
                              std::span<const uint8_t> bytes) {
  const auto wrong = model.differs(id, offset, bytes);
  if (!wrong) return;
  uint8_t right = 0;
  model.read(id, offset + *wrong, {&right, 1});
  KILN_CHECK(false, "%s holds %02x at %llu, not %02x", model.path_text(id).c_str(), bytes[*wrong],
             static_cast<unsigned long long>(offset + *wrong), right);
}

void NodeChecker::check_range(const FsModel& model, FsNodeId id, clay::Node& node, uint64_t begin,
                              uint64_t end) {
  for (uint64_t at = begin; at < end;) {
    buffer_.assign(std::min<uint64_t>(end - at, 4096), kUnread);
    const auto got = node.read(at, buffer_);
    KILN_CHECK(got.ok(), "reading %s at %llu gives %s", model.path_text(id).c_str(),
               static_cast<unsigned long long>(at), text_of(failure_of(got)));
    KILN_CHECK(got.value() == model.readable(id, at, buffer_.size()),
               "reading %s at %llu gives %zu bytes of %zu", model.path_text(id).c_str(),
               static_cast<unsigned long long>(at), got.value(), buffer_.size());
    check_bytes(model, id, at, std::span(buffer_).first(got.value()));
    at += buffer_.size();
  }
}

void NodeChecker::check_contents(const FsModel& model, FsNodeId id, clay::Node& node) {
  const FsNode& file = model.node(id);
  if (file.bytes <= kReadWhole) {
    return check_range(model, id, node, 0, file.bytes + 1);
  }
  constexpr uint64_t kAround = 64;
  check_range(model, id, node, 0, kAround);
  check_range(model, id, node, file.bytes - kAround, file.bytes + 1);
  for (const worlds::FsExtent& extent : file.extents) {
    check_range(model, id, node, extent.begin - std::min(extent.begin, kAround),
                extent.end + kAround);
  }
}

void NodeChecker::check_target(const FsModel& model, FsNodeId id, uint64_t length,
                               std::span<const uint8_t> bytes) {
  const std::string target = gen::fs_path_bytes(model.node(id).target);
  KILN_CHECK(length == target.size(), "a target of %zu bytes is said to have %llu", target.size(),
             static_cast<unsigned long long>(length));
  const size_t given = std::min(target.size(), bytes.size());
  KILN_CHECK(std::equal(target.begin(), target.begin() + static_cast<ptrdiff_t>(given),
                        bytes.begin(),
                        [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; }),
             "the target of %s is another text", model.path_text(id).c_str());
}

void NodeChecker::check_entries(const FsModel& model, FsNodeId id,
                                const std::vector<Listed>& entries) {
  const FsNode& directory = model.node(id);
  KILN_CHECK(entries.size() == directory.entries.size(), "%s has %zu entries, not %zu",
             model.path_text(id).c_str(), entries.size(), directory.entries.size());
  for (const worlds::FsEntry& entry : directory.entries) {
    const auto listed = std::find_if(entries.begin(), entries.end(),
                                     [&](const Listed& known) { return known.name == entry.name; });
    KILN_CHECK(listed != entries.end(), "%s does not list %s", model.path_text(id).c_str(),
               gen::fs_path_text(gen::FsPath{}.child(entry.name)).c_str());
    check_number(model, entry.node, listed->number);
    KILN_CHECK(listed->kind == kind_of(model.node(entry.node)) ||
                   listed->kind == clay::NodeKind::kOther,
               "%s lists %s as another kind", model.path_text(id).c_str(),
               gen::fs_path_text(gen::FsPath{}.child(entry.name)).c_str());
  }
}

// --- Everything

Totals NodeChecker::check_all(const FsModel& model, clay::Node& root,
                              const std::vector<OpenNode>& open) {
  Totals totals;
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
  reach(0, clay::Ref<clay::Node>(root));
  for (const OpenNode& opened : open) {
    reach(opened.id, opened.node);
  }
  while (!pending.empty()) {
    const FsNodeId id = pending.back();
    pending.pop_back();
    clay::Node& node = *reached[id];
    check_node(model, id, node);
    ++totals.nodes;
    totals.allocated += node.stat().allocated;
    if (model.node(id).kind == FsKind::kFile) check_contents(model, id, node);
    if (model.node(id).kind != FsKind::kDirectory) {
      KILN_CHECK(node.parent().failed_with(clay::Error::kNotDirectory),
                 "%s, which is no directory, has a parent", model.path_text(id).c_str());
      continue;
    }
    std::vector<Listed> entries;
    const auto listed = list_all(node, 4, entries);
    KILN_CHECK(listed.ok(), "listing %s gives %s", model.path_text(id).c_str(),
               text_of(failure_of(listed)));
    check_entries(model, id, entries);
    for (const worlds::FsEntry& entry : model.node(id).entries) {
      const auto found = node.lookup(name_of(entry.name));
      KILN_CHECK(found.ok(), "%s is listed and not found: %s", model.path_text(entry.node).c_str(),
                 text_of(failure_of(found)));
      reach(entry.node, found.value());
      if (model.node(entry.node).kind != FsKind::kDirectory) continue;
      const auto parent = found.value()->parent();
      KILN_CHECK(parent.ok() && parent.value().get() == &node, "%s says that it lies elsewhere",
                 model.path_text(entry.node).c_str());
    }
    if (model.node(id).links == 0) {
      KILN_CHECK(node.parent().failed_with(clay::Error::kNotFound),
                 "a directory that has been removed has a parent");
    }
  }
  return totals;
}

} // namespace kiln::fs
