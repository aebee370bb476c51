// What a cut has left made right. Every decision has been made; each part of it that is durable is
// found again as it is now, and decided alike.

#include "kernel-src/fs/ext2/inode_table.h"
#include "kernel-src/fs/ext2/recovery.h"
#include "kernel-src/lib/bitmap.h"
#include "kernel-src/lib/le_fields.h"
#include "kernel-src/log/log.h"

namespace clay::ext2 {

Result<> recover(Volume& volume, DirectoryEditor& editor) {
  const Box<RecoveryMap> map = CLAY_TRY(RecoveryMap::create(volume));
  Recovery recovery(volume, editor, *map);
  Result<> result = recovery.look();
  if (result.ok()) {
    result = recovery.repair();
  }
  // What is corrupt can still be read.
  return result.failed_with(Error::kCorrupt) ? Result<>() : result;
}

Result<> Recovery::repair() {
  CLAY_TRY(volume_.mark_in_use());
  CLAY_TRY(for_directories(
      [this](uint32_t number, const InodeFacts& facts) { return repair_names(number, facts); }));
  CLAY_TRY(volume_.cache().sync(kStageNames));
  if (wrong_types_) {
    CLAY_TRY(for_directories(
        [this](uint32_t number, const InodeFacts&) { return repair_types(number); }));
  }
  for (uint32_t group = 0; group < volume_.geometry.groups; ++group) {
    CLAY_TRY(repair_inodes(group));
    CLAY_TRY(repair_bitmaps(group));
  }
  CLAY_TRY(repair_attributes());
  CLAY_TRY(volume_.write_counts(kStageFrees));
  CLAY_TRY(volume_.cache().sync());
  log_info("ext2: was not unmounted, and has been put right");
  return {};
}

// --- Directories

template <typename Act> Result<> Recovery::for_directories(Act act) {
  for (uint32_t number = 1; number <= volume_.geometry.inodes; ++number) {
    const InodeFacts* const facts = map_.known(number);
    if (facts != nullptr && facts->directory && facts->links != 0) {
      CLAY_TRY(act(number, *facts));
    }
    if (number == volume_.geometry.inodes) {
      break; // there may be 2^32 - 1
    }
  }
  return {};
}

bool Recovery::is_to_go(uint32_t block, const Entry& entry) const {
  for (unsigned i = 0; i < old_.count; ++i) {
    const Mark& mark = old_.items[i];
    if (mark.gone && mark.at.block == block && mark.at.offset == entry.offset) {
      return true;
    }
  }
  const InodeFacts* const facts = map_.known(entry.inode);
  return facts == nullptr || facts->nobody;
}

/// Names that lead to nothing, old names of moves, and "..".
Result<> Recovery::repair_names(uint32_t directory, const InodeFacts& facts) {
  Inode inode(directory);
  static_cast<void>(CLAY_TRY(read(directory, inode)));
  Result<> result;
  CLAY_TRY(for_entries(volume_, inode, 0, [&](BlockRef& block, const Entry& entry) {
    const bool is_parent = entry.is_dots && entry.offset != 0;
    if (is_parent && entry.inode != facts.parent) {
      result = set_bytes(block, entry.offset + entry::kInode, facts.parent, kStageNames);
    } else if (entry.is_name() && is_to_go(static_cast<uint32_t>(block.number()), entry)) {
      result = editor_.remove(block, entry.offset, kStageNames);
    }
    return result.ok();
  }));
  return result;
}

Result<> Recovery::repair_types(uint32_t directory) {
  Inode inode(directory);
  static_cast<void>(CLAY_TRY(read(directory, inode)));
  Result<> result;
  CLAY_TRY(for_entries(volume_, inode, 0, [&](BlockRef& block, const Entry& entry) {
    const InodeFacts* const facts = entry.is_name() ? map_.known(entry.inode) : nullptr;
    if (facts != nullptr && facts->type != entry.type) {
      result = set_bytes(block, entry.offset + entry::kType, facts->type, kStageFrees);
    }
    return result.ok();
  }));
  return result;
}

template <typename T>
Result<> Recovery::set_bytes(const BlockRef& block, size_t at, T value, unsigned stage) {
  const BlockEdit edit = CLAY_TRY(block.edit(stage));
  store_le(edit.bytes().subspan(at, sizeof(T)).data(), value);
  return {};
}

// --- Groups

/// Inodes that nobody leads to are freed, link counts are what was counted.
Result<> Recovery::repair_inodes(uint32_t group) {
  const Geometry& geometry = volume_.geometry;
  for (uint32_t i = 0; i < geometry.inodes_per_group; ++i) {
    const uint32_t number = group * geometry.inodes_per_group + i + 1;
    if (number < geometry.first_inode && number != kRootInode) {
      continue;
    }
    const InodePlace at = CLAY_TRY(inode_place(volume_, number));
    const LeFields fields(at.block.bytes().subspan(at.offset, kInodeBytesOld));
    const uint16_t links = fields.u16(inode::kLinks);
    const InodeFacts* const facts = map_.known(number);
    if (facts == nullptr || facts->links == 0) {
      const bool deleted = fields.u16(inode::kMode) == 0 || fields.u32(inode::kDeletionTime) != 0;
      if (links != 0 || !deleted) {
        const BlockEdit edit = CLAY_TRY(at.block.edit(kStageFrees));
        memset(edit.bytes().from(at.offset).data(), 0, geometry.inode_bytes);
      }
      continue;
    }
    if (links != facts->links) {
      CLAY_TRY(set_bytes(at.block, at.offset + inode::kLinks, truncate_to<uint16_t>(facts->links),
                         kStageFrees));
    }
    if (facts->to_fix) {
      CLAY_TRY(fix_inode(number));
    }
  }
  return {};
}

Result<> Recovery::write_bits(uint32_t bitmap, Bytes bits) {
  const BlockRef block = CLAY_TRY(volume_.cache().read(bitmap));
  if (!same_elements(block.bytes(), bits)) {
    const BlockEdit edit = CLAY_TRY(block.edit(kStageFrees));
    memcpy(edit.bytes().data(), bits.data(), bits.size());
  }
  return {};
}

Result<> Recovery::repair_bitmaps(uint32_t group) {
  const Geometry& geometry = volume_.geometry;
  using Bits = BitmapView<const uint8_t>;
  const uint32_t blocks = geometry.blocks_of_group(group);
  const Bytes block_bits = CLAY_TRY(map_.block_bits(group));
  const size_t used_blocks = Bits(block_bits, blocks).count();
  CLAY_TRY(write_bits(volume_.groups[group].block_bitmap, block_bits));
  map_.drop_blocks(group);

  if (inode_bits_.size() == 0) {
    inode_bits_ = CLAY_TRY(Array<uint8_t>::create(geometry.block_bytes));
  }
  map_.inode_bits(group, inode_bits_.span());
  const size_t used_inodes = Bits(inode_bits_.span(), geometry.inodes_per_group).count();
  CLAY_TRY(write_bits(volume_.groups[group].inode_bitmap, inode_bits_.span()));

  uint32_t directories = 0;
  for (uint32_t i = 0; i < geometry.inodes_per_group; ++i) {
    const InodeFacts* const facts = map_.known(group * geometry.inodes_per_group + i + 1);
    directories += facts != nullptr && facts->directory && facts->links != 0 ? 1 : 0;
  }
  volume_.set_counts(group, blocks - static_cast<uint32_t>(used_blocks),
                     geometry.inodes_per_group - static_cast<uint32_t>(used_inodes), directories);
  return {};
}

Result<> Recovery::repair_attributes() {
  Result<> result;
  map_.for_attributes([&](const AttributeFacts& facts) {
    if (result.ok()) {
      result = repair_attributes_block(facts);
    }
  });
  return result;
}

Result<> Recovery::repair_attributes_block(const AttributeFacts& facts) {
  const BlockRef block = CLAY_TRY(volume_.cache().read(facts.block));
  if (LeFields(block.bytes()).u32(attributes::kReferences) == facts.references) {
    return {};
  }
  return set_bytes(block, attributes::kReferences, facts.references, kStageFrees);
}

} // namespace clay::ext2
