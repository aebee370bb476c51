// The second reader proves itself against the generator: what is sound is read as it was meant.

#include <gtest/gtest.h>

#include "generators/fdt.h"
#include "worlds/firmware/fdt_board.h"
#include "worlds/firmware/fdt_reader.h"

namespace kiln::worlds::fdt {
namespace {

constexpr size_t kDeepest = 32;

gen::fdt::Product from_seed(uint64_t iteration) {
  sim::Tape tape(sim::SeededInput{"boot/fdt", 3, iteration, 4096});
  return gen::fdt::make(tape);
}

TEST(FdtReader, ReadsSoundTreesAsMeant) {
  for (uint64_t i = 0; i < 500; ++i) {
    const gen::fdt::Product product = from_seed(i);
    const Tree tree = read_tree(product.blob, kDeepest);
    if (!product.sound()) {
      continue;
    }
    ASSERT_EQ(tree.fault, nullptr) << i << ": " << tree.fault;
    ASSERT_EQ(tree.nodes.size(), product.tree.nodes.size()) << i;
    ASSERT_EQ(tree.properties.size(), product.tree.properties.size()) << i;
    if (product.plain()) {
      const Board board = read_board(tree, 8);
      EXPECT_EQ(board.cpus, product.facts.cpus) << i;
      EXPECT_EQ(board.bootargs, product.facts.bootargs) << i;
      EXPECT_EQ(board.devices.virtio.size(), product.facts.virtio.size()) << i;
      EXPECT_EQ(board.devices.pcie.size(), product.facts.pcie.size()) << i;
    }
  }
}

TEST(FdtReader, EveryPrefixIsAFault) {
  const gen::fdt::Product product = from_seed(0);
  for (size_t size = 0; size < product.blob.size(); ++size) {
    const std::vector<uint8_t> prefix(product.blob.begin(),
                                      product.blob.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_NE(read_tree(prefix, kDeepest).fault, nullptr) << size;
  }
}

TEST(FdtReader, DepthIsBounded) {
  gen::fdt::Product product = from_seed(0);
  ASSERT_EQ(read_tree(product.blob, kDeepest).fault, nullptr);
  size_t deepest = 0;
  for (const gen::fdt::Node& node : product.tree.nodes) {
    deepest = std::max<size_t>(deepest, node.depth + 1);
  }
  EXPECT_EQ(read_tree(product.blob, deepest).fault, nullptr);
  EXPECT_STREQ(read_tree(product.blob, deepest - 1).fault, "too deep");
}

} // namespace
} // namespace kiln::worlds::fdt
