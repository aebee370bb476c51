// The generator's promises: nothing drawn is a plain, sound module; the same tape, the same file;
// every lie is told.

#include <gtest/gtest.h>
#include <set>

#include "generators/module.h"

namespace kiln::gen {
namespace {

const std::vector<std::string> kNames = {"kalloc", "kprint"};

ModuleProduct from_seed(uint64_t iteration) {
  sim::Tape tape(sim::SeededInput{"boot/module", 1, iteration, 2048});
  return make_module(tape, {62, "name", kNames});
}

TEST(ModuleGenerator, AnEmptyTapeIsASoundModuleOfOneSegment) {
  sim::Tape tape{std::span<const uint8_t>()};
  const ModuleProduct product = make_module(tape, {183, "name", kNames});
  EXPECT_EQ(product.lie, ModuleLie::kNone);
  ASSERT_GT(product.bytes.size(), 120u);
  EXPECT_EQ(product.bytes[18], 183);
  EXPECT_EQ(product.bytes[56], 2); // what is loaded, and the dynamic section
}

TEST(ModuleGenerator, TheSameTapeMakesTheSameFile) {
  for (uint64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(from_seed(i).bytes, from_seed(i).bytes) << i;
  }
}

TEST(ModuleGenerator, TellsEveryLieAndIsSoundHalfOfTheTime) {
  std::set<ModuleLie> told;
  unsigned sound = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    const ModuleLie lie = from_seed(i).lie;
    told.insert(lie);
    sound += lie == ModuleLie::kNone ? 1 : 0;
  }
  EXPECT_EQ(told.size(), kModuleLies);
  EXPECT_GT(sound, 800u);
}

} // namespace
} // namespace kiln::gen
