#include "targets/fs/vfs_driver.h"

#include <optional>

#include "sim/exact_block.h"
#include "sim/machine.h"
#include "targets/sync/support.h"

namespace kiln::fs {

using clay::File;
using clay::PathFrom;
using clay::Ref;
using gen::FsAct;
using gen::FsOperation;
using gen::FsPath;
using gen::VfsAct;
using gen::VfsOperation;

static_assert(gen::kVfsRead == clay::kOpenRead && gen::kVfsWrite == clay::kOpenWrite &&
              gen::kVfsCreate == clay::kOpenCreate && gen::kVfsExclusive == clay::kOpenExclusive &&
              gen::kVfsTruncate == clay::kOpenTruncate && gen::kVfsAppend == clay::kOpenAppend &&
              gen::kVfsDirectory == clay::kOpenDirectory);

bool VfsDriver::is_idle(const VfsOperation& operation) const {
  const FsOperation& plain = operation.plain;
  const auto closed = [this](const FsPath& path) {
    return path.at != 0 && !handles_[path.at - 1U];
  };
  if (gen::fs_of_handle(plain.act)) return !handles_[plain.handle];
  return closed(plain.path) || closed(plain.to);
}

/// use(path as the kernel takes it).
template <typename Use> void VfsDriver::with_path(const FsPath& path, Use use) {
  std::string text = gen::fs_path_bytes(path);
  if (path.at == 0 && !below_.empty()) {
    text = below_ + (path.count == 0 ? "/." : text);
  }
  const File* const from = path.at == 0 ? nullptr : handles_[path.at - 1U].get();
  if (exact_paths) {
    const sim::ExactBlock block(
        std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()), 1);
    use(PathFrom(clay::StringView(clay::Bytes(block.bytes())), from));
  } else {
    use(PathFrom({text.data(), text.size()}, from));
  }
}

Answer VfsDriver::perform(const VfsOperation& operation, clay::Box<clay::FileSystem>& filesystem) {
  Answer answer;
  const FsOperation& plain = operation.plain;
  if (operation.act == VfsAct::kPlain) {
    switch (plain.act) {
    case FsAct::kSync:
      answer.failure = failure_of(vfs_.sync());
      return answer;
    case FsAct::kRemount:
      close_all();
      return answer;
    case FsAct::kRename:
    case FsAct::kLink:
      on_two_paths(plain, answer);
      return answer;
    default:
      break;
    }
  }
  if (gen::fs_of_handle(plain.act)) {
    on_handle(operation, handles_[plain.handle], answer);
  } else {
    with_path(plain.path,
              [&](const PathFrom& path) { on_path(operation, path, filesystem, answer); });
  }
  return answer;
}

void VfsDriver::on_two_paths(const FsOperation& operation, Answer& answer) {
  with_path(operation.path, [&](const PathFrom& path) {
    with_path(operation.to, [&](const PathFrom& to) {
      answer.failure =
          failure_of(operation.act == FsAct::kRename ? vfs_.rename(path, to) : vfs_.link(path, to));
    });
  });
}

void VfsDriver::on_path(const VfsOperation& operation, const PathFrom& path,
                        clay::Box<clay::FileSystem>& filesystem, Answer& answer) {
  const FsOperation& plain = operation.plain;
  const auto looked = [&](const clay::Result<clay::NodeStat>& stat) {
    answer.failure = failure_of(stat);
    if (stat.ok()) answer.stat = stat.value();
  };
  switch (operation.act) {
  case VfsAct::kMount:
    answer.failure = failure_of(vfs_.mount(path, filesystem, {.read_only = operation.read_only}));
    return;
  case VfsAct::kUnmount:
    answer.failure = failure_of(vfs_.unmount(path));
    return;
  case VfsAct::kStatFollow: {
    looked(vfs_.stat(path));
    if (answer.failure) return;
    const auto space = vfs_.stat_filesystem(path);
    answer.failure = failure_of(space);
    if (space.ok()) answer.space = space.value();
    return;
  }
  default:
    break;
  }
  switch (plain.act) {
  case FsAct::kOpen: {
    auto opened = vfs_.open(path, operation.flags, plain.permissions);
    answer.failure = failure_of(opened);
    if (!opened.ok()) return;
    answer.node = Ref<clay::Node>(opened.value()->node());
    handles_[plain.handle] = opened.take();
    return;
  }
  case FsAct::kMakeDirectory:
    answer.failure = failure_of(vfs_.make_directory(path, plain.permissions));
    return;
  case FsAct::kSymlink: {
    const std::string target = gen::fs_path_bytes(plain.to);
    answer.failure = failure_of(vfs_.symlink(path, {target.data(), target.size()}));
    return;
  }
  case FsAct::kUnlink:
    answer.failure = failure_of(vfs_.unlink(path));
    return;
  case FsAct::kRemoveDirectory:
    answer.failure = failure_of(vfs_.remove_directory(path));
    return;
  case FsAct::kTruncate:
    answer.failure = failure_of(vfs_.truncate(path, plain.offset));
    return;
  case FsAct::kStat:
    return looked(vfs_.stat(path, false));
  case FsAct::kReadLink: {
    answer.bytes.assign(plain.length == 0 ? 4096 : plain.length, kUnread);
    const auto read = vfs_.read_link(path, answer.bytes);
    answer.failure = failure_of(read);
    answer.count = read.value_or(0);
    return;
  }
  default:
    return on_opened(plain, path, answer);
  }
}

