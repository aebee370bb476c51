// Layout, allocation, and what is kept of what was meant. Directories: maker_directory.cpp; what is
// written at the end: maker_finish.cpp.

#include "generators/ext2/maker.h"

#include <algorithm>
#include <cstring>

#include "generators/ext2/maker_time.h"

namespace kiln::gen::ext2 {
namespace {

uint32_t first_block_of(const Shape& shape) { return shape.block_bytes == 1024 ? 1 : 0; }

uint32_t groups_of(const Shape& shape) {
  return (shape.blocks - first_block_of(shape) - 1) / shape.blocks_per_group + 1;
}

uint32_t descriptor_blocks_of(const Shape& shape) {
  return (groups_of(shape) - 1) / (shape.block_bytes / kDescriptorBytes) + 1;
}

/// Room for metadata in the last group, and a block more; else the image ends before that group.
Shape settle(Shape shape) {
  if (shape.revision == 0) {
    shape.sparse = shape.types = shape.large_files = shape.index = shape.attributes = false;
    shape.inode_bytes = kInodeBytes0;
  }
  const uint32_t per_block = shape.block_bytes / shape.inode_bytes;
  shape.inodes_per_group = (shape.inodes_per_group + per_block - 1) / per_block * per_block;
  if (shape.blocks_per_group == 0) shape.blocks_per_group = 8 * shape.block_bytes;
  const uint32_t table = shape.inodes_per_group / per_block;
  const uint32_t first = first_block_of(shape);
  for (uint32_t groups = groups_of(shape); groups > 1; --groups) {
    const uint32_t last = first + (groups - 1) * shape.blocks_per_group;
    uint32_t needed = 2 + table + 1;
    if (has_super(groups - 1, shape.sparse)) needed += 1 + descriptor_blocks_of(shape);
    if (shape.blocks - last >= needed) break;
    shape.blocks = last;
  }
  return shape;
}

} // namespace

void fill_contents(uint64_t seed, std::span<uint8_t> out) {
  uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;
  for (size_t at = 0; at + 8 <= out.size(); at += 8) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    store_le(&out[at], state);
  }
}

Maker::Maker(const Shape& shape)
    : shape_(settle(shape)), first_block_(first_block_of(shape_)), group_count_(groups_of(shape_)),
      descriptor_blocks_(descriptor_blocks_of(shape_)), image_(shape_.block_bytes, shape_.blocks) {
  lay_out();
  // The root, and the inodes before the first one for files.
  for (uint32_t number = 1; number < kFirstFileInode0; ++number) {
    used_inodes_[(number - 1) / 8] |= static_cast<uint8_t>(1U << ((number - 1) % 8));
  }
  groups_[0].free_inodes -= kFirstFileInode0 - 1;
  free_inodes_ -= kFirstFileInode0 - 1;
  next_inode_ = kFirstFileInode0;
  store_le<uint16_t>(inode(kRoot) + inode::kMode, kModeDirectory | 0755);
  meant_.nodes.push_back({.number = kRoot, .mode = kModeDirectory | 0755});
  ++groups_[0].directories;
  new_directory(kRoot, kRoot);
  if (shape_.lost_found) directory(kRoot, "lost+found");
}

void Maker::lay_out() {
  table_blocks_ = shape_.inodes_per_group * shape_.inode_bytes / shape_.block_bytes;
  used_blocks_.resize((size_t{group_count_} * shape_.blocks_per_group + 7) / 8);
  used_inodes_.resize((size_t{group_count_} * shape_.inodes_per_group + 7) / 8);
  groups_.resize(group_count_);
  for (uint32_t group = 0; group < group_count_; ++group)
    lay_out_group(group);
  next_block_ = groups_[0].table + table_blocks_;
}

void Maker::lay_out_group(uint32_t group) {
  uint32_t at = group_first(group);
  const uint32_t begin = at;
  if (has_super(group, shape_.sparse)) at += 1 + descriptor_blocks_;
  Group& g = groups_[group];
  g.block_bitmap = at++;
  g.inode_bitmap = at++;
  g.table = at;
  at += table_blocks_;
  for (uint32_t bit = begin - first_block_; bit < at - first_block_; ++bit) {
    used_blocks_[bit / 8] |= static_cast<uint8_t>(1U << (bit % 8));
  }
  g.free_blocks = group_blocks(group) - (at - begin);
  g.free_inodes = shape_.inodes_per_group;
  free_blocks_ += g.free_blocks;
  free_inodes_ += g.free_inodes;
}

