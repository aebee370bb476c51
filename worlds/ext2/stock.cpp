#include "worlds/ext2/stock.h"

#include <algorithm>
#include <array>
#include <memory>

#include "sim/host_memory.h"
#include "worlds/ext2/format.h"
#include "worlds/ext2/image.h"
#include "worlds/ext2/reader.h"

namespace kiln::worlds::ext2 {
namespace {

using gen::FsAct;
using gen::FsName;
using gen::FsOperation;
using gen::FsPath;
using gen::ext2::Maker;
using gen::ext2::Shape;

constexpr std::array<Shape, kStockShapes> kShapes = {{
    {},
    {.types = false},
    {.revision = 0},
    {.blocks = 128, .inode_bytes = 256},
    {.block_bytes = 2048, .blocks = 128, .inodes_per_group = 32},
    {.block_bytes = 4096, .blocks = 64, .inodes_per_group = 32},
    {.blocks = 256, .blocks_per_group = 64, .sparse = false},
    {.blocks = 192, .blocks_per_group = 64, .large_files = true},
    {.blocks = 96, .inodes_per_group = 16, .index = true},
    {.large_files = true, .index = true},
    {.blocks = 101, .inodes_per_group = 24, .inode_bytes = 256},
    {.blocks = 128, .blocks_per_group = 64, .inode_bytes = 256, .types = false},
    {.blocks = 80, .inodes_per_group = 64},
    {.blocks = 48},
}};

FsPath path(std::initializer_list<FsName> names) {
  FsPath out;
  for (const FsName name : names) {
    out = out.child(name);
  }
  return out;
}

FsOperation make(FsAct act, const FsPath& at, const FsPath& to = {}) {
  FsOperation operation;
  operation.act = act;
  operation.path = at;
  operation.to = to;
  return operation;
}

/// Whole blocks: the maker writes no parts.
FsOperation write(const FsPath& at, uint64_t offset, uint64_t length, uint8_t fill) {
  FsOperation operation = make(FsAct::kWrite, at);
  operation.offset = offset;
  operation.length = static_cast<uint32_t>(length);
  operation.fill = fill;
  return operation;
}

/// Within the last block: what is behind the end stays there.
FsOperation cut(const FsPath& at, uint64_t bytes) {
  FsOperation operation = make(FsAct::kTruncate, at);
  operation.offset = bytes;
  return operation;
}

std::vector<FsOperation> recipe_of(const Shape& shape, Filling filling) {
  if (filling == Filling::kFresh) return {};
  const uint64_t block = shape.block_bytes;
  const FsPath a = path({0});
  const FsPath d = path({3});
  std::vector<FsOperation> out = {
      make(FsAct::kCreate, a),
      write(a, 0, 2 * block, 250),
      cut(a, 2 * block - 24),
      make(FsAct::kMakeDirectory, d),
      make(FsAct::kCreate, path({3, 1})),
      make(FsAct::kLink, a, path({3, 2})),
  };
  if (filling == Filling::kTree) {
    out.push_back(write(path({3, 1}), 12 * block, block, 251));
    out.push_back(cut(path({3, 1}), 13 * block - block / 2));
    out.push_back(make(FsAct::kSymlink, path({2}), a));
  }
  return out;
}

/// What the recipe says, done by the maker beside the model.
class Builder {
 public:
  explicit Builder(const Shape& shape) : maker_(shape) {}

  Stock build(Filling filling) {
    Stock out;
    out.numbers = {kRootInode};
    for (const FsOperation& operation : recipe_of(maker_.shape(), filling)) {
      add(operation, out);
    }
    if (filling == Filling::kNearlyFull) fill_up(out);
    out.free_blocks = maker_.free_blocks();
    out.free_inodes = maker_.free_inodes();
    const gen::ext2::Made made = maker_.finish();
    out.shape = made.shape;
    out.bytes = made.image.bytes();
    spoil_free_blocks(out);
    write_contents(out);
    return out;
  }

 private:
  /// Blocks that a nearly full image has left.
  static constexpr uint32_t kLeft = 7;

  uint32_t inode(const FsPath& at, const Stock& stock) const {
    return static_cast<uint32_t>(stock.numbers[*model_.find(at)]);
  }

