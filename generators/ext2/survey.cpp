#include "generators/ext2/survey.h"

namespace kiln::gen::ext2 {
namespace {

class Surveyor {
 public:
  explicit Surveyor(const Image& image) : image_(image) {}

  Survey look() {
    if (!super()) return std::move(found_);
    for (uint32_t number = kRoot; number <= found_.inodes; ++number) {
      if (number == kRoot || number >= kFirstFileInode0) node(number);
    }
    return std::move(found_);
  }

 private:
  bool super() {
    const uint8_t* super = super_of(image_);
    Survey& s = found_;
    s.block_bytes = image_.block_bytes();
    s.first_block = le32(super + super::kFirstBlock);
    s.blocks = le32(super + super::kBlocks);
    s.blocks_per_group = le32(super + super::kBlocksPerGroup);
    s.inodes = le32(super + super::kInodes);
    s.inodes_per_group = le32(super + super::kInodesPerGroup);
    s.revision = le32(super + super::kRevision);
    s.inode_bytes = s.revision == 0 ? kInodeBytes0 : le16(super + super::kInodeSize);
    s.sparse = (le32(super + super::kReadOnly) & kSparseFeature) != 0;
    s.types = (le32(super + super::kIncompatible) & kFileTypeFeature) != 0;
    if (s.blocks > image_.blocks() || s.blocks_per_group == 0 || s.inodes_per_group == 0 ||
        s.inode_bytes < kInodeBytes0 || s.first_block >= s.blocks) {
      return false;
    }
    s.table_blocks = (s.inodes_per_group * s.inode_bytes + s.block_bytes - 1) / s.block_bytes;
    const uint32_t groups = (s.blocks - s.first_block - 1) / s.blocks_per_group + 1;
    for (uint32_t i = 0; i < groups; ++i) {
      const uint32_t at = i * kDescriptorBytes;
      const uint32_t block = s.first_block + 1 + at / s.block_bytes;
      if (block >= s.blocks) return false;
      const uint8_t* descriptor = image_.read(block) + at % s.block_bytes;
      const Survey::Group group{.block_bitmap = le32(descriptor + group::kBlockBitmap),
                                .inode_bitmap = le32(descriptor + group::kInodeBitmap),
                                .table = le32(descriptor + group::kInodeTable)};
      if (group.table >= s.blocks || s.table_blocks > s.blocks - group.table ||
          group.block_bitmap >= s.blocks || group.inode_bitmap >= s.blocks) {
        return false;
      }
      s.groups.push_back(group);
    }
    if (s.inodes > groups * s.inodes_per_group) s.inodes = groups * s.inodes_per_group;
    return true;
  }

  void node(uint32_t number) {
    Survey::Node node = found_.place(number);
    const uint8_t* inode = image_.read(node.block) + node.at;
    if (le16(inode + inode::kLinks) == 0) return;
    node.mode = le16(inode + inode::kMode);
    found_.nodes.push_back(node);
    const uint32_t kind = node.mode & kModeKind;
    const bool directory = kind == kModeDirectory;
    const uint32_t size = le32(inode + inode::kSize);
    if (!directory && kind != kModeFile && (kind != kModeSymlink || size < kPointerBytes)) return;
    for (uint32_t i = 0; i < kPointers; ++i) {
      const uint32_t level = i < kDirectPointers ? 0 : i - kDirectPointers + 1;
      pointer({.inode = number,
               .block = node.block,
               .at = node.at + inode::kPointers + i * 4,
               .level = level,
               .directory = directory});
    }
  }

  void pointer(Survey::Pointer pointer) {
    if (found_.pointers.size() >= kMost) return;
    pointer.to = le32(image_.read(pointer.block) + pointer.at);
    if (pointer.to == 0 || pointer.to >= found_.blocks) return;
    found_.pointers.push_back(pointer);
    if (pointer.level == 0) {
      if (pointer.directory) entries(pointer.inode, pointer.to);
      return;
    }
    for (uint32_t at = 0; at < found_.block_bytes; at += 4) {
      if (le32(image_.read(pointer.to) + at) == 0) continue;
      this->pointer({.inode = pointer.inode,
                     .block = pointer.to,
                     .at = at,
                     .level = pointer.level - 1,
                     .directory = pointer.directory});
    }
  }

  void entries(uint32_t directory, uint32_t block) {
    const uint8_t* bytes = image_.read(block);
    for (uint32_t at = 0; at + kEntryHeader <= found_.block_bytes;) {
      const uint32_t length = le16(bytes + at + 4);
      const uint32_t name = bytes[at + 6];
      if (length < 12 || length > found_.block_bytes - at || name + kEntryHeader > length) return;
      const uint8_t* text = bytes + at + kEntryHeader;
      const bool dot = text[0] == '.' && (name == 1 || (name == 2 && text[1] == '.'));
      found_.entries.push_back({.directory = directory,
                                .block = block,
                                .at = at,
                                .length = length,
                                .inode = le32(bytes + at),
                                .name_bytes = name,
                                .dot = dot});
      at += length;
    }
  }

  static constexpr size_t kMost = 20'000; ///< an image that is not sound may go in a circle

  const Image& image_;
  Survey found_;
};

} // namespace

Survey::Node Survey::place(uint32_t number) const {
  const uint32_t at = (number - 1) % inodes_per_group * inode_bytes;
  return {.number = number,
          .block = groups[(number - 1) / inodes_per_group].table + at / block_bytes,
          .at = at % block_bytes};
}

Survey survey(const Image& image) { return Surveyor(image).look(); }

} // namespace kiln::gen::ext2
