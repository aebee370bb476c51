#include "kernel-src/fs/ext2/directory.h"

#include <utility>

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/lib/le_fields.h"

namespace clay::ext2 {

namespace {

bool is_possible_name(StringView name) {
  for (const char c : name) {
    if (c == '/' || c == '\0') {
      return false;
    }
  }
  return !name.empty();
}

bool is_dots(StringView name) { return name == StringView(".") || name == StringView(".."); }

} // namespace

Result<bool> EntryCursor::next(Entry& entry) {
  const auto size = static_cast<uint32_t>(block_.size());
  if (offset_ == size) {
    return false;
  }
  if (size - offset_ < Entry::needed(1)) {
    return Error::kCorrupt;
  }
  const LeFields fields(block_.from(offset_));
  entry.offset = offset_;
  entry.inode = fields.u32(entry::kInode);
  entry.length = fields.u16(entry::kLength);
  entry.name_length = fields.u8(entry::kNameLength);
  entry.type = fields.u8(entry::kType);
  const bool fits = entry.length >= Entry::needed(1) && entry.length % 4 == 0 &&
                    entry.length <= size - offset_ &&
                    kEntryHeader + entry.name_length <= entry.length;
  if (!fits) {
    return Error::kCorrupt;
  }
  const StringView name = entry.name(block_);
  if (entry.inode != 0 && (!geometry_.is_inode(entry.inode) || !is_possible_name(name))) {
    return Error::kCorrupt;
  }
  entry.is_dots = entry.inode != 0 && is_dots(name);
  if (!is_dots_right(entry, name)) {
    return Error::kCorrupt;
  }
  offset_ += entry.length;
  ++count_;
  return true;
}

/// "." and ".." are the first two of a directory, and nowhere else.
bool EntryCursor::is_dots_right(const Entry& entry, StringView name) const {
  if (directory_ == 0 || count_ >= 2) {
    return !entry.is_dots;
  }
  const bool self = entry.inode == directory_ && entry.length == Entry::needed(1);
  return entry.is_dots && name.size() == count_ + 1 && (count_ == 1 || self);
}

Result<NamePlace> parent_of(Volume& volume, const Inode& directory) {
  NamePlace parent;
  CLAY_TRY(for_entries(volume, directory, 0, [&](BlockRef& block, const Entry& entry) {
    if (entry.offset == 0) {
      return true;
    }
    parent.entry = entry;
    parent.block = std::move(block);
    return false;
  }));
  return parent;
}

Result<BlockRef> directory_block(Volume& volume, const Inode& directory, uint64_t index) {
  const BlockNumber number = CLAY_TRY(find_block(volume, directory, index));
  if (!number) {
    return volume.corrupt("a hole in directory", directory.number);
  }
  return volume.read(number);
}

Result<NamePlace> find_name(Volume& volume, const Inode& directory, StringView name) {
  NamePlace found;
  CLAY_TRY(for_entries(volume, directory, 0, [&](BlockRef& block, const Entry& entry) {
    if (!entry.is_name() || !(entry.name(block.bytes()) == name)) {
      return true;
    }
    found.entry = entry;
    found.block = std::move(block);
    return false;
  }));
  return found;
}

Result<bool> is_empty(Volume& volume, const Inode& directory) {
  bool empty = true;
  CLAY_TRY(for_entries(volume, directory, 0, [&](BlockRef&, const Entry& entry) {
    empty = !entry.is_name();
    return empty;
  }));
  return empty;
}

} // namespace clay::ext2
