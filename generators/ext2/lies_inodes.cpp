#include <cstring>

#include "generators/ext2/maker_time.h"
#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {
namespace {

constexpr uint32_t kKinds[] = {kModeFile,        kModeDirectory, kModeSymlink, kModeCharDevice,
                               kModeBlockDevice, kModeFifo,      kModeSocket};
constexpr uint32_t kNoKinds[] = {0x0000, 0x3000, 0x5000, 0x7000, 0x9000, 0xB000, 0xD000, 0xF000};

bool root(Scene& scene) {
  uint8_t* inode = scene.inode(scene.there.place(kRoot));
  switch (scene.data.below(4)) {
  case 0:
    store_le(inode, static_cast<uint16_t>(kModeFile | 0755));
    return true;
  case 1:
    store_le<uint16_t>(inode + inode::kLinks, 0);
    return true;
  case 2:
    store_le(inode + inode::kDeleted, kTime);
    return true;
  default:
    store_le<uint16_t>(inode, 0);
    return true;
  }
}

/// An unused inode that looks as if it were a file, or was one.
bool ghost(Scene& scene) {
  const uint32_t number = scene.unused_inode();
  const Survey::Node* model = scene.node(0, true);
  if (number == 0 || model == nullptr) return false;
  uint8_t* inode = scene.inode(scene.there.place(number));
  std::memcpy(inode, scene.inode(*model), kInodeBytes0);
  const uint64_t how = scene.data.below(4);
  if (how != 1) store_le<uint16_t>(inode + inode::kLinks, 0);
  if (how == 2) store_le(inode + inode::kDeleted, kTime);
  if (how == 3) store_le<uint16_t>(inode, 0);
  return true;
}

bool size(Scene& scene) {
  const Survey::Node* node = scene.node(0, true);
  if (node == nullptr) return false;
  uint8_t* at = scene.inode(*node) + inode::kSize;
  const uint32_t bytes = le32(at);
  const uint32_t block = scene.there.block_bytes;
  scene.other32(at, {bytes + block, bytes - block, bytes + 4096, bytes - 4096, block, 12 * block,
                     0x7FFFFFFF, 0x80000000U});
  return true;
}

bool huge_size(Scene& scene) {
  const Survey::Node* node = scene.node(kModeFile);
  if (node == nullptr) return false;
  uint8_t* inode = scene.inode(*node);
  scene.other32(inode + inode::kSizeHigh, {1, 4, 0x1FF, 0x200, 0x7FFFFFFF, 0x80000000U});
  return true;
}

bool fields(Scene& scene) {
  const Survey::Node* node = scene.node(0, true);
  if (node == nullptr) return false;
  uint8_t* inode = scene.inode(*node);
  switch (scene.data.below(5)) {
  case 0:
    scene.other32(inode + inode::kFragmentAddress);
    return true;
  case 1:
    scene.other8(inode + inode::kFragment);
    return true;
  case 2:
    scene.other8(inode + inode::kFragmentSize);
    return true;
  case 3:
    scene.other16(inode + inode::kSectorsHigh + 2); // the attributes' upper half
    return true;
  default:
    if ((node->mode & kModeKind) == kModeFile) return false;
    scene.other32(inode + inode::kSizeHigh);
    return true;
  }
}

bool reserved(Scene& scene) {
  const uint32_t numbers[] = {1, 3, 4, 5, 6, 7, 8, 9, 10};
  uint8_t* inode = scene.inode(scene.there.place(scene.data.pick(numbers)));
  switch (scene.data.below(4)) {
  case 0:
    store_le(inode, static_cast<uint16_t>(scene.data.pick(kKinds) | 0600));
    return true;
  case 1:
    store_le<uint16_t>(inode + inode::kLinks, 1);
    return true;
  case 2:
    store_le(inode + inode::kPointers, static_cast<uint32_t>(scene.data.below(scene.there.blocks)));
    return true;
  default:
    scene.other32(inode + inode::kSectors, {2, 8});
    return true;
  }
}

bool symlink(Scene& scene) {
  const Survey::Node* node = scene.node(kModeSymlink);
  if (node == nullptr) return false;
  uint8_t* inode = scene.inode(*node);
  const uint32_t bytes = le32(inode + inode::kSize);
  uint8_t* text = inode + inode::kPointers;
  if (bytes >= kPointerBytes) text = scene.bytes(le32(text), 0);
  switch (scene.data.below(3)) {
  case 0:
    scene.other32(inode + inode::kSize,
                  {59, 60, 61, bytes + 4, scene.there.block_bytes, scene.there.block_bytes - 1});
    return true;
  case 1:
    text[scene.data.below(bytes)] = 0;
    return true;
  default:
    text[bytes] = 'x'; // the NUL behind it
    return true;
  }
}

bool special(Scene& scene) {
  const uint32_t kinds[] = {kModeCharDevice, kModeBlockDevice, kModeFifo, kModeSocket};
  const Survey::Node* node = scene.node(scene.data.pick(kinds));
  if (node == nullptr) return false;
  uint8_t* inode = scene.inode(*node);
  switch (scene.data.below(4)) {
  case 0:
    scene.other32(inode + inode::kSize);
    return true;
  case 1:
    scene.other32(inode + inode::kSectors, {2});
    return true;
  case 2:
    store_le(inode + inode::kFlags, scene.data.boolean() ? kAppendFlag : kImmutableFlag);
    return true;
  default:
    scene.other32(inode + inode::kPointers +
                  4 * static_cast<uint32_t>(scene.data.below(kPointers)));
    return true;
  }
}

} // namespace

