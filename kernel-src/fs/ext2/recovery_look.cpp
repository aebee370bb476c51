// What is there: from the root, name by name. Writes nothing.

#include "kernel-src/fs/ext2/recovery.h"

namespace clay::ext2 {

Result<> Recovery::look() {
  CLAY_TRY(look_at_reserved());
  InodeFacts& root = *CLAY_TRY(map_.facts(kRootInode));
  CLAY_TRY(look_at_inode(kRootInode, kRootInode, root));
  if (!root.directory) {
    return volume_.corrupt("the root, inode", kRootInode);
  }
  root.links = 2; // "." and "..": no name
  do {
    while (to_look_into_ != 0) {
      const uint32_t directory = to_look_into_;
      to_look_into_ = CLAY_TRY(map_.facts(directory))->next;
      CLAY_TRY(look_into(directory));
    }
  } while (CLAY_TRY(resolve_one_mark()));
  return {};
}

/// Inodes below the first that is free for all have no names, and blocks that are theirs.
Result<> Recovery::look_at_reserved() {
  for (uint32_t number = 1; number < volume_.geometry.first_inode; ++number) {
    if (number == kRootInode) {
      continue;
    }
    if (number == kBadBlocksInode || number == kResizeInode) {
      CLAY_TRY(claim_loosely(number));
      continue;
    }
    Inode inode(number);
    if (CLAY_TRY(read(number, inode))) {
      InodeFacts facts = {};
      CLAY_TRY(claim_blocks(inode, facts));
    }
  }
  return {};
}

Result<> Recovery::look_into(uint32_t directory) {
  Inode inode(directory);
  if (!CLAY_TRY(read(directory, inode))) {
    return volume_.corrupt("directory", directory);
  }
  Result<> result;
  CLAY_TRY(for_entries(volume_, inode, 0, [&](BlockRef& block, const Entry& entry) {
    if (entry.is_name()) {
      result = look_at_entry(directory, static_cast<uint32_t>(block.number()), entry);
    }
    return result.ok();
  }));
  return result;
}

Result<> Recovery::look_at_entry(uint32_t directory, uint32_t block, const Entry& entry) {
  const Mark mark{directory, entry.inode, {block, entry.offset}, false, false};
  if ((entry.type & kMarkOld) != 0) {
    wrong_types_ = true;
    return note(old_, mark);
  }
  if ((entry.type & kMarkNew) != 0) {
    CLAY_TRY(note(new_, mark));
  }
  CLAY_TRY(name_found(directory, entry.inode));
  const InodeFacts* const facts = map_.known(entry.inode);
  wrong_types_ = wrong_types_ || (!facts->nobody && facts->type != entry.type);
  return {};
}

Result<> Recovery::note(Marks& marks, const Mark& mark) {
  if (marks.count == Marks::kMost) {
    return volume_.corrupt("another mark of a move, in directory", mark.directory);
  }
  marks.items[marks.count++] = mark;
  return {};
}

/// A name that counts.
Result<> Recovery::name_found(uint32_t directory, uint32_t number) {
  if (number < volume_.geometry.first_inode) {
    return volume_.corrupt("an entry that leads to inode", number);
  }
  InodeFacts& facts = *CLAY_TRY(map_.facts(number));
  if (facts.nobody) {
    return {};
  }
  if (facts.links == 0) {
    return look_at_inode(number, directory, facts);
  }
  if (facts.directory || facts.links == UINT16_MAX) {
    return volume_.corrupt("a name too many of inode", number);
  }
  ++facts.links;
  return {};
}

/// Met for the first time.
Result<> Recovery::look_at_inode(uint32_t number, uint32_t parent, InodeFacts& facts) {
  Inode inode(number);
  if (!CLAY_TRY(read(number, inode))) {
    facts.nobody = true;
    return {};
  }
  facts.type = editor_.type_of(inode);
  facts.directory = inode.is_directory();
  facts.links = 1;
  if (facts.directory) {
    facts.links = 2; // its name and "."
    facts.parent = parent;
    InodeFacts& above = *CLAY_TRY(map_.facts(parent));
    if (++above.links > UINT16_MAX) { // ".." is one
      return volume_.corrupt("a name too many of inode", parent);
    }
    facts.next = to_look_into_;
    to_look_into_ = number;
  }
  return claim_blocks(inode, facts);
}

/// An old name whose inode has got a new one is gone. One that has none is a name like others: the
/// move has not happened. False when there are no marks left.
Result<bool> Recovery::resolve_one_mark() {
  Mark* first = nullptr;
  for (unsigned i = 0; i < old_.count; ++i) {
    Mark& mark = old_.items[i];
    if (mark.resolved) {
      continue;
    }
    first = first == nullptr ? &mark : first;
    for (unsigned j = 0; j < new_.count; ++j) {
      if (new_.items[j].inode == mark.inode) {
        mark.resolved = true;
        mark.gone = true;
        return true;
      }
    }
  }
  if (first == nullptr) {
    return false;
  }
  first->resolved = true;
  CLAY_TRY(name_found(first->directory, first->inode));
  return true;
}

} // namespace clay::ext2