/// Opened for this operation alone.
void VfsDriver::on_opened(const FsOperation& operation, const PathFrom& path, Answer& answer) {
  uint32_t flags = clay::kOpenRead;
  if (operation.act == FsAct::kWrite) flags = clay::kOpenWrite;
  if (operation.act == FsAct::kList) flags |= clay::kOpenDirectory;
  if (operation.act == FsAct::kCreate) {
    flags = clay::kOpenWrite | clay::kOpenCreate | clay::kOpenExclusive;
  }
  const auto opened = vfs_.open(path, flags, operation.permissions);
  answer.failure = failure_of(opened);
  if (!opened.ok()) return;
  File& file = *opened.value();
  answer.node = Ref<clay::Node>(file.node());
  switch (operation.act) {
  case FsAct::kWrite:
    return write(operation, file, false, answer);
  case FsAct::kRead:
    return read(operation, file, false, answer);
  case FsAct::kList:
    answer.failure = failure_of(list_some(file, UINT32_MAX, answer.entries));
    return;
  case FsAct::kSyncNode:
    answer.failure = failure_of(file.sync());
    return;
  default:
    return;
  }
}

void VfsDriver::write(const FsOperation& operation, File& file, bool stream, Answer& answer) {
  buffer_.resize(operation.length);
  gen::fs_fill(operation.fill, operation.offset, buffer_);
  answer.failure =
      failure_of(stream ? file.write(buffer_) : file.write_at(operation.offset, buffer_));
}

void VfsDriver::read(const FsOperation& operation, File& file, bool stream, Answer& answer) {
  answer.bytes.assign(operation.length, kUnread);
  const auto read = stream ? file.read(answer.bytes) : file.read_at(operation.offset, answer.bytes);
  answer.failure = failure_of(read);
  answer.count = read.value_or(0);
}

void VfsDriver::on_handle(const VfsOperation& operation, Ref<File>& file, Answer& answer) {
  const FsOperation& plain = operation.plain;
  switch (operation.act) {
  case VfsAct::kStreamWrite:
    return write(plain, *file, true, answer);
  case VfsAct::kStreamRead:
    return read(plain, *file, true, answer);
  case VfsAct::kListOn:
    answer.failure = failure_of(list_some(*file, plain.length, answer.entries));
    return;
  case VfsAct::kSeek:
    file->seek(file->node().kind() == clay::NodeKind::kDirectory ? 0 : plain.offset);
    return;
  default:
    break;
  }
  switch (plain.act) {
  case FsAct::kClose:
    file.reset();
    return;
  case FsAct::kWriteHandle:
    return write(plain, *file, false, answer);
  case FsAct::kReadHandle:
    return read(plain, *file, false, answer);
  case FsAct::kTruncateHandle:
    answer.failure = failure_of(file->truncate(plain.offset));
    return;
  case FsAct::kStatHandle:
    answer.stat = file->stat();
    return;
  default:
    answer.failure = failure_of(file->sync());
    return;
  }
}

// --- Directories

namespace {

class Noter final : public clay::DirectoryVisitor {
 public:
  Noter(std::vector<Listed>& entries, unsigned most) : entries_(entries), left_(most) {}
  bool entry(const Entry& entry) override {
    entries_.push_back(
        {gen::fs_name_of({entry.name.data(), entry.name.size()}), entry.number, entry.kind});
    sync::breathe(); // others may come in between
    return --left_ != 0;
  }

 private:
  std::vector<Listed>& entries_;
  unsigned left_;
};

/// A directory that is looked through for mounts.
struct Level {
  std::string path;
  Ref<File> directory;
  std::vector<Listed> entries;
  size_t next = 0;
};

std::optional<Level> enter(clay::Vfs& vfs, std::string path) {
  auto opened = vfs.open({{path.data(), path.size()}}, clay::kOpenRead | clay::kOpenDirectory);
  if (!opened.ok()) return {};
  Level level{std::move(path), opened.take(), {}};
  KILN_CHECK(list_some(*level.directory, UINT32_MAX, level.entries).ok(),
             "a directory cannot be listed");
  return level;
}

/// The path of a mount with nothing mounted on it, if there is one.
std::optional<std::string> find_mount(clay::Vfs& vfs) {
  std::vector<Level> path;
  path.push_back(std::move(*enter(vfs, "/")));
  while (!path.empty()) {
    Level& level = path.back();
    if (level.next == level.entries.size()) {
      const bool top = path.size() == 1;
      const clay::Mount& mount = level.directory->place().mount();
      const bool mounted =
          top ? static_cast<bool>(mount.covered())
              : !level.directory->place().same_mount(path[path.size() - 2].directory->place());
      if (mounted) return level.path;
      path.pop_back();
      continue;
    }
    const Listed entry = level.entries[level.next++];
    if (entry.kind != clay::NodeKind::kDirectory) continue;
    const std::string name(gen::fs_name(entry.name));
    auto below = enter(vfs, (path.size() == 1 ? "" : level.path) + "/" + name);
    KILN_CHECK(below, "%s is listed and cannot be opened", name.c_str());
    path.push_back(std::move(*below));
  }
  return {};
}

} // namespace

clay::Result<> list_some(File& directory, unsigned most, std::vector<Listed>& entries) {
  Noter noter(entries, most);
  return directory.list(noter);
}

void unmount_all(clay::Vfs& vfs) {
  while (const auto path = find_mount(vfs)) {
    const auto gone = vfs.unmount({{path->data(), path->size()}});
    KILN_CHECK(gone.ok(), "what is mounted on %s cannot be unmounted: %s", path->c_str(),
               text_of(failure_of(gone)));
  }
}

} // namespace kiln::fs