uint8_t* Maker::inode(uint32_t number) {
  const Group& group = groups_[(number - 1) / shape_.inodes_per_group];
  const uint32_t at = (number - 1) % shape_.inodes_per_group * shape_.inode_bytes;
  return image_.write(group.table + at / shape_.block_bytes) + at % shape_.block_bytes;
}

/// The next free one from next_block_ on, round the image; 0: none.
uint32_t Maker::take_block() {
  if (free_blocks_ == 0) return 0;
  for (uint32_t number = next_block_;; ++number) {
    if (number < first_block_ || number >= shape_.blocks) number = first_block_;
    const uint32_t bit = number - first_block_;
    uint8_t& byte = used_blocks_[bit / 8];
    if ((byte >> (bit % 8) & 1) != 0) continue;
    byte |= static_cast<uint8_t>(1U << (bit % 8));
    --groups_[bit / shape_.blocks_per_group].free_blocks;
    --free_blocks_;
    next_block_ = number + 1;
    return number;
  }
}

uint32_t Maker::take_inode(bool directory) {
  if (free_inodes_ == 0) return 0;
  for (uint32_t number = next_inode_;; ++number) {
    if (number == 0 || number > group_count_ * shape_.inodes_per_group) number = kFirstFileInode0;
    uint8_t& byte = used_inodes_[(number - 1) / 8];
    if ((byte >> ((number - 1) % 8) & 1) != 0) continue;
    byte |= static_cast<uint8_t>(1U << ((number - 1) % 8));
    Group& group = groups_[(number - 1) / shape_.inodes_per_group];
    --group.free_inodes;
    --free_inodes_;
    if (directory) ++group.directories;
    next_inode_ = number + 1;
    return number;
  }
}

/// A new inode with a name and one link.
uint32_t Maker::node(uint32_t parent, std::string_view name, uint32_t mode) {
  // A name may need a block, and two when its pointer needs one.
  if (free_inodes_ == 0 || free_blocks_ < 2) return 0;
  const uint32_t number = take_inode((mode & kModeKind) == kModeDirectory);
  if (!enter(parent, name, number, type_of_mode(mode))) return 0;
  uint8_t* bytes = inode(number);
  store_le<uint16_t>(bytes + inode::kMode, static_cast<uint16_t>(mode));
  store_le<uint16_t>(bytes + inode::kLinks, 1);
  for (uint32_t time : {inode::kAccessed, inode::kChanged, inode::kModified}) {
    store_le(bytes + time, kTime);
  }
  if (shape_.inode_bytes > kInodeBytes0) store_le<uint16_t>(bytes + inode::kExtraBytes, 32);
  meant_.nodes.push_back({.number = number, .mode = static_cast<uint16_t>(mode), .links = 1});
  return number;
}

uint32_t Maker::file(uint32_t parent, std::string_view name) {
  return node(parent, name, kModeFile | 0644);
}

uint32_t Maker::special(uint32_t parent, std::string_view name, uint32_t mode, uint32_t device) {
  const uint32_t number = node(parent, name, mode | 0600);
  if (number == 0) return 0;
  if (mode == kModeCharDevice || mode == kModeBlockDevice) {
    store_le(inode(number) + inode::kPointers, device);
    meant_node(number).device = device;
  }
  return number;
}

uint32_t Maker::symlink(uint32_t parent, std::string_view name, std::string_view target) {
  if (free_blocks_ < 3) return 0;
  const uint32_t number = node(parent, name, kModeSymlink | 0777);
  if (number == 0) return 0;
  uint8_t* to = inode(number) + inode::kPointers;
  if (target.size() >= kPointerBytes) to = image_.write(add_block(number, 0));
  std::memcpy(to, target.data(), target.size());
  size(number, target.size());
  meant_node(number).target = target;
  return number;
}

