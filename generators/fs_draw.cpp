// How programs are drawn.

#include <algorithm>
#include <bit>

#include "generators/fs.h"

namespace kiln::gen {

// --- What is probably there

void FsDrawer::Known::add(const FsPath& path) {
  paths[next] = path;
  next = (next + 1) % kKnown;
  count = std::min(count + 1, kKnown);
}

bool FsDrawer::Known::has(const FsPath& path) const {
  const auto known = std::span(paths).first(count);
  return std::find(known.begin(), known.end(), path) != known.end();
}

void FsDrawer::Known::remove(const FsPath& path) {
  for (size_t i = 0; i < count; ++i) {
    if (paths[i] == path) {
      paths[i] = paths[--count];
      next = count;
      return;
    }
  }
}

void FsDrawer::remember(const FsOperation& operation) {
  const auto bit = static_cast<uint8_t>(1U << operation.handle);
  switch (operation.act) {
  case FsAct::kCreate:
  case FsAct::kSymlink:
    return files_.add(operation.path);
  case FsAct::kMakeDirectory:
    return directories_.add(operation.path);
  case FsAct::kLink:
    return files_.add(operation.to);
  case FsAct::kUnlink:
    return files_.remove(operation.path);
  case FsAct::kRemoveDirectory:
    return directories_.remove(operation.path);
  case FsAct::kRename: {
    const auto known_directories = std::span(directories_.paths).first(directories_.count);
    const bool directory = std::find(known_directories.begin(), known_directories.end(),
                                     operation.path) != known_directories.end();
    Known& known = directory ? directories_ : files_;
    known.remove(operation.path);
    return known.add(operation.to);
  }
  case FsAct::kOpen:
    if (removed_ == operation.handle + 1) removed_ = 0;
    open_ |= bit;
    open_directories_ &= static_cast<uint8_t>(~bit);
    if (directories_.has(operation.path)) open_directories_ |= bit;
    return;
  case FsAct::kClose:
    if (removed_ == operation.handle + 1) removed_ = 0;
    open_ &= static_cast<uint8_t>(~bit);
    open_directories_ &= static_cast<uint8_t>(~bit);
    return;
  case FsAct::kRemount:
    removed_ = 0;
    open_ = 0;
    open_directories_ = 0;
    return;
  default:
    return;
  }
}

// --- Paths

FsName FsDrawer::draw_name() {
  auto data = tape_.data();
  if (style_.long_names && data.below(8) == 7) {
    return static_cast<FsName>(data.below(kFsPlainNames));
  }
  return static_cast<FsName>(data.below(style_.names));
}

FsPath FsDrawer::draw_known(const Known& known) {
  return known.paths[tape_.data().below(known.count)];
}

FsPath FsDrawer::draw_directory() {
  auto data = tape_.data();
  if (removed_ != 0 && data.below(3) != 0) return draw_below(removed_);
  const auto kind = data.weighted({8, 8, 3});
  if (kind == 1 && directories_.count != 0) {
    return draw_known(directories_);
  }
  if (kind == 2 && style_.handles && open_directories_ != 0) {
    return draw_below(static_cast<uint8_t>(1 + std::countr_zero(open_directories_)));
  }
  return {};
}

/// What is open by a handle, `at` - 1, or what lies above.
FsPath FsDrawer::draw_below(uint8_t at) {
  FsPath path;
  path.at = at;
  if (style_.odd_paths && tape_.data().below(3) == 2) path = path.child(kFsDotDot);
  return path;
}

uint8_t FsDrawer::directory_handle() {
  const uint8_t drawn = draw_handle();
  if (open_directories_ == 0 || tape_.data().below(4) == 3) return drawn;
  uint8_t handle = drawn;
  while ((open_directories_ >> handle & 1) == 0) {
    handle = static_cast<uint8_t>((handle + 1) % kFsHandles);
  }
  return handle;
}

/// Mostly one that is open, if there is one.
uint8_t FsDrawer::draw_handle() {
  auto data = tape_.data();
  const auto drawn = static_cast<uint8_t>(data.below(kFsHandles));
  if (open_ == 0 || data.below(16) == 15) return drawn;
  uint8_t handle = drawn;
  while ((open_ >> handle & 1) == 0) {
    handle = static_cast<uint8_t>((handle + 1) % kFsHandles);
  }
  return handle;
}

/// A name in a directory that is probably there.
FsPath FsDrawer::draw_new() {
  const FsPath directory = draw_directory();
  const FsName name = draw_name();
  return directory.count < style_.most_depth ? directory.child(name) : FsPath{}.child(name);
}

/// A name in a directory that probably lies below that one, or is it.
FsPath FsDrawer::draw_new_below(const FsPath& above) {
  FsPath deepest = above;
  for (const FsPath& path : std::span(directories_.paths).first(directories_.count)) {
    const bool below =
        path.at == above.at && path.count > deepest.count &&
        std::equal(above.names.begin(), above.names.begin() + above.count, path.names.begin());
    if (below) deepest = path;
  }
  const FsName name = draw_name();
  return deepest.count < kFsMostNames ? deepest.child(name) : deepest;
}

/// Anything: mostly a file that is there, else a directory, else a name.
FsPath FsDrawer::draw_any() {
  const auto kind = tape_.data().weighted({20, 6, 6, 1});
  if (kind == 0 && files_.count != 0) {
    return draw_known(files_);
  }
  if (kind == 3 && style_.handles && open_ != 0) {
    FsPath path;
    path.at = static_cast<uint8_t>(1 + draw_handle());
    return path;
  }
  return kind == 1 ? draw_directory() : draw_new();
}

FsPath FsDrawer::draw_target() {
  auto data = tape_.data();
  FsPath target = data.below(6) == 5 ? FsPath{}.child(kFsDot) : draw_any();
  target.at = 0;
  target.relative = data.boolean() || !style_.absolute_targets;
  if (style_.odd_paths && data.below(4) == 3) {
    make_odd(target);
  }
  if (data.below(4) == 3) {
    const uint32_t wanted[] = {
        59, 60, 61, style_.block_bytes - 1, style_.block_bytes, style_.block_bytes + 1, 4095, 4096};
    const size_t length = fs_path_bytes(target).size();
    const uint32_t to = data.pick(wanted);
    target.extra_slashes =
        static_cast<uint16_t>(target.count != 0 && to > length ? to - length : 0);
  }
  return target;
}

void FsDrawer::make_odd(FsPath& path) {
  auto data = tape_.data();
  const auto kind = data.weighted({4, 6, 4, 4, 1, 1, 2});
  const auto at = static_cast<size_t>(data.below(path.count + 1U));
  switch (kind) {
  case 0:
    path.slash_behind = true;
    return;
  case 1:
  case 2:
    if (path.count < kFsMostNames) {
      std::copy_backward(path.names.begin() + at, path.names.begin() + path.count,
                         path.names.begin() + path.count + 1);
      path.names[at] = kind == 1 ? kFsDotDot : kFsDot;
      ++path.count;
    }
    return;
  case 3:
    path.extra_slashes = static_cast<uint16_t>(data.between(1, 3));
    return;
  case 4:
    if (at < path.count) path.names[at] = kFsNameTooLong;
    return;
  case 6: // round and round, if it is a symlink to where it lies
    if (path.count == 0) return;
    for (const auto count = data.between(5, kFsMostNames); path.count < count;) {
      path = path.child(path.names[0]);
    }
    return;
  default: {
    // About as long as a path may be.
    const size_t length = fs_path_bytes(path).size();
    path.extra_slashes = static_cast<uint16_t>(4093 + data.below(6) - std::min<size_t>(length, 9));
    return;
  }
  }
}

// --- Places

uint64_t FsDrawer::draw_offset() {
  if (!style_.thorough) return draw_usual_offset();
  auto data = tape_.data();
  const uint64_t most = style_.most_bytes == 0 ? UINT64_MAX : style_.most_bytes;
  switch (data.weighted({12, 3, 1})) {
  case 1:
    return std::min(most, std::max<uint64_t>(written_, 1) - 1 + data.below(3));
  case 2:
    return most - data.below(most == UINT64_MAX ? style_.most_length : 1);
  default:
    return draw_usual_offset();
  }
}

uint64_t FsDrawer::draw_usual_offset() {
  static constexpr uint64_t kBelow[] = {8, 1, 0, 9, 4096};
  auto data = tape_.data();
  const uint64_t block = style_.block_bytes;
  uint64_t offset = 0;
  switch (data.weighted({6, 4, 6, 3, 1})) {
  case 0:
    return 0;
  case 1:
    offset = data.below(style_.usual_bytes);
    break;
  case 2:
    offset = data.between(1, style_.usual_bytes / block) * block + data.below(3) - 1;
    break;
  case 3: {
    // Where ext2 begins to need one more level of pointers.
    const uint64_t ends[] = {12 * block, (12 + block / 4) * block,
                             (12 + block / 4 + block / 4 * (block / 4)) * block};
    offset = ends[data.weighted({6, 3, 1})] + data.below(3) - 1;
    break;
  }
  default:
    offset = data.edge64();
    break;
  }
  if (style_.most_bytes == 0 && style_.edge_bytes != 0 && data.below(8) == 7) {
    offset = style_.edge_bytes - data.pick(kBelow) + data.below(3);
  }
  return style_.most_bytes == 0 ? offset : std::min(offset, style_.most_bytes);
}

uint32_t FsDrawer::draw_length() {
  auto data = tape_.data();
  const uint32_t block = style_.block_bytes;
  uint32_t length = 8;
  switch (data.weighted({8, 4, 6, 2})) {
  case 0:
    return 8;
  case 1:
    return static_cast<uint32_t>(data.below(20));
  case 2:
    length = static_cast<uint32_t>(data.between(1, 3) * block + data.below(3) - 1);
    break;
  default:
    length = static_cast<uint32_t>(data.below(style_.most_length + uint64_t{1}));
    break;
  }
  return std::min(length, style_.most_length);
}

// --- Operations

void FsDrawer::draw_paths(FsOperation& operation) {
  auto data = tape_.data();
  switch (operation.act) {
  case FsAct::kCreate:
  case FsAct::kMakeDirectory:
    operation.path = draw_new();
    break;
  case FsAct::kSymlink:
    operation.path = draw_new();
    operation.to = draw_target();
    break;
  case FsAct::kRename:
  case FsAct::kLink:
    operation.path = draw_any();
    if (style_.thorough && is_directory(operation.path) && data.below(3) == 2) {
      operation.to = draw_new_below(operation.path);
    } else {
      operation.to = data.weighted({3, 1}) == 0 ? draw_new() : draw_any();
    }
    break;
  case FsAct::kRemoveDirectory:
  case FsAct::kList:
    operation.path = data.weighted({7, 1}) == 0 ? draw_directory() : draw_any();
    break;
  case FsAct::kOpen:
    operation.path = data.weighted({3, 2}) == 0 ? draw_any() : draw_directory();
    break;
  default:
    operation.path = draw_any();
    break;
  }
  if (style_.odd_paths) {
    if (data.below(6) == 5) make_odd(operation.path);
    const bool two = operation.act == FsAct::kRename || operation.act == FsAct::kLink;
    if (two && data.below(6) == 5) make_odd(operation.to);
  }
}

FsOperation FsDrawer::operation() {
  sim::Span span(tape_, "operation");
  if (next_) {
    const FsOperation operation = *next_;
    next_ = {};
    remember(operation);
    if (style_.thorough && operation.act == FsAct::kRemoveDirectory)
      removed_ = operation.handle + 1;
    return operation;
  }
  return operation_of(static_cast<FsAct>(tape_.data().weighted(style_.weights)));
}

FsOperation FsDrawer::directory() {
  const auto kind = tape_.data().weighted({12, 1});
  FsOperation operation;
  if (kind == 0 && directories_.count == 0) return operation_of(FsAct::kMakeDirectory);
  operation.act = FsAct::kList;
  if (kind == 0) operation.path = draw_known(directories_);
  if (removed_ != 0 && tape_.data().below(4) == 3) {
    operation.path = FsPath{}.child(kFsDot);
    operation.path.at = removed_;
  }
  return operation;
}

FsOperation FsDrawer::operation_of(FsAct act) {
  auto data = tape_.data();
  static constexpr uint16_t kPermissions[] = {0644, 0755, 0, 07777};
  FsOperation operation;
  operation.act = act;
  const bool needs_handle = fs_of_handle(operation.act) || operation.act == FsAct::kOpen;
  if (needs_handle && !style_.handles) {
    operation.act = FsAct::kWrite;
  }
  if (fs_of_handle(operation.act) && open_ == 0) {
    operation.act = FsAct::kOpen;
  }
  if (fs_of_handle(operation.act)) {
    operation.handle = draw_handle();
  } else if (needs_handle) {
    operation.handle = static_cast<uint8_t>(data.below(kFsHandles));
  }
  if (!fs_of_handle(operation.act) && operation.act != FsAct::kSync &&
      operation.act != FsAct::kRemount) {
    draw_paths(operation);
  }
  switch (operation.act) {
  case FsAct::kCreate:
  case FsAct::kMakeDirectory:
    operation.permissions = data.pick(kPermissions);
    break;
  case FsAct::kWrite:
  case FsAct::kWriteHandle:
  case FsAct::kRead:
  case FsAct::kReadHandle:
    operation.length = draw_length();
    operation.offset = draw_offset();
    if (style_.most_bytes != 0) {
      operation.offset = std::min(operation.offset, style_.most_bytes - operation.length);
    }
    operation.fill = ++fill_;
    if (act == FsAct::kWrite || act == FsAct::kWriteHandle) {
      written_ = std::min(operation.offset, UINT64_MAX / 2) + operation.length;
    }
    break;
  case FsAct::kTruncate:
  case FsAct::kTruncateHandle:
    operation.offset = draw_offset();
    break;
  default:
    break;
  }
  remember(operation);
  if (operation.act == FsAct::kOpen && operation.path.count != 0 && data.below(6) == 5) {
    // What is open loses its name at once.
    next_ = FsOperation{};
    next_->act = is_directory(operation.path) ? FsAct::kRemoveDirectory : FsAct::kUnlink;
    next_->path = operation.path;
    next_->handle = operation.handle;
  }
  return operation;
}

FsProgram FsDrawer::program(size_t most) {
  FsProgram program;
  program.reserve(most);
  for (size_t i = 0; i < most && tape_.data().below(40) != 0; ++i) {
    program.push_back(operation());
  }
  return program;
}

} // namespace kiln::gen
