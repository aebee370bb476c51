// The generator's promises: nothing drawn is a plain, valid board; the same tape, the same tree.

#include <algorithm>
#include <gtest/gtest.h>
#include <libfdt.h>

#include "generators/fdt.h"

namespace kiln::gen::fdt {
namespace {

Product from_seed(uint64_t iteration) {
  sim::Tape tape(sim::SeededInput{"boot/fdt", 1, iteration, 4096});
  return make(tape);
}

bool libfdt_takes(const std::vector<uint8_t>& blob) {
  return fdt_check_full(blob.data(), blob.size()) == 0;
}

TEST(FdtGenerator, AnEmptyTapeIsAPlainBoard) {
  sim::Tape tape{std::span<const uint8_t>()};
  const Product product = make(tape);
  EXPECT_TRUE(product.plain());
  EXPECT_TRUE(libfdt_takes(product.blob));
  EXPECT_EQ(product.blob.size(), fdt_totalsize(product.blob.data()));
  EXPECT_EQ(product.facts.model, "linux,dummy-virt");
  ASSERT_EQ(product.facts.memory.size(), 1u);
  EXPECT_EQ(product.facts.memory[0].base, 0x40000000u);
  EXPECT_EQ(product.facts.memory[0].size, 128u << 20);
  EXPECT_EQ(product.facts.cpus.size(), 1u);
  EXPECT_TRUE(product.facts.reserved.empty());
  EXPECT_TRUE(product.facts.has_serial);
  EXPECT_EQ(product.facts.serial_irq.value().number, 33u);
  EXPECT_EQ(product.facts.controller.kind, ControllerKind::kGicV3);
  EXPECT_EQ(product.facts.controller.its.size(), 1u);
  EXPECT_TRUE(product.facts.timer.has_value());
  EXPECT_EQ(product.facts.psci, "hvc");
  ASSERT_EQ(product.facts.pcie.size(), 1u);
  EXPECT_EQ(product.facts.pcie[0].windows.size(), 3u);
  EXPECT_EQ(product.facts.virtio.size(), 2u);
  EXPECT_GT(fdt_path_offset(product.blob.data(), "/pl011@9000000"), 0);
}

// Past its end a tape is zeros: what was begun is ended in the plainest way.
TEST(FdtGenerator, AShortTapeIsSound) {
  for (size_t size = 0; size < 64; ++size) {
    const std::vector<uint8_t> bytes(size, 0xFF);
    std::vector<uint8_t> flat(bytes);
    for (size_t i = 0; i < flat.size(); ++i) {
      if (sim::lane_position(i).lane == sim::Lane::kFault) {
        flat[i] = 0;
      }
    }
    sim::Tape tape{std::span<const uint8_t>(flat)};
    EXPECT_TRUE(make(tape).plain()) << size;
  }
}

TEST(FdtGenerator, TheSameTapeMakesTheSameBlob) {
  for (uint64_t i = 0; i < 200; ++i) {
    sim::Tape seeded(sim::SeededInput{"boot/fdt", 7, i, 4096});
    const Product first = make(seeded);
    const std::vector<uint8_t> flat = seeded.written({});
    sim::Tape again{std::span<const uint8_t>(flat)};
    const Product second = make(again);
    EXPECT_EQ(first.blob, second.blob) << i;
    EXPECT_EQ(first.lie_count, second.lie_count);
    EXPECT_EQ(first.facts.bootargs, second.facts.bootargs);
  }
}

TEST(FdtGenerator, MostAreSoundAndEveryLieIsTold) {
  constexpr uint64_t kInputs = 5000;
  uint64_t sound = 0;
  uint64_t told[kLies] = {};
  for (uint64_t i = 0; i < kInputs; ++i) {
    const Product product = from_seed(i);
    sound += product.sound() ? 1 : 0;
    for (uint32_t k = 0; k < product.lie_count; ++k) {
      ++told[static_cast<size_t>(product.lies[k])];
    }
  }
  EXPECT_GT(sound, kInputs * 6 / 10);
  for (size_t lie = 0; lie < kLies; ++lie) {
    EXPECT_GT(told[lie], kInputs / 500) << lie_text(static_cast<Lie>(lie));
  }
}

TEST(FdtGenerator, BoardsAreOfEveryKind) {
  std::vector<std::string> models;
  for (uint64_t i = 0; i < 200; ++i) {
    models.push_back(from_seed(i).facts.model);
  }
  std::sort(models.begin(), models.end());
  models.erase(std::unique(models.begin(), models.end()), models.end());
  EXPECT_EQ(models.size(), 5u);
}

} // namespace
} // namespace kiln::gen::fdt