bool lie_in_inodes(Scene& scene, Lie lie) {
  switch (lie) {
  case Lie::kRootInode:
    return root(scene);
  case Lie::kGhost:
    return ghost(scene);
  case Lie::kSize:
    return size(scene);
  case Lie::kHugeSize:
    return huge_size(scene);
  case Lie::kFields:
    return fields(scene);
  case Lie::kReservedInode:
    return reserved(scene);
  case Lie::kSymlink:
    return symlink(scene);
  case Lie::kSpecial:
    return special(scene);
  default:
    break;
  }
  const Survey::Node* node =
      scene.node(0, lie == Lie::kLinks || lie == Lie::kSectors || lie == Lie::kFlags);
  if (node == nullptr) return false;
  uint8_t* inode = scene.inode(*node);
  switch (lie) {
  case Lie::kModeOfNothing:
    store_le(inode, static_cast<uint16_t>(scene.data.pick(kNoKinds) | (node->mode & 0xFFF)));
    return true;
  case Lie::kOtherKind: {
    uint32_t kind = scene.data.pick(kKinds);
    if (kind == (node->mode & kModeKind)) kind = kind == kModeFile ? kModeFifo : kModeFile;
    store_le(inode, static_cast<uint16_t>(kind | (node->mode & 0xFFF)));
    return true;
  }
  case Lie::kDeleted:
    scene.other32(inode + inode::kDeleted, {kTime, 2, 11});
    return true;
  case Lie::kLinks:
    scene.other16(inode + inode::kLinks, {1, 2, 0xFFFF});
    return true;
  case Lie::kNoLinks:
    store_le<uint16_t>(inode + inode::kLinks, 0);
    if (scene.data.boolean()) store_le(inode + inode::kDeleted, kTime);
    return true;
  case Lie::kSectors:
    scene.other32(inode + inode::kSectors,
                  {le32(inode + inode::kSectors) + 2, le32(inode + inode::kSectors) - 2, 8});
    return true;
  case Lie::kFlags:
    store_le(inode + inode::kFlags, le32(inode + inode::kFlags) | 1U << scene.data.below(32));
    return true;
  case Lie::kExtra:
    if (scene.there.inode_bytes == kInodeBytes0) return false;
    scene.other16(inode + inode::kExtraBytes,
                  {4, 3, 2, scene.there.inode_bytes - 128, scene.there.inode_bytes - 124});
    return true;
  case Lie::kAttributes:
    scene.other32(inode + inode::kAttributes, {1, scene.there.blocks - 1, scene.there.blocks});
    return true;
  default:
    return false;
  }
}

} // namespace kiln::gen::ext2
