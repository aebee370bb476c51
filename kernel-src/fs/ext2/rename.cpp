// A name moved. Within a sector it is one change; else marks tell a recovery which of two names is
// the old one (README.md, "What is written when").

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/fs/ext2/filesystem.h"
#include "kernel-src/lib/endian.h"

namespace clay::ext2 {

struct Ext2::Moved {
  Inode& from;
  StringView name;
  Inode& to;
  StringView to_name;
  NamePlace old_name;
  NameSearch search; ///< of the new name
  InodeRef source;
  InodeRef target; ///< what has the new name so far, or none

  bool changes_parent() const { return source->is_directory() && &from != &to; }
};

namespace {

void set_inode(MutableBytes block, uint32_t offset, uint32_t inode) {
  store_le(block.from(offset + entry::kInode).data(), inode);
}

EntryAt place_of(const NamePlace& name) {
  return {static_cast<uint32_t>(name.block.number()), name.entry.offset};
}

} // namespace

// --- Whether it may be

/// Whether a directory is `ancestor` or lies below it. The ways up may be a circle (Brent's way to
/// see that: a mark that moves ahead at powers of two).
Result<bool> Ext2::is_below(const Inode& directory, uint32_t ancestor) {
  uint32_t at = directory.number;
  uint32_t mark = at;
  uint64_t steps = 0;
  uint64_t mark_moves = 1;
  while (at != kRootInode) {
    if (at == ancestor) {
      return true;
    }
    const InodeRef inode = CLAY_TRY(inodes_.get(at));
    if (!inode->is_directory()) {
      return volume_->corrupt("a way up that ends at inode", at);
    }
    at = CLAY_TRY(parent_of(*volume_, *inode)).entry.inode;
    if (at == mark) {
      return volume_->corrupt("a way up in a circle, over inode", at);
    }
    if (++steps == mark_moves) {
      mark = at;
      mark_moves *= 2;
    }
  }
  return at == ancestor;
}

Result<> Ext2::check_move(Moved& moved) {
  const Inode& source = *moved.source;
  if (source.is_directory()) {
    if (CLAY_TRY(is_below(moved.to, source.number))) {
      return Error::kInvalid;
    }
    if (CLAY_TRY(parent_of(*volume_, source)).entry.inode != moved.from.number) {
      return volume_->corrupt("the way up from directory", source.number);
    }
    if (moved.from.links <= 2) {
      return volume_->corrupt("the link count of directory", moved.from.number);
    }
  }
  if (moved.target) {
    if (source.is_directory()) {
      return check_removable(*moved.target, moved.to);
    }
    return moved.target->is_directory() ? Error::kIsDirectory : Result<>();
  }
  const bool more = moved.changes_parent() && moved.to.links >= kMostLinks;
  return more ? Error::kTooMany : Result<>();
}

Result<> Ext2::rename(Inode& from, StringView name, Inode& to, StringView to_name) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_directory(from));
  CLAY_TRY(check_directory(to));
  CLAY_TRY(check_name(name));
  CLAY_TRY(check_name(to_name));
  CLAY_TRY(begin_change());
  Moved moved{from, name, to, to_name, {}, {}, {}, {}};
  moved.old_name = CLAY_TRY(find_name(*volume_, from, name));
  if (!moved.old_name.block) {
    return Error::kNotFound;
  }
  moved.source = CLAY_TRY(named(moved.old_name.entry.inode));
  moved.search = CLAY_TRY(editor_.search(to, to_name));
  if (moved.search.found.block) {
    moved.target = CLAY_TRY(named(moved.search.found.entry.inode));
    if (moved.target.get() == moved.source.get()) {
      return {};
    }
  }
  CLAY_TRY(check_move(moved));
  if (!moved.target) {
    // It may come to lie in the slot, or where the old name is.
    if (removed_.clash(to.number, to_name, sector_at(place_of(moved.old_name)))) {
      CLAY_TRY(commit());
    }
    CLAY_TRY(prepare(to, to_name, moved.search.slot, 0, 0));
  } else {
    // What loses its name here must not lose it before another that is new is durable; nor must
    // what was in a directory that has been emptied.
    const Inode& target = *moved.target;
    if (target.is_directory() || (target.named && target.links > 1)) {
      CLAY_TRY(commit());
    }
    CLAY_TRY(editor_.begin(to));
  }
  CLAY_TRY(editor_.begin(from));

  Result<> result;
  if (!move_in_sector(moved, result)) {
    result = move_with_marks(moved);
  }
  if (result.ok()) {
    count_links(moved);
  }
  return result;
}

void Ext2::count_links(Moved& moved) {
  Inode& source = *moved.source;
  source.named = true;
  inodes_.leave(source);
  if (moved.target) {
    drop_link(*moved.target);
    if (source.is_directory()) {
      --moved.to.links;
      inodes_.leave(moved.to);
    }
  }
  if (moved.changes_parent()) {
    --moved.from.links;
    ++moved.to.links;
    inodes_.leave(moved.from);
    inodes_.leave(moved.to);
  }
}

// --- Within a sector

