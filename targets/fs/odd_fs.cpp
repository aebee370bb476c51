#include "targets/fs/odd_fs.h"

#include <utility>

#include "targets/sync/support.h"

namespace kiln::fs {

using clay::Error;
using clay::Node;
using clay::NodeKind;
using clay::Ref;
using clay::Result;
using clay::StringView;

namespace {

/// Its answers are those of a file that fails.
class OddNode : public Node {
 public:
  OddNode(clay::FileSystem& filesystem, NodeKind kind, uint64_t number)
      : Node(filesystem, kind), number_(number) {}

  clay::NodeStat stat() override {
    const bool directory = kind() == NodeKind::kDirectory;
    return {number_, kind(), 0755, directory ? 2U : 1U, 0, 0};
  }
  Result<size_t> read(uint64_t, clay::MutableBytes) override { return Error::kIo; }
  Result<> write(uint64_t, clay::Bytes) override { return Error::kIo; }
  Result<> truncate(uint64_t) override { return Error::kIo; }
  Result<size_t> read_link(clay::MutableBytes) override { return Error::kIo; }
  Result<Ref<Node>> lookup(StringView) override { return Error::kNotDirectory; }
  Result<Ref<Node>> create(StringView, NodeKind, uint16_t) override { return Error::kNotDirectory; }
  Result<Ref<Node>> symlink(StringView, StringView) override { return Error::kNotDirectory; }
  Result<Ref<Node>> parent() override { return Error::kNotDirectory; }
  Result<> link(StringView, Node&) override { return Error::kNotDirectory; }
  Result<> unlink(StringView) override { return Error::kNotDirectory; }
  Result<> remove_directory(StringView) override { return Error::kNotDirectory; }
  Result<> rename(StringView, Node&, StringView) override { return Error::kNotDirectory; }
  Result<> list(uint64_t, clay::DirectoryVisitor&) override { return Error::kNotDirectory; }
  Result<> sync() override { return Error::kIo; }

 private:
  const uint64_t number_;
};

class OddLinkToNothing final : public OddNode {
 public:
  using OddNode::OddNode;
  Result<size_t> read_link(clay::MutableBytes) override { return size_t{0}; }
};

constexpr char kNames[] = "abcd";

} // namespace

class OddDirectory final : public OddNode {
 public:
  explicit OddDirectory(OddFs& filesystem) : OddNode(filesystem, NodeKind::kDirectory, 1) {}

  Result<Ref<Node>> lookup(StringView name) override {
    if (name == "e") return Error::kIo;
    for (size_t i = 0; i < OddFs::kNodes; ++i) {
      if (name == StringView(&kNames[i], 1)) return Ref<Node>(odd().nodes_[i]);
    }
    return Error::kNotFound;
  }
  Result<Ref<Node>> create(StringView, NodeKind, uint16_t) override { return Error::kNoSpace; }
  Result<Ref<Node>> symlink(StringView, StringView) override { return Error::kNoSpace; }
  Result<Ref<Node>> parent() override { return Ref<Node>(*this); }
  Result<> link(StringView, Node&) override { return Error::kNoSpace; }
  Result<> unlink(StringView) override { return Error::kIo; }
  Result<> remove_directory(StringView) override { return Error::kIo; }
  Result<> rename(StringView, Node&, StringView) override { return Error::kIo; }
  Result<> list(uint64_t from, clay::DirectoryVisitor& visitor) override {
    for (auto i = static_cast<size_t>(from); i < OddFs::kNodes; ++i) {
      if (!visitor.entry({StringView(&kNames[i], 1), i + 2, odd().nodes_[i]->kind(), i + 1})) break;
    }
    return {};
  }

 private:
  OddFs& odd() const { return static_cast<OddFs&>(filesystem()); }
};

bool OddFs::furnish() {
  const auto make = [](auto made, Ref<Node>& into) {
    if (made.ok()) into = Ref<Node>::adopt(made.take().leak());
    return made.ok();
  };
  constexpr auto kWaits = kHalAllocMayWait;
  return make(clay::make_ref<OddDirectory>(kWaits, *this), root_) &&
         make(clay::make_ref<OddNode>(kWaits, *this, NodeKind::kFile, 2U), nodes_[0]) &&
         make(clay::make_ref<OddNode>(kWaits, *this, NodeKind::kOther, 3U), nodes_[1]) &&
         make(clay::make_ref<OddNode>(kWaits, *this, NodeKind::kSymlink, 4U), nodes_[2]) &&
         make(clay::make_ref<OddLinkToNothing>(kWaits, *this, NodeKind::kSymlink, 5U), nodes_[3]);
}

clay::Box<clay::FileSystem> OddFs::make(const OddAnswers& answers, OddCalls& calls) {
  auto made = clay::make_box<OddFs>(kHalAllocMayWait, answers, calls);
  if (!made.ok() || !made.value()->furnish()) return {};
  return clay::Box<clay::FileSystem>(made.take().leak());
}

Result<Ref<Node>> OddFs::root() {
  if (answers_.root) return *answers_.root;
  return Ref<Node>(*root_);
}

Result<> OddFs::sync() {
  sync::breathe(3);
  ++calls_.sync;
  return answers_.sync ? *answers_.sync : Result<>();
}

Result<> OddFs::unmount() {
  KILN_CHECK(root_->ref_count() == 1, "an unmounted filesystem's root is still in use");
  ++calls_.unmount;
  return answers_.unmount ? *answers_.unmount : Result<>();
}

} // namespace kiln::fs