bool Maker::link(uint32_t parent, std::string_view name, uint32_t number) {
  if (free_blocks_ < 2) return false;
  const uint32_t mode = le16(inode(number) + inode::kMode);
  if (!enter(parent, name, number, type_of_mode(mode))) return false;
  add_links(number, 1);
  return true;
}

bool Maker::contents(uint32_t file, uint64_t index, uint64_t seed) {
  if (free_blocks_ < 4) return false;
  const uint32_t number = add_block(file, index);
  if (number == 0) return false;
  fill_contents(seed, {image_.write(number), shape_.block_bytes});
  meant_.pieces.push_back({file, index, seed});
  const uint64_t end = (index + 1) * shape_.block_bytes;
  if (meant_node(file).bytes < end) size(file, end);
  return true;
}

void Maker::size(uint32_t file, uint64_t bytes) {
  store_le(inode(file) + inode::kSize, static_cast<uint32_t>(bytes));
  if ((le16(inode(file) + inode::kMode) & kModeKind) == kModeFile) {
    store_le(inode(file) + inode::kSizeHigh, static_cast<uint32_t>(bytes >> 32));
  }
  meant_node(file).bytes = bytes;
}

void Maker::permissions(uint32_t number, uint16_t bits) {
  uint8_t* bytes = inode(number);
  const auto mode = static_cast<uint16_t>((le16(bytes) & kModeKind) | (bits & 0xFFF));
  store_le(bytes, mode);
  meant_node(number).mode = mode;
}

/// The block that `place` points to, which is taken if there is none yet.
uint32_t Maker::add_pointer(uint32_t file, uint8_t* place) {
  if (const uint32_t there = le32(place); there != 0) return there;
  const uint32_t taken = take_block();
  if (taken == 0) return 0;
  store_le(place, taken);
  uint8_t* sectors = inode(file) + inode::kSectors;
  store_le(sectors, le32(sectors) + shape_.block_bytes / 512);
  return taken;
}

/// Block `index` of a file, with the indirect ones on the way to it.
uint32_t Maker::add_block(uint32_t file, uint64_t index) {
  uint8_t* pointers = inode(file) + inode::kPointers;
  if (index < kDirectPointers) return add_pointer(file, pointers + index * 4);
  index -= kDirectPointers;
  const uint64_t per_block = shape_.block_bytes / 4;
  uint64_t reach = per_block;
  unsigned level = 1;
  for (; index >= reach; ++level) {
    if (level == 3) return 0;
    index -= reach;
    reach *= per_block;
  }
  uint32_t number = add_pointer(file, pointers + (kDirectPointers - 1 + level) * 4);
  while (number != 0 && reach > 1) {
    reach /= per_block;
    number = add_pointer(file, image_.write(number) + index / reach * 4);
    index %= reach;
  }
  return number;
}

bool Maker::attributes(std::span<const uint32_t> inodes) {
  if (!shape_.attributes || inodes.empty() || free_blocks_ == 0) return false;
  const uint32_t number = take_block();
  uint8_t* block = image_.write(number);
  store_le(block + attributes::kMagicAt, kAttributesMagic);
  store_le(block + attributes::kReferences, static_cast<uint32_t>(inodes.size()));
  store_le<uint32_t>(block + attributes::kBlocks, 1);
  for (uint32_t file : inodes) {
    store_le(inode(file) + inode::kAttributes, number);
    uint8_t* sectors = inode(file) + inode::kSectors;
    store_le(sectors, le32(sectors) + shape_.block_bytes / 512);
  }
  return true;
}

Meant::Node& Maker::meant_node(uint32_t number) {
  // Most often it is the one made last.
  const auto found = std::find_if(meant_.nodes.rbegin(), meant_.nodes.rend(),
                                  [&](const Meant::Node& node) { return node.number == number; });
  return *found;
}

void Maker::add_links(uint32_t number, uint32_t links) {
  uint8_t* at = inode(number) + inode::kLinks;
  store_le(at, static_cast<uint16_t>(le16(at) + links));
  meant_node(number).links += links;
}

} // namespace kiln::gen::ext2
