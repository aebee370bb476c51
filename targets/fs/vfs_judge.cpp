#include "targets/fs/vfs_judge.h"

#include <algorithm>

#include "sim/machine.h"

namespace kiln::fs {

using clay::RamFs;
using gen::FsAct;
using gen::VfsAct;
using gen::VfsOperation;
using worlds::FsErrors;
using worlds::FsKind;
using worlds::VfsHandle;
using worlds::VfsPlace;
using worlds::VfsVerdict;

namespace {

worlds::FsLimits limits_of(const RamFs::Shape& shape) {
  return {RamFs::kMostBytes, shape.most_links, shape.most_target, 255};
}

} // namespace

VfsJudge::VfsJudge(clay::Vfs& vfs, const RamFs::Shape& shape, clay::Ref<clay::Node> root,
                   const std::string& below)
    : model(limits_of(shape), !below.empty()), driver(vfs, below), shape_(shape),
      root_(std::move(root)) {
  auto* const ramfs = static_cast<RamFs*>(&root_->filesystem());
  filesystems_.push_back({below.empty() ? ramfs : nullptr, {}});
  filesystems_[0].checker.block_bytes = RamFs::kBlockBytes;
}

/// What an operation needs besides. False: it cannot be had, since an allocation failed.
bool VfsJudge::prepare(VfsOperation& operation) {
  if (operation.act == VfsAct::kStreamWrite) {
    operation.plain.offset = model.begin_of_stream(*model.handles[operation.plain.handle]);
  }
  if (operation.act != VfsAct::kMount) return true;
  if (!fresh_) {
    auto made = RamFs::create(shape_);
    if (!made.ok()) return false;
    fresh_ramfs_ = made.take().leak();
    fresh_ = clay::Box<clay::FileSystem>(fresh_ramfs_);
    fresh_model_ = worlds::FsModel(limits_of(shape_));
    if (operation.furnished && !furnish()) fresh_.reset();
  }
  return static_cast<bool>(fresh_);
}

/// Something to find in a filesystem that is to be mounted. False: there is no room.
bool VfsJudge::furnish() {
  constexpr uint8_t kFill = 1;
  uint8_t bytes[24];
  gen::fs_fill(kFill, 0, bytes);
  const clay::Ref<clay::Node> root = fresh_ramfs_->root().take();
  auto file = root->create(name_of(0), clay::NodeKind::kFile, 0644);
  if (!file.ok() || !file.value()->write(0, bytes).ok()) return false;
  if (!root->create(name_of(1), clay::NodeKind::kDirectory, 0755).ok()) return false;
  if (!root->symlink(name_of(2), name_of(0)).ok()) return false;
  fresh_model_.write(fresh_model_.make(0, 0, FsKind::kFile, 0644), 0, sizeof(bytes), kFill);
  fresh_model_.make(0, 1, FsKind::kDirectory, 0755);
  gen::FsPath target = gen::FsPath{}.child(0);
  target.relative = true;
  fresh_model_.make(0, 2, FsKind::kSymlink, 0777, target);
  return true;
}

void VfsJudge::judge(const VfsOperation& operation, const VfsVerdict& verdict,
                     const Outcome& outcome, const Answer& answer, FsErrors tolerated) {
  if (!outcome.failure) {
    KILN_CHECK(outcome.expected.empty(), "\"%s\" succeeds where %s is right",
               gen::vfs_text(operation).c_str(), outcome.expected.text().c_str());
    return judge_success(operation, verdict, answer);
  }
  KILN_CHECK((outcome.expected | tolerated).has(*outcome.failure), "\"%s\" gives %s, not %s",
             gen::vfs_text(operation).c_str(), text_of(outcome.failure),
             outcome.expected.text().c_str());
  KILN_CHECK(operation.act != VfsAct::kMount || fresh_, "\"%s\" fails and keeps the filesystem",
             gen::vfs_text(operation).c_str());
  if (outcome.refused()) check_all();
}

void VfsJudge::judge_success(const VfsOperation& operation, const VfsVerdict& verdict,
                             const Answer& answer) {
  if (verdict.place) judge_answer(operation, *verdict.place, answer);
  const auto filesystem = model.apply(operation, verdict);
  if (operation.act == VfsAct::kMount) {
    KILN_CHECK(!fresh_, "\"%s\" succeeds and takes nothing", gen::vfs_text(operation).c_str());
    filesystems_.push_back({fresh_ramfs_, {}});
    model.filesystems[*filesystem].model = std::move(fresh_model_);
    filesystems_[*filesystem].checker.block_bytes = RamFs::kBlockBytes;
  }
  if (operation.act == VfsAct::kPlain && operation.plain.act == FsAct::kOpen) {
    const VfsPlace& place = model.handles[operation.plain.handle]->place;
    checker_of(place).check_node(model_of(place), place.node, *answer.node);
  }
}

/// Before the model does it.
void VfsJudge::judge_answer(const VfsOperation& operation, const VfsPlace& place,
                            const Answer& answer) {
  const gen::FsOperation& plain = operation.plain;
  const auto read = [&](uint64_t offset) {
    KILN_CHECK(answer.count == model_of(place).readable(place.node, offset, plain.length) &&
                   rest_is_unread(answer.bytes, answer.count),
               "\"%s\" gives %llu bytes", gen::vfs_text(operation).c_str(),
               static_cast<unsigned long long>(answer.count));
    NodeChecker::check_bytes(model_of(place), place.node, offset,
                             std::span(answer.bytes).first(answer.count));
  };
  switch (operation.act) {
  case VfsAct::kPlain:
    break;
  case VfsAct::kStreamRead:
    return read(model.handles[plain.handle]->offset);
  case VfsAct::kListOn:
    return judge_listed(operation, answer);
  case VfsAct::kStatFollow:
    judge_space(operation, place, answer);
    return checker_of(place).check_stat(model_of(place), place.node, answer.stat);
  default:
    return;
  }
  switch (plain.act) {
  case FsAct::kRead:
  case FsAct::kReadHandle:
    return read(plain.offset);
  case FsAct::kReadLink:
    return NodeChecker::check_target(model_of(place), place.node, answer.count, answer.bytes);
  case FsAct::kStat:
  case FsAct::kStatHandle:
    return checker_of(place).check_stat(model_of(place), place.node, answer.stat);
  case FsAct::kList:
    return checker_of(place).check_entries(model_of(place), place.node, answer.entries);
  default:
    return;
  }
}

/// What is said of the filesystem that a path leads into.
void VfsJudge::judge_space(const VfsOperation& operation, const VfsPlace& place,
                           const Answer& answer) const {
  const std::string text = gen::vfs_text(operation);
  KILN_CHECK(answer.space, "\"%s\" succeeds, and the filesystem is not found", text.c_str());
  const clay::FileSystemStat& said = *answer.space;
  KILN_CHECK(said.block_bytes == RamFs::kBlockBytes && said.blocks == shape_.blocks &&
                 said.nodes == shape_.nodes,
             "\"%s\" leads to a filesystem of another shape", text.c_str());
  if (!alone) return;
  const clay::FileSystemStat right = ramfs(place.filesystem).stat();
  KILN_CHECK(said.free_blocks == right.free_blocks && said.free_nodes == right.free_nodes,
             "\"%s\" leads to another filesystem", text.c_str());
}

/// Where an open file stands.
void VfsJudge::check_offset(unsigned handle) const {
  const auto& known = model.handles[handle];
  if (!known || model.node(known->place).kind != FsKind::kFile) return;
  const uint64_t at = driver.opened(handle)->offset();
  KILN_CHECK(at == known->offset, "handle %u stands at %llu, not %llu", handle + 1,
             static_cast<unsigned long long>(at), static_cast<unsigned long long>(known->offset));
}

/// A part of a directory: no entry comes twice unless it changed, and at the end none is missing.
void VfsJudge::judge_listed(const VfsOperation& operation, const Answer& answer) {
  VfsHandle& handle = *model.handles[operation.plain.handle];
  const worlds::FsNode& directory = model.node(handle.place);
  for (const Listed& entry : answer.entries) {
    const std::string name = gen::fs_path_text(gen::FsPath{}.child(entry.name));
    KILN_CHECK(directory.find(entry.name), "%s is listed and is not there", name.c_str());
    const bool constant =
        std::any_of(handle.all_the_time.begin(), handle.all_the_time.end(),
                    [&](const worlds::FsEntry& known) { return known.name == entry.name; });
    const bool again =
        std::find(handle.listed.begin(), handle.listed.end(), entry.name) != handle.listed.end();
    KILN_CHECK(!constant || !again, "%s is listed twice", name.c_str());
    handle.listed.push_back(entry.name);
  }
  if (answer.entries.size() == operation.plain.length) return;
  for (const worlds::FsEntry& known : handle.all_the_time) {
    KILN_CHECK(std::find(handle.listed.begin(), handle.listed.end(), known.name) !=
                   handle.listed.end(),
               "%s was there all the time and is not listed",
               gen::fs_path_text(gen::FsPath{}.child(known.name)).c_str());
  }
}

clay::Ref<clay::Node> VfsJudge::root_of(uint32_t filesystem) const {
  return filesystem == 0 ? root_ : filesystems_[filesystem].ramfs->root().take();
}

void VfsJudge::check_all() {
  for (uint32_t i = 0; i < model.filesystems.size(); ++i) {
    if (!model.filesystems[i].mounted) continue;
    std::vector<OpenNode> open;
    for (unsigned handle = 0; handle < gen::kFsHandles; ++handle) {
      const auto& known = model.handles[handle];
      if (!known || known->place.filesystem != i) continue;
      open.push_back({known->place.node, clay::Ref<clay::Node>(driver.opened(handle)->node())});
    }
    filesystems_[i].checker.check_all(model.filesystems[i].model, *root_of(i), open);
  }
}

void VfsJudge::show(sim::Exhibitor& to, const std::string& whose) const {
  std::string words;
  for (size_t i = 0; i < done.size(); ++i) {
    words += std::to_string(i + 1) + " " + gen::vfs_text(done[i]) + "\n";
  }
  to.text(whose + (whose.empty() ? "Operations" : ", operations"), words);
  to.text(whose + (whose.empty() ? "What" : ", what") + " there should be", model.text());
}

void VfsJudge::let_go() {
  driver.close_all();
  root_.reset();
  fresh_.reset();
}

} // namespace kiln::fs