  void add(const FsOperation& operation, Stock& out) {
    const FsPath& at = operation.path;
    const std::string name(at.count == 0 ? std::string_view() : gen::fs_name(at.last()));
    uint32_t made = 0;
    switch (operation.act) {
    case FsAct::kCreate:
      made = maker_.file(inode(at.parent(), out), name);
      break;
    case FsAct::kMakeDirectory:
      made = maker_.directory(inode(at.parent(), out), name);
      maker_.permissions(made, operation.permissions);
      break;
    case FsAct::kSymlink:
      made = maker_.symlink(inode(at.parent(), out), name, gen::fs_path_bytes(operation.to));
      break;
    case FsAct::kLink:
      maker_.link(inode(operation.to.parent(), out), gen::fs_name(operation.to.last()),
                  inode(at, out));
      break;
    case FsAct::kTruncate:
      maker_.size(inode(at, out), operation.offset);
      break;
    default: // a write
      for (uint64_t i = 0; i < operation.length; i += maker_.shape().block_bytes) {
        maker_.contents(inode(at, out), (operation.offset + i) / maker_.shape().block_bytes, 0);
      }
      break;
    }
    model_.apply(operation);
    if (made != 0) out.numbers.push_back(made);
    out.recipe.push_back(operation);
  }

  void fill_up(Stock& out) {
    const uint64_t block = maker_.shape().block_bytes;
    const uint32_t file = inode(path({3, 1}), out);
    uint64_t blocks = 0;
    while (maker_.free_blocks() > kLeft && maker_.contents(file, blocks, 0)) {
      ++blocks;
    }
    const FsOperation all = write(path({3, 1}), 0, blocks * block, 252);
    model_.apply(all);
    out.recipe.push_back(all);
  }

  /// Of the finished image.
  static void spoil_free_blocks(Stock& out) {
    const Shape& shape = out.shape;
    const uint32_t first = shape.block_bytes == 1024 ? 1 : 0;
    const size_t descriptors = size_t{first + 1} * shape.block_bytes;
    for (uint32_t number = first; number < shape.blocks; ++number) {
      const uint32_t group = (number - first) / shape.blocks_per_group;
      const uint32_t bit = (number - first) % shape.blocks_per_group;
      const uint32_t bitmap = le32(&out.bytes[descriptors + group * size_t{32}]);
      const uint8_t byte = out.bytes[size_t{bitmap} * shape.block_bytes + bit / 8];
      if ((byte >> (bit % 8) & 1) != 0) continue;
      const auto begin = out.bytes.begin() + size_t{number} * shape.block_bytes;
      std::fill(begin, begin + shape.block_bytes, kNeverWritten);
    }
  }

  void write_contents(Stock& out) const {
    const uint64_t block = out.shape.block_bytes;
    Reader reader{ImageView(out.bytes)};
    for (FsNodeId id = 0; id < model_.nodes(); ++id) {
      if (model_.node(id).kind != FsKind::kFile) continue;
      const auto facts = reader.inode(static_cast<uint32_t>(out.numbers[id]));
      for (uint64_t index = 0; index * block < model_.node(id).bytes; ++index) {
        const uint32_t number = *reader.block_of(*facts, index);
        if (number == 0) continue;
        const auto bytes = std::span(out.bytes).subspan(number * block, block);
        std::fill(bytes.begin(), bytes.end(), kNeverWritten);
        const uint64_t rest = std::min(block, model_.node(id).bytes - index * block);
        model_.read(id, index * block, bytes.first(static_cast<size_t>(rest)));
      }
    }
  }

  Maker maker_;
  FsModel model_;
};

} // namespace

FsModel Stock::model(const FsLimits& limits) const {
  FsModel model(limits);
  for (const FsOperation& operation : recipe) {
    model.apply(operation);
  }
  return model;
}

const Stock& stock(uint32_t number) {
  const sim::HostMemory host;
  static auto& made = *new std::array<std::unique_ptr<const Stock>, kStocks>();
  auto& it = made[number];
  if (!it) {
    Builder builder(kShapes[number / kFillings]);
    it = std::make_unique<const Stock>(builder.build(static_cast<Filling>(number % kFillings)));
  }
  return *it;
}

} // namespace kiln::worlds::ext2
