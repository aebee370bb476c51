// Which lie is whose, and the draws that all share.

#include "generators/ext2/lies.h"

#include "generators/ext2/scene.h"

namespace kiln::gen::ext2 {

const char* text_of(Lie lie) {
  static constexpr const char* kTexts[] = {
#define X(name, text) text,
      KILN_EXT2_LIES(X)
#undef X
  };
  return kTexts[static_cast<size_t>(lie)];
}

uint32_t Scene::other(uint32_t value, std::initializer_list<uint32_t> likely) {
  const auto choices = static_cast<uint64_t>(likely.size());
  const uint64_t choice = data.below(2 * choices + 6);
  uint32_t said = value + 1;
  if (choice >= 6) {
    said = *(likely.begin() + (choice - 6) / 2);
  } else if (choice == 1) {
    said = value - 1;
  } else if (choice == 2) {
    said = 0;
  } else if (choice == 3) {
    said = UINT32_MAX;
  } else if (choice == 4) {
    said = value ^ (1U << data.below(32));
  } else if (choice == 5) {
    said = data.edge32();
  }
  return said == value ? value + 1 : said;
}

void Scene::other16(uint8_t* at, std::initializer_list<uint32_t> likely) {
  const uint16_t value = le16(at);
  auto said = static_cast<uint16_t>(other(value, likely));
  if (said == value) said = static_cast<uint16_t>(value ^ (1U << data.below(16)));
  store_le(at, said);
}

void Scene::other8(uint8_t* at, std::initializer_list<uint32_t> likely) {
  const auto said = static_cast<uint8_t>(other(*at, likely));
  *at = said == *at ? static_cast<uint8_t>(*at ^ (1U << data.below(8))) : said;
}

namespace {

/// One of those that are right; the first one that is right from a drawn place on.
template <typename T, typename Right>
const T* pick(sim::Tape::View data, const std::vector<T>& all, Right right) {
  if (all.empty()) return nullptr;
  const auto from = static_cast<size_t>(data.below(all.size()));
  for (size_t i = 0; i < all.size(); ++i) {
    const T& one = all[(from + i) % all.size()];
    if (right(one)) return &one;
  }
  return nullptr;
}

} // namespace

const Survey::Node* Scene::node(uint32_t mode, bool root) {
  return pick(data, there.nodes, [&](const Survey::Node& node) {
    return (mode == 0 || (node.mode & kModeKind) == mode) && (root || node.number != kRoot);
  });
}

const Survey::Entry* Scene::entry() {
  return pick(data, there.entries,
              [](const Survey::Entry& entry) { return entry.inode != 0 && !entry.dot; });
}

const Survey::Entry* Scene::dot(uint32_t bytes) {
  return pick(data, there.entries,
              [&](const Survey::Entry& entry) { return entry.dot && entry.name_bytes == bytes; });
}

const Survey::Pointer* Scene::pointer() {
  return pick(data, there.pointers, [](const Survey::Pointer&) { return true; });
}

const Survey::Node* Scene::node_of(uint32_t number) const {
  for (const Survey::Node& node : there.nodes) {
    if (node.number == number) return &node;
  }
  return nullptr;
}

uint32_t Scene::unused_inode() {
  const uint32_t count = there.inodes - kFirstFileInode0 + 1;
  if (there.inodes < kFirstFileInode0) return 0;
  const auto from = static_cast<uint32_t>(data.below(count));
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t number = kFirstFileInode0 + (from + i) % count;
    const Survey::Group& group = there.groups[(number - 1) / there.inodes_per_group];
    if (!bit(group.inode_bitmap, (number - 1) % there.inodes_per_group)) return number;
  }
  return 0;
}

bool tell(Image& image, Lie lie, sim::Tape::View data) {
  if (lie == Lie::kNone) return true;
  Scene scene(image, data);
  if (scene.there.nodes.empty()) return false;
  if (lie <= Lie::kBackup) return lie_in_super(scene, lie);
  if (lie <= Lie::kPadding) return lie_in_groups(scene, lie);
  if (lie <= Lie::kSpecial) return lie_in_inodes(scene, lie);
  if (lie <= Lie::kStrayPointer) return lie_in_blocks(scene, lie);
  if (lie <= Lie::kOtherInode) return lie_in_directories(scene, lie);
  return lie_blindly(scene, lie);
}

} // namespace kiln::gen::ext2
