#include "generators/ext2.h"

#include <algorithm>

namespace kiln::gen::ext2 {
namespace {

constexpr uint32_t kBlockSizes[] = {1024, 2048, 4096};

/// Names that directories have trouble with, and plain ones.
std::string draw_name(sim::Tape::View data, uint32_t unique) {
  std::string name = "n" + std::to_string(unique);
  switch (data.weighted({12, 2, 1, 1})) {
  case 1:
    name.append(static_cast<size_t>(data.below(20)), 'x');
    break;
  case 2:
    name.resize(255, 'y');
    break;
  case 3:
    name += "\xFF\x01 .";
    break;
  default:
    break;
  }
  return name;
}

class Populator {
 public:
  Populator(Maker& maker, sim::Tape::View data) : maker_(maker), data_(data) {
    directories_.push_back(kRoot);
  }

  void add(uint32_t unique) {
    const uint32_t parent = data_.pick(directories_);
    const std::string name = draw_name(data_, unique);
    if (data_.chance(1, 16)) maker_.gap(parent, static_cast<uint32_t>(data_.below(200)));
    if (data_.chance(1, 8)) {
      maker_.go_to_block(static_cast<uint32_t>(data_.below(maker_.shape().blocks)));
    }
    if (data_.chance(1, 8)) maker_.go_to_inode(static_cast<uint32_t>(data_.below(2048)));
    switch (data_.weighted({5, 5, 2, 2, 2, 2, 1})) {
    case 0:
      return file(parent, name);
    case 1:
      if (const uint32_t made = maker_.directory(parent, name); made != 0) {
        directories_.push_back(made);
      }
      return;
    case 2:
      if (!files_.empty()) maker_.link(parent, name, data_.pick(files_));
      return;
    case 3:
      maker_.symlink(parent, name, std::string(1 + static_cast<size_t>(data_.below(59)), 't'));
      return;
    case 4:
      maker_.symlink(
          parent, name,
          std::string(60 + static_cast<size_t>(data_.below(maker_.shape().block_bytes - 61)), 'u'));
      return;
    case 5: {
      const uint32_t kinds[] = {kModeFifo, kModeSocket, kModeCharDevice, kModeBlockDevice};
      maker_.special(parent, name, data_.pick(kinds), static_cast<uint32_t>(data_.below(65536)));
      return;
    }
    default:
      return crowd(parent, unique);
    }
  }

 private:
  void file(uint32_t parent, const std::string& name) {
    const uint32_t made = maker_.file(parent, name);
    if (made == 0) return;
    files_.push_back(made);
    const uint32_t per_block = maker_.shape().block_bytes / 4;
    uint64_t end = 0;
    const uint64_t pieces = data_.below(6);
    for (uint64_t i = 0; i < pieces; ++i) {
      // Where direct, indirect, doubly and triply indirect blocks begin and end.
      const uint64_t borders[] = {0, kDirectPointers, kDirectPointers + per_block,
                                  kDirectPointers + per_block + per_block * uint64_t{per_block}};
      const uint64_t border = borders[data_.weighted({10, 5, 3, 1})];
      const uint64_t index = border + data_.below(14);
      const uint64_t offset = (index + 1) * maker_.shape().block_bytes;
      if (offset >= 0x80000000U && !maker_.shape().large_files) continue;
      if (maker_.contents(made, index, data_.u8())) end = std::max(end, index + 1);
    }
    uint64_t bytes = end * maker_.shape().block_bytes;
    if (data_.boolean() && end != 0) bytes -= data_.below(maker_.shape().block_bytes);
    if (data_.chance(1, 8)) bytes += data_.below(100'000);
    if (bytes < 0x80000000U || maker_.shape().large_files) maker_.size(made, bytes);
    if (data_.chance(1, 8)) maker_.permissions(made, static_cast<uint16_t>(data_.below(4096)));
    if (data_.chance(1, 8)) {
      const std::span<const uint32_t> without(files_);
      if (maker_.attributes(without.subspan(attributed_))) attributed_ = files_.size();
    }
  }

  /// Many names in one directory, so that it has several blocks.
  void crowd(uint32_t parent, uint32_t unique) {
    const uint32_t first = maker_.file(parent, "c" + std::to_string(unique));
    if (first == 0) return;
    const uint64_t names = data_.below(60);
    for (uint64_t i = 0; i < names; ++i) {
      std::string name = "c" + std::to_string(unique) + "-" + std::to_string(i);
      name.resize(20 + static_cast<size_t>(i % 7) * 10, 'c');
      if (!maker_.link(parent, name, first)) return;
    }
  }

  Maker& maker_;
  sim::Tape::View data_;
  std::vector<uint32_t> directories_;
  std::vector<uint32_t> files_;
  size_t attributed_ = 0; ///< of them, from the first on
};

} // namespace

Shape draw_shape(sim::Tape::View data, const Bounds& bounds) {
  Shape shape;
  shape.block_bytes = std::min(data.pick(kBlockSizes), bounds.most_block_bytes);
  const uint32_t sizes[] = {64, 128, 256, 512, 1024, 2048};
  shape.blocks = sizes[data.weighted({6, 4, 4, 2, 1, 1})];
  if (data.boolean()) shape.blocks += static_cast<uint32_t>(data.below(64));
  shape.blocks = std::min(shape.blocks, bounds.most_blocks);
  shape.inodes_per_group = 16U << data.weighted({4, 3, 2, 1});
  if (data.chance(1, 8)) shape.inodes_per_group += 8; // in large blocks: rounded up
  shape.revision = data.chance(1, 4) ? 0 : 1;
  if (data.chance(1, 3)) shape.inode_bytes = 256;
  shape.sparse = !data.chance(1, 4);
  shape.types = !data.chance(1, 4);
  shape.large_files = data.chance(1, 3);
  shape.index = data.chance(1, 4);
  shape.attributes = data.chance(1, 3);
  shape.lost_found = data.boolean();
  if (data.boolean()) {
    // Groups large enough for what each must hold.
    const uint32_t table = shape.inodes_per_group * shape.inode_bytes / shape.block_bytes + 1;
    const uint32_t least = (table + 16) / 8 * 8 + 8;
    const auto groups = static_cast<uint32_t>(data.between(2, 9));
    shape.blocks_per_group = std::max(least, (shape.blocks / groups + 7) / 8 * 8);
  }
  return shape;
}

void populate(Maker& maker, sim::Tape::View data, const Bounds& bounds) {
  Populator populator(maker, data);
  const uint64_t nodes = data.below(bounds.most_nodes + 1);
  for (uint64_t i = 0; i < nodes; ++i)
    populator.add(static_cast<uint32_t>(i));
}

Made draw_image(sim::Tape::View data, const Bounds& bounds) {
  Maker maker(draw_shape(data, bounds));
  populate(maker, data, bounds);
  return maker.finish();
}

Lie draw_lie(Image& image, sim::Tape::View fault) {
  const auto lie = static_cast<Lie>(fault.below(kLies));
  return tell(image, lie, fault) ? lie : Lie::kNone;
}

} // namespace kiln::gen::ext2