/// False: it cannot be done so.
bool Ext2::move_in_sector(Moved& moved, Result<>& result) {
  const Entry& old = moved.old_name.entry;
  const NameSlot& slot = moved.search.slot;
  const auto length = static_cast<uint32_t>(moved.to_name.size());
  const uint32_t sector = editor_.sector_of(old.offset);
  if (&moved.from != &moved.to || !editor_.in_one_sector(old.offset, kEntryHeader)) {
    return false;
  }
  const bool in_place = !moved.target && Entry::needed(length) <= old.length &&
                        editor_.in_one_sector(old.offset, Entry::needed(length));
  const bool beside = !moved.target && slot.how == NameSlot::How::kBeside &&
                      slot.block == moved.old_name.block.number() &&
                      editor_.sector_of(slot.place) == sector;
  bool replaces = false;
  if (moved.target) {
    const NamePlace& found = moved.search.found;
    replaces = found.block.number() == moved.old_name.block.number() &&
               editor_.in_one_sector(found.entry.offset, kEntryHeader) &&
               editor_.sector_of(found.entry.offset) == sector;
  }
  if (!in_place && !beside && !replaces) {
    return false;
  }
  const Result<BlockEdit> edit = moved.old_name.block.edit(kStageNames);
  if (!edit.ok()) {
    result = edit.error();
    return true;
  }
  const MutableBytes bytes = edit.value().bytes();
  const uint8_t type = editor_.type_of(*moved.source);
  if (replaces) {
    const uint32_t at = moved.search.found.entry.offset;
    if (!editor_.take_out(bytes, old.offset)) {
      result = volume_->corrupt("a block of directory", moved.from.number);
      return true;
    }
    set_inode(bytes, at, old.inode);
    bytes[at + entry::kType] = type;
  } else if (in_place) {
    DirectoryEditor::write(bytes, old.offset, old.length, moved.to_name, old.inode, type);
  } else {
    editor_.write_beside(bytes, slot, moved.to_name, old.inode, type);
    set_inode(bytes, old.offset, 0);
  }
  removed_.add(moved.from.number, moved.name, sector_at(place_of(moved.old_name)));
  return true;
}

// --- With marks

Result<> Ext2::set_type(const EntryAt& at, uint8_t type, unsigned stage) {
  const BlockRef block = CLAY_TRY(volume_->cache().read(at.block));
  const BlockEdit edit = CLAY_TRY(block.edit(stage));
  edit.bytes()[at.offset + entry::kType] = type;
  return {};
}

Result<EntryAt> Ext2::put_new_name(Moved& moved) {
  const uint8_t type = editor_.type_of(*moved.source) | kMarkNew;
  const uint32_t number = moved.source->number;
  if (!moved.target) {
    return editor_.insert(moved.to, moved.search.slot, moved.to_name, number, type);
  }
  const NamePlace& found = moved.search.found;
  if (!editor_.in_one_sector(found.entry.offset, kEntryHeader)) {
    CLAY_TRY(set_type(place_of(found), type, kStageNew)); // the mark first: it says nothing yet
  }
  const BlockEdit edit = CLAY_TRY(found.block.edit(kStageNames));
  set_inode(edit.bytes(), found.entry.offset, number);
  edit.bytes()[found.entry.offset + entry::kType] = type;
  return place_of(found);
}

void Ext2::undo_new_name(Moved& moved, const EntryAt& at) {
  const Result<> undone = [&]() -> Result<> {
    const BlockRef block = CLAY_TRY(volume_->cache().read(at.block));
    const BlockEdit edit = CLAY_TRY(block.edit(kStageNames));
    if (moved.target) {
      set_inode(edit.bytes(), at.offset, moved.target->number);
      edit.bytes()[at.offset + entry::kType] = moved.search.found.entry.type;
    } else if (!editor_.take_out(edit.bytes(), at.offset)) {
      return Error::kCorrupt;
    }
    return {};
  }();
  if (!undone.ok()) {
    volume_->give_up("half of a rename that cannot be undone");
  }
}

/// The old name goes, and a directory learns its new parent.
Result<> Ext2::take_old_name(Moved& moved) {
  if (!moved.changes_parent()) {
    return editor_.remove(moved.old_name.block, moved.old_name.entry.offset, kStageRemovals);
  }
  const NamePlace parent = CLAY_TRY(parent_of(*volume_, *moved.source));
  if (parent.block.number() == moved.old_name.block.number()) {
    return volume_->corrupt("a block of two directories,", parent.block.number());
  }
  const BlockEdit dots = CLAY_TRY(parent.block.edit(kStageRemovals));
  CLAY_TRY(editor_.remove(moved.old_name.block, moved.old_name.entry.offset, kStageRemovals));
  set_inode(dots.bytes(), parent.entry.offset, moved.to.number);
  return {};
}

Result<> Ext2::move_with_marks(Moved& moved) {
  const EntryAt old = place_of(moved.old_name);
  const uint8_t old_type = moved.old_name.entry.type;
  CLAY_TRY(set_type(old, old_type | kMarkOld, kStageNew));
  const Result<EntryAt> put = put_new_name(moved);
  Result<> result = put.ok() ? take_old_name(moved) : put.error();
  if (result.ok()) {
    moved_ = put.value();
    return {};
  }
  if (put.ok()) {
    undo_new_name(moved, put.value());
  }
  if (!set_type(old, old_type, kStageNew).ok()) {
    volume_->leave_untidy(); // it is still there, and says nothing
  }
  return result;
}

} // namespace clay::ext2
