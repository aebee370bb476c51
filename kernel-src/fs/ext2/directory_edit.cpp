#include "kernel-src/fs/ext2/directory_edit.h"

#include <utility>

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/endian.h"
#include "kernel-src/lib/le_fields.h"

namespace clay::ext2 {

namespace {

constexpr uint32_t kSmallest = Entry::needed(1); // an entry, empty or not

void set_length(MutableBytes block, uint32_t offset, uint32_t length) {
  store_le(block.from(offset + entry::kLength).data(), truncate_to<uint16_t>(length));
}

void set_inode(MutableBytes block, uint32_t offset, uint32_t inode) {
  store_le(block.from(offset + entry::kInode).data(), inode);
}

} // namespace

uint8_t DirectoryEditor::type_of(const Inode& inode) const {
  if (!volume_.geometry.types) {
    return 0;
  }
  switch (inode.mode & kModeKind) {
  case kModeFile:
    return kTypeFile;
  case kModeDirectory:
    return kTypeDirectory;
  case kModeCharacter:
    return kTypeCharacter;
  case kModeBlock:
    return kTypeBlock;
  case kModeFifo:
    return kTypeFifo;
  case kModeSocket:
    return kTypeSocket;
  case kModeSymlink:
    return kTypeSymlink;
  default:
    return kTypeUnknown;
  }
}

// --- Where a name can go

/// Takes this entry's room for the slot, if that is better than what the slot has.
void DirectoryEditor::look_at(const Entry& entry, uint32_t block, uint32_t needed,
                              NameSlot& slot) const {
  if (slot.how == NameSlot::How::kBeside) {
    return;
  }
  const bool empty = entry.inode == 0;
  const uint32_t place = entry.offset + entry.used();
  const bool room = needed <= entry.end() - place;
  if (room && in_one_sector(place, needed) &&
      (empty || sector_of(entry.offset + entry::kLength) == sector_of(place))) {
    slot = {NameSlot::How::kBeside, empty, block, entry.offset, place, entry.end()};
    return;
  }
  if (slot.how == NameSlot::How::kBehind) {
    return;
  }
  uint32_t behind = empty ? entry.offset + kSmallest : place;
  if (!in_one_sector(behind, needed)) {
    behind = (sector_of(behind) + 1) * sector_bytes_;
  }
  if (behind <= entry.end() && needed <= entry.end() - behind) {
    slot = {NameSlot::How::kBehind, false, block, entry.offset, behind, entry.end()};
  }
}

Result<NameSearch> DirectoryEditor::search(const Inode& directory, StringView name) {
  NameSearch search;
  const uint32_t needed = Entry::needed(static_cast<uint32_t>(name.size()));
  CLAY_TRY(for_entries(volume_, directory, 0, [&](BlockRef& block, const Entry& entry) {
    if (entry.is_name() && entry.name(block.bytes()) == name) {
      search.found.entry = entry;
      search.found.block = std::move(block);
      return false;
    }
    look_at(entry, static_cast<uint32_t>(block.number()), needed, search.slot);
    return true;
  }));
  return search;
}

// --- Changes inside a block

void DirectoryEditor::write(MutableBytes block, uint32_t offset, uint32_t length, StringView name,
                            uint32_t inode, uint8_t type) {
  const auto name_length = static_cast<uint8_t>(name.size());
  set_inode(block, offset, inode);
  set_length(block, offset, length);
  block[offset + entry::kNameLength] = name_length;
  block[offset + entry::kType] = type;
  if (name_length != 0) {
    memcpy(block.subspan(offset + kEntryHeader, name_length).data(), name.data(), name_length);
  }
}

void DirectoryEditor::write_beside(MutableBytes block, const NameSlot& slot, StringView name,
                                   uint32_t inode, uint8_t type) {
  write(block, slot.place, slot.end - slot.place, name, inode, type);
  if (!slot.reuses) {
    set_length(block, slot.offset, slot.place - slot.offset);
  }
}

/// Joins the entry to the one before it if that begins in the same sector; else it is empty.
bool DirectoryEditor::take_out(MutableBytes block, uint32_t offset) const {
  const LeFields fields(block);
  uint32_t before = 0;
  uint32_t at = 0;
  while (at < offset) {
    const uint32_t length = fields.u16(at + entry::kLength);
    if (length < kSmallest || length > offset - at) {
      return false; // not what it was when it was checked: the block is also another
    }
    before = at;
    at += length;
  }
  if (offset != 0 && sector_of(before) == sector_of(offset)) {
    set_length(block, before, offset - before + fields.u16(offset + entry::kLength));
  } else {
    set_inode(block, offset, 0);
  }
  return true;
}

void DirectoryEditor::write_first(MutableBytes block, uint32_t self, uint32_t parent) {
  const uint8_t type = volume_.geometry.types ? kTypeDirectory : kTypeUnknown;
  write(block, 0, kSmallest, StringView("."), self, type);
  write(block, kSmallest, sector_bytes_ - kSmallest, StringView(".."), parent, type);
  for (uint32_t offset = sector_bytes_; offset < block.size(); offset += sector_bytes_) {
    write(block, offset, sector_bytes_, StringView(), 0, 0);
  }
}

// --- Changes of a directory

Result<> DirectoryEditor::begin(Inode& directory) {
  if ((directory.flags & kFlagIndexed) == 0) {
    return {};
  }
  directory.flags &= ~kFlagIndexed;
  const Result<> stored = inodes_.store(directory, kStageNew);
  if (!stored.ok()) {
    directory.flags |= kFlagIndexed;
  }
  return stored;
}

Result<EntryAt> DirectoryEditor::insert(Inode& directory, const NameSlot& slot, StringView name,
                                        uint32_t inode, uint8_t type) {
  if (slot.how == NameSlot::How::kNewBlock) {
    return append(directory, name, inode, type);
  }
  if (slot.how == NameSlot::How::kBehind) {
    return insert_behind(slot, name, inode, type);
  }
  const BlockRef block = CLAY_TRY(volume_.cache().read(slot.block));
  const BlockEdit edit = CLAY_TRY(block.edit(kStageNames));
  write_beside(edit.bytes(), slot, name, inode, type);
  return EntryAt{slot.block, slot.place};
}

Result<EntryAt> DirectoryEditor::insert_behind(const NameSlot& slot, StringView name,
                                               uint32_t inode, uint8_t type) {
  const BlockRef block = CLAY_TRY(volume_.cache().read(slot.block));
  {
    const BlockEdit unseen = CLAY_TRY(block.edit(kStageNew));
    write(unseen.bytes(), slot.place, slot.end - slot.place, name, inode, type);
  }
  const BlockEdit seen = CLAY_TRY(block.edit(kStageNames));
  set_length(seen.bytes(), slot.offset, slot.place - slot.offset);
  return EntryAt{slot.block, slot.place};
}

/// A block more, in which every sector begins with an entry. It is seen with the new size.
Result<EntryAt> DirectoryEditor::append(Inode& directory, StringView name, uint32_t inode,
                                        uint8_t type) {
  const Geometry& geometry = volume_.geometry;
  if (directory.size > UINT32_MAX - geometry.block_bytes) {
    return Error::kNoSpace;
  }
  const uint64_t old_size = directory.size;
  const auto fail = [&](Error error) {
    directory.size = old_size;
    directory.trim = true;
    inodes_.leave(directory);
    return error;
  };
  const BlockNumber number =
      CLAY_TRY(grow_block(volume_, directory, old_size >> geometry.block_shift));
  {
    const Result<BlockRef> block = volume_.read(number);
    if (!block.ok()) {
      return fail(block.error());
    }
    const Result<BlockEdit> edit = block.value().edit(kStageNew);
    if (!edit.ok()) {
      return fail(edit.error());
    }
    const MutableBytes bytes = edit.value().bytes();
    write(bytes, 0, sector_bytes_, name, inode, type);
    for (uint32_t offset = sector_bytes_; offset < geometry.block_bytes; offset += sector_bytes_) {
      write(bytes, offset, sector_bytes_, StringView(), 0, 0);
    }
  }
  directory.size += geometry.block_bytes;
  const Result<> stored = inodes_.store(directory, kStageNames);
  if (!stored.ok()) {
    return fail(stored.error());
  }
  return EntryAt{number.raw(), 0};
}

Result<> DirectoryEditor::remove(const BlockRef& block, uint32_t offset, unsigned stage) {
  const BlockEdit edit = CLAY_TRY(block.edit(stage));
  if (!take_out(edit.bytes(), offset)) {
    return volume_.corrupt("a block of a directory,", block.number());
  }
  return {};
}

} // namespace clay::ext2
