#include <cstring>

#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {
namespace {

constexpr uint32_t kLengthAt = 4;
constexpr uint32_t kNameLengthAt = 6;
constexpr uint32_t kTypeAt = 7;

/// Any entry, gaps and dots too.
const Survey::Entry* any(Scene& scene) {
  const auto& all = scene.there.entries;
  return all.empty() ? nullptr : &all[static_cast<size_t>(scene.data.below(all.size()))];
}

bool entry_length(Scene& scene) {
  const Survey::Entry* entry = any(scene);
  if (entry == nullptr) return false;
  const uint32_t rest = scene.there.block_bytes - entry->at;
  scene.other16(scene.bytes(entry->block, entry->at + kLengthAt),
                {0, 4, 8, 12, entry->length + 4, entry->length - 4, rest, rest + 4, rest - 4,
                 rest - 8, 0xFFFC, kEntryHeader + entry->name_bytes});
  return true;
}

bool name_bytes(Scene& scene, const Survey::Entry& entry) {
  uint8_t* name = scene.bytes(entry.block, entry.at + kEntryHeader);
  const uint8_t characters[] = {0, '/', '.', 0xFF, 1, ' '};
  name[scene.data.below(entry.name_bytes)] = scene.data.pick(characters);
  return true;
}

/// Gives one entry the name of another of the same directory.
bool duplicate(Scene& scene, const Survey::Entry& entry) {
  for (const Survey::Entry& other : scene.there.entries) {
    if (other.directory != entry.directory || other.inode == 0 || other.dot) continue;
    if (&other == &entry || kEntryHeader + other.name_bytes > entry.length) continue;
    *scene.bytes(entry.block, entry.at + kNameLengthAt) = static_cast<uint8_t>(other.name_bytes);
    std::memcpy(scene.bytes(entry.block, entry.at + kEntryHeader),
                scene.look(other.block, other.at + kEntryHeader), other.name_bytes);
    return true;
  }
  return false;
}

bool extra_dot(Scene& scene, const Survey::Entry& entry) {
  const auto bytes = static_cast<uint32_t>(1 + scene.data.below(2));
  *scene.bytes(entry.block, entry.at + kNameLengthAt) = static_cast<uint8_t>(bytes);
  std::memset(scene.bytes(entry.block, entry.at + kEntryHeader), '.', bytes);
  return true;
}

/// Whom an entry names, with the file type that belongs to it, so that nothing else is wrong.
void name_inode(Scene& scene, const Survey::Entry& entry, uint32_t number) {
  store_le(scene.bytes(entry.block, entry.at), number);
  const Survey::Node* node = scene.node_of(number);
  if (!scene.there.types || node == nullptr) return;
  *scene.bytes(entry.block, entry.at + kTypeAt) = static_cast<uint8_t>(type_of_mode(node->mode));
}

bool dot(Scene& scene, uint32_t bytes) {
  const Survey::Entry* entry = scene.dot(bytes);
  const Survey::Node* somebody = scene.node(0, true);
  if (entry == nullptr || somebody == nullptr) return false;
  uint8_t* at = scene.bytes(entry->block, entry->at);
  switch (scene.data.below(4)) {
  case 0:
    if (somebody->number == entry->inode) return false;
    name_inode(scene, *entry, somebody->number);
    return true;
  case 1:
    store_le<uint32_t>(at, 0);
    return true;
  case 2:
    at[kEntryHeader + scene.data.below(bytes)] = 'x';
    return true;
  default:
    scene.other32(at, {scene.there.inodes, scene.there.inodes + 1, entry->directory});
    return true;
  }
}

/// Of two directories, each becomes the other's child; nobody else names them then.
bool loop(Scene& scene, const Survey::Entry& entry) {
  const Survey::Node* node = scene.node_of(entry.inode);
  if (node == nullptr || (node->mode & kModeKind) != kModeDirectory) return false;
  // The directory comes to be its own child, or that of something below it.
  for (const Survey::Entry& other : scene.there.entries) {
    if (other.directory != entry.inode || other.dot || other.inode == 0) continue;
    name_inode(scene, other, entry.inode);
    store_le<uint32_t>(scene.bytes(entry.block, entry.at), 0);
    return true;
  }
  return false;
}

} // namespace

bool lie_in_directories(Scene& scene, Lie lie) {
  const Survey& there = scene.there;
  if (lie == Lie::kEntryLength) return entry_length(scene);
  if (lie == Lie::kDot) return dot(scene, 1);
  if (lie == Lie::kDotDot) return dot(scene, 2);
  const Survey::Entry* entry = scene.entry();
  if (entry == nullptr) return false;
  uint8_t* at = scene.bytes(entry->block, entry->at);
  const auto name = [&](uint32_t number) {
    if (number == 0 || number == entry->inode) return false;
    name_inode(scene, *entry, number);
    return true;
  };
  switch (lie) {
  case Lie::kNameLength:
    scene.other8(at + kNameLengthAt,
                 {0, 1, entry->length - kEntryHeader, entry->length - kEntryHeader + 1, 255});
    return true;
  case Lie::kNameBytes:
    return name_bytes(scene, *entry);
  case Lie::kNoSuchInode: {
    const uint32_t beyond[] = {there.inodes + 1, UINT32_MAX, 0x80000000U, there.inodes * 2};
    return name(scene.data.pick(beyond));
  }
  case Lie::kUnusedInode:
    return name(scene.unused_inode());
  case Lie::kReservedEntry:
    return name(scene.data.boolean() ? 1 : 3 + static_cast<uint32_t>(scene.data.below(8)));
  case Lie::kRootEntry:
    return name(kRoot);
  case Lie::kFileType:
    scene.other8(at + kTypeAt, {0, 1, 2, 7, 8});
    return true;
  case Lie::kExtraDot:
    return extra_dot(scene, *entry);
  case Lie::kDuplicate:
    return duplicate(scene, *entry);
  case Lie::kSecondName: {
    const Survey::Node* directory = scene.node(kModeDirectory);
    return directory != nullptr && name(directory->number);
  }
  case Lie::kUnnamed:
    store_le<uint32_t>(at, 0);
    return true;
  case Lie::kLoop:
    return loop(scene, *entry);
  case Lie::kOtherInode: {
    const Survey::Node* somebody = scene.node();
    return somebody != nullptr && name(somebody->number);
  }
  default:
    return false;
  }
}

} // namespace kiln::gen::ext2
