#include "targets/fs/node_driver.h"

#include <algorithm>
#include <string>

namespace kiln::fs {

using clay::Node;
using clay::Ref;
using gen::FsAct;
using gen::FsOperation;
using gen::FsPath;

clay::StringView name_of(gen::FsName name) {
  const std::string_view text = gen::fs_name(name);
  return {text.data(), text.size()};
}

bool rest_is_unread(std::span<const uint8_t> bytes, uint64_t count) {
  const auto rest = bytes.subspan(std::min<uint64_t>(count, bytes.size()));
  return std::all_of(rest.begin(), rest.end(), [](uint8_t byte) { return byte == kUnread; });
}

namespace {

/// Notes entries, a few at a time.
class Noter final : public clay::DirectoryVisitor {
 public:
  Noter(std::vector<Listed>& entries, unsigned at_once) : entries_(entries), left_(at_once) {}
  bool entry(const Entry& entry) override {
    entries_.push_back(
        {gen::fs_name_of({entry.name.data(), entry.name.size()}), entry.number, entry.kind});
    next = entry.next;
    return --left_ != 0;
  }
  bool full() const { return left_ == 0; }
  uint64_t next = 0;

 private:
  std::vector<Listed>& entries_;
  unsigned left_;
};

} // namespace

clay::Result<> list_all(Node& directory, unsigned at_once, std::vector<Listed>& entries) {
  for (uint64_t from = 0;;) {
    Noter noter(entries, at_once);
    CLAY_TRY(directory.list(from, noter));
    if (!noter.full()) {
      return {};
    }
    from = noter.next;
  }
}

void NodeDriver::let_go() {
  close_all();
  root_.reset();
}

clay::Result<Ref<Node>> NodeDriver::find(const FsPath& path) const {
  Ref<Node> at = path.at == 0 ? root_ : handles_[path.at - 1U];
  for (size_t i = 0; i < path.count; ++i) {
    at = CLAY_TRY(at->lookup(name_of(path.names[i])));
  }
  return at;
}

bool NodeDriver::is_idle(const FsOperation& operation) const {
  const auto closed = [this](const FsPath& path) {
    return path.at != 0 && !handles_[path.at - 1U];
  };
  if (gen::fs_of_handle(operation.act)) return !handles_[operation.handle];
  return closed(operation.path) || closed(operation.to);
}

Answer NodeDriver::perform(const FsOperation& operation) {
  Answer answer;
  const auto handle = handles_.begin() + operation.handle;
  switch (operation.act) {
  case FsAct::kSync:
    answer.failure = failure_of(root_->filesystem().sync());
    return answer;
  case FsAct::kRemount:
    close_all();
    return answer;
  case FsAct::kClose:
    handle->reset();
    return answer;
  case FsAct::kCreate:
  case FsAct::kMakeDirectory:
  case FsAct::kSymlink:
  case FsAct::kUnlink:
  case FsAct::kRemoveDirectory:
  case FsAct::kRename: {
    const auto directory = operation.path.count == 0
                               ? clay::Result<Ref<Node>>(clay::Error::kInvalid)
                               : find(operation.path.parent());
    if (directory.ok()) {
      on_name(*directory.value(), operation, answer);
    } else {
      answer.failure = failure_of(directory);
    }
    return answer;
  }
  case FsAct::kLink:
    answer.failure = failure_of(link(operation));
    return answer;
  default:
    break;
  }
  if (gen::fs_of_handle(operation.act)) {
    on_node(**handle, operation, answer);
    return answer;
  }
  const auto node = find(operation.path);
  if (!node.ok()) {
    answer.failure = failure_of(node);
  } else if (operation.act == FsAct::kOpen) {
    answer.node = node.value();
    *handle = node.value();
  } else {
    answer.node = node.value();
    on_node(*node.value(), operation, answer);
  }
  return answer;
}

clay::Result<> NodeDriver::link(const FsOperation& operation) const {
  const Ref<Node> target = CLAY_TRY(find(operation.path));
  if (operation.to.count == 0) {
    return clay::Error::kInvalid;
  }
  const Ref<Node> directory = CLAY_TRY(find(operation.to.parent()));
  return directory->link(name_of(operation.to.last()), *target);
}

clay::Result<> NodeDriver::rename(Node& directory, const FsOperation& operation) const {
  if (operation.to.count == 0) {
    return clay::Error::kInvalid;
  }
  const Ref<Node> to = CLAY_TRY(find(operation.to.parent()));
  return directory.rename(name_of(operation.path.last()), *to, name_of(operation.to.last()));
}

/// On the path's last name, which lies in this directory.
void NodeDriver::on_name(Node& directory, const FsOperation& operation, Answer& answer) {
  const clay::StringView name = name_of(operation.path.last());
  const auto made = [&answer](const clay::Result<Ref<Node>>& result) {
    answer.failure = failure_of(result);
    if (result.ok()) answer.node = result.value();
  };
  switch (operation.act) {
  case FsAct::kCreate:
    return made(directory.create(name, clay::NodeKind::kFile, operation.permissions));
  case FsAct::kMakeDirectory:
    return made(directory.create(name, clay::NodeKind::kDirectory, operation.permissions));
  case FsAct::kSymlink: {
    const std::string target = gen::fs_path_bytes(operation.to);
    return made(directory.symlink(name, {target.data(), target.size()}));
  }
  case FsAct::kUnlink:
    answer.failure = failure_of(directory.unlink(name));
    return;
  case FsAct::kRemoveDirectory:
    answer.failure = failure_of(directory.remove_directory(name));
    return;
  default:
    answer.failure = failure_of(rename(directory, operation));
    return;
  }
}

void NodeDriver::on_node(Node& node, const FsOperation& operation, Answer& answer) {
  switch (operation.act) {
  case FsAct::kWrite:
  case FsAct::kWriteHandle:
    buffer_.resize(operation.length);
    gen::fs_fill(operation.fill, operation.offset, buffer_);
    answer.failure = failure_of(node.write(operation.offset, buffer_));
    return;
  case FsAct::kTruncate:
  case FsAct::kTruncateHandle:
    answer.failure = failure_of(node.truncate(operation.offset));
    return;
  case FsAct::kRead:
  case FsAct::kReadHandle: {
    answer.bytes.assign(operation.length, kUnread);
    const auto read = node.read(operation.offset, answer.bytes);
    answer.failure = failure_of(read);
    answer.count = read.value_or(0);
    return;
  }
  case FsAct::kReadLink: {
    answer.bytes.assign(operation.length == 0 ? 4096 : operation.length, kUnread);
    const auto read = node.read_link(answer.bytes);
    answer.failure = failure_of(read);
    answer.count = read.value_or(0);
    return;
  }
  case FsAct::kStat:
  case FsAct::kStatHandle:
    answer.stat = node.stat();
    return;
  case FsAct::kList:
    answer.failure = failure_of(list_all(node, 3, answer.entries));
    return;
  default:
    answer.failure = failure_of(node.sync());
    return;
  }
}

} // namespace kiln::fs
