#pragma once
// An image about which a lie is told: where what is in it, and draws of what to say instead.

#include <initializer_list>

#include "generators/ext2/lies.h"
#include "generators/ext2/survey.h"

namespace kiln::gen::ext2 {

class Scene {
 public:
  Scene(Image& image_in, sim::Tape::View data_in)
      : image(image_in), there(survey(image_in)), data(data_in) {}

  Image& image;
  const Survey there;
  sim::Tape::View data;

  // --- Numbers in the image

  uint8_t* bytes(uint32_t block, uint32_t at) { return image.write(block) + at; }
  uint8_t* super() { return super_of(image); }
  uint8_t* inode(const Survey::Node& node) { return bytes(node.block, node.at); }
  uint8_t* descriptor(uint32_t group) {
    const uint32_t at = group * kDescriptorBytes;
    return bytes(there.first_block + 1 + at / there.block_bytes, at % there.block_bytes);
  }
  const uint8_t* look(uint32_t block, uint32_t at) const { return image.read(block) + at; }

  /// Another number in the place of this one: one of `likely`, a neighbour, an end of the range, or
  /// any.
  uint32_t other(uint32_t value, std::initializer_list<uint32_t> likely = {});
  void other32(uint8_t* at, std::initializer_list<uint32_t> likely = {}) {
    store_le(at, other(le32(at), likely));
  }
  void other16(uint8_t* at, std::initializer_list<uint32_t> likely = {});
  void other8(uint8_t* at, std::initializer_list<uint32_t> likely = {});

  // --- Somebody; null: there is nobody like that

  /// `mode`: of this kind; 0: of any. `root`: the root counts too.
  const Survey::Node* node(uint32_t mode = 0, bool root = false);
  /// An entry with an inode, '.' and '..' left out.
  const Survey::Entry* entry();
  /// The '.' or '..' of a directory.
  const Survey::Entry* dot(uint32_t bytes);
  const Survey::Pointer* pointer();
  const Survey::Node* node_of(uint32_t number) const;
  uint32_t group() { return static_cast<uint32_t>(data.below(there.groups.size())); }
  /// A number of an inode for files that is in use or not; 0: there is none.
  uint32_t unused_inode();

  // --- Bitmaps

  bool bit(uint32_t block, uint32_t bit) const {
    return (image.read(block)[bit / 8] >> (bit % 8) & 1) != 0;
  }
  void flip(uint32_t block, uint32_t bit) {
    *bytes(block, bit / 8) ^= static_cast<uint8_t>(1U << (bit % 8));
  }
};

// The families: false when the lie is none of theirs, or could not be told.
bool lie_in_super(Scene& scene, Lie lie);
bool lie_in_groups(Scene& scene, Lie lie);
bool lie_in_inodes(Scene& scene, Lie lie);
bool lie_in_blocks(Scene& scene, Lie lie);
bool lie_in_directories(Scene& scene, Lie lie);
bool lie_blindly(Scene& scene, Lie lie);

} // namespace kiln::gen::ext2
