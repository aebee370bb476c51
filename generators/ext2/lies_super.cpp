#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {
namespace {

uint32_t one_bit(sim::Tape::View data) { return 1U << data.below(32); }

bool backup(Scene& scene) {
  const Survey& there = scene.there;
  for (uint32_t group = 1; group < there.groups_count(); ++group) {
    const bool last = group + 1 == there.groups_count();
    if (!has_super(group, there.sparse) || (!last && scene.data.boolean())) continue;
    const uint32_t first = there.first_block + group * there.blocks_per_group;
    if (scene.data.boolean()) {
      const uint32_t fields[] = {super::kMagicAt,        super::kBlocks,   super::kInodes,
                                 super::kBlocksPerGroup, super::kRevision, super::kIncompatible,
                                 super::kFreeBlocks,     super::kState};
      scene.other32(scene.bytes(first, scene.data.pick(fields)));
    } else {
      scene.other32(scene.bytes(first + 1, static_cast<uint32_t>(scene.data.below(3)) * 4));
    }
    return true;
  }
  return false;
}

} // namespace

bool lie_in_super(Scene& scene, Lie lie) {
  const Survey& there = scene.there;
  uint8_t* super = scene.super();
  const auto other = [&](uint32_t at, std::initializer_list<uint32_t> likely = {}) {
    scene.other32(super + at, likely);
    return true;
  };
  const auto set = [&](uint32_t at, uint32_t bits) {
    store_le(super + at, le32(super + at) | bits);
    return true;
  };
  const uint32_t bits = 8 * there.block_bytes;
  switch (lie) {
  case Lie::kMagic:
    scene.other16(super + super::kMagicAt);
    return true;
  case Lie::kRevision:
    return other(super::kRevision, {1 - there.revision, 2});
  case Lie::kBlockSize:
    return other(super::kLogBlockSize, {0, 1, 2, 3, 6, 7, 21, 22, 31, 32});
  case Lie::kFragments:
    return scene.data.boolean() ? other(super::kLogFragmentSize, {0, 1, 2, 32})
                                : other(super::kFragmentsPerGroup, {bits, bits + 8});
  case Lie::kInodeSize:
    scene.other16(super + super::kInodeSize,
                  {0, 64, 128, 192, 256, there.block_bytes, 2 * there.block_bytes, 0x8000});
    return true;
  case Lie::kFirstInode:
    return there.revision != 0 &&
           other(super::kFirstInode, {0, 2, 10, 12, there.inodes, there.inodes + 1});
  case Lie::kFirstBlock:
    return other(super::kFirstBlock, {1 - there.first_block, 2, there.blocks - 1, there.blocks});
  case Lie::kBlocksPerGroup: {
    const bool together = scene.data.boolean(); // with the fragments: no contradiction left there
    other(super::kBlocksPerGroup,
          {7, 8, 16, bits, bits + 8, 65528, there.blocks_per_group + 8, 0x80000000U});
    if (together) {
      store_le(super + super::kFragmentsPerGroup, le32(super + super::kBlocksPerGroup));
    }
    return true;
  }
  case Lie::kInodesPerGroup:
    return other(super::kInodesPerGroup,
                 {8, there.inodes_per_group + 8, there.inodes_per_group / 2, bits, bits + 8});
  case Lie::kBlocks:
    return other(super::kBlocks, {1, 2, there.blocks + 8, there.blocks * 2, there.blocks - 8,
                                  there.blocks / 2, there.blocks_per_group + 1});
  case Lie::kInodes:
    return other(super::kInodes, {10, 11, there.inodes + 8, there.inodes * 2, there.inodes / 2});
  case Lie::kReservedBlocks:
    return other(super::kReserved,
                 {there.blocks / 2, there.blocks / 2 + 1, there.blocks, there.blocks + 1});
  case Lie::kReservedDescriptors:
    if (there.revision == 0) return false;
    scene.other16(super + super::kReservedDescriptors, {1, 256, 257, there.block_bytes / 4 + 1});
    return true;
  case Lie::kIncompatible:
    if (scene.data.boolean()) {
      store_le(super + super::kIncompatible, le32(super + super::kIncompatible) ^ kFileTypeFeature);
      return true;
    }
    return set(super::kIncompatible, one_bit(scene.data));
  case Lie::kReadOnlyFeature:
    if (scene.data.boolean()) {
      store_le(super + super::kReadOnly, le32(super + super::kReadOnly) ^ kSparseFeature);
      return true;
    }
    return set(super::kReadOnly, one_bit(scene.data));
  case Lie::kCompatible:
    return set(super::kCompatible, one_bit(scene.data));
  case Lie::kUnclean:
    store_le<uint16_t>(super + super::kState, le16(super + super::kState) & ~kStateValid);
    return true;
  case Lie::kErrors:
    store_le<uint16_t>(super + super::kState, le16(super + super::kState) | kStateErrors);
    return true;
  case Lie::kOrphan: {
    const Survey::Node* node = scene.node();
    return other(super::kLastOrphan,
                 {1, 2, 11, there.inodes, there.inodes + 1, node != nullptr ? node->number : 12});
  }
  case Lie::kJournal:
    return other(scene.data.boolean() ? super::kJournalInode : super::kJournalDevice, {8, 11});
  case Lie::kFreeBlocks:
    return other(super::kFreeBlocks, {there.blocks, there.blocks + 1});
  case Lie::kFreeInodes:
    return other(super::kFreeInodes, {there.inodes, there.inodes + 1});
  case Lie::kBackup:
    return backup(scene);
  default:
    return false;
  }
}

} // namespace kiln::gen::ext2
