#pragma once
// Sound ext2 images that are made once a process and lent to disks: fresh ones and ones with a tree
// in them, of all kinds of shapes, and the model of what is in each.
//
//   const Stock& stock = ext2::stock(tape.data().below(ext2::kStocks));
//   disk.lend(stock.bytes);
//   FsHistory history(stock.model(limits), stock.numbers);
//
// What no file holds, in free blocks and behind the end of files, is not zeros but what nobody has
// written: bytes that a file must never show.

#include <cstdint>
#include <vector>

#include "generators/ext2/maker.h"
#include "generators/fs.h"
#include "worlds/fs/model.h"

namespace kiln::worlds::ext2 {

/// What is in an image of the stock.
enum class Filling : uint8_t { kFresh, kTree, kNearlyFull };
inline constexpr uint32_t kFillings = 3;
inline constexpr uint32_t kStockShapes = 14;
inline constexpr uint32_t kStocks = kStockShapes * kFillings;

struct Stock {
  gen::ext2::Shape shape;
  std::vector<uint8_t> bytes;
  std::vector<gen::FsOperation> recipe; ///< what has made the tree
  std::vector<uint64_t> numbers;        ///< inodes, by FsNodeId
  uint32_t free_blocks = 0;
  uint32_t free_inodes = 0;

  FsModel model(const FsLimits& limits) const;
};

/// Number 0 is the plainest one. The same in every process.
const Stock& stock(uint32_t number);
constexpr uint32_t stock_number(uint32_t shape, Filling filling) {
  return shape * kFillings + static_cast<uint32_t>(filling);
}
/// The byte that all that is full of: no write writes it.
inline constexpr uint8_t kNeverWritten = 0x5E;

} // namespace kiln::worlds::ext2
