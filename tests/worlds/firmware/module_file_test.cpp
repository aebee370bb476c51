// The second reader proves itself against the generator: what is sound is read as it was meant.

#include <gtest/gtest.h>

#include "generators/module/draft.h"
#include "worlds/firmware/module_file.h"

namespace kiln::worlds {
namespace {

const std::vector<std::string> kNames = {"a", "kalloc", "kfree", "kprint"};
const ModuleExports kExports = {{"a", 1}, {"kalloc", 2}, {"kfree", 3}, {"kprint", 4}};

ModuleRules rules(uint16_t machine) { return {machine, 16, 1 << 21, 63, 255}; }

gen::module_draft::Draft from_seed(uint64_t iteration) {
  sim::Tape tape(sim::SeededInput{"boot/module", 5, iteration, 2048});
  const uint16_t machine = iteration % 2 == 0 ? 62 : 183;
  return gen::module_draft::draw(tape, {machine, "name", kNames});
}

TEST(ModuleFile, ReadsSoundModulesAsMeant) {
  for (uint64_t i = 0; i < 500; ++i) {
    const gen::module_draft::Draft draft = from_seed(i);
    gen::module_draft::Places places;
    const std::vector<uint8_t> bytes = gen::module_draft::write(draft, places);
    const ModuleFile file = read_module(bytes, rules(draft.machine), kExports);
    if (draft.segments + draft.extra > 16 || draft.long_name) {
      EXPECT_FALSE(file.faults.empty()) << i;
      continue;
    }
    ASSERT_TRUE(file.faults.empty()) << i << ": " << file.faults.begin()->second;
    ASSERT_EQ(file.segments.size(), places.loads.size()) << i;
    for (size_t n = 0; n < places.loads.size(); ++n) {
      EXPECT_EQ(file.segments[n].address, places.loads[n].address) << i;
      EXPECT_EQ(file.segments[n].bytes, places.loads[n].bytes) << i;
    }
    ASSERT_EQ(file.symbols.size(), draft.symbols.size()) << i;
    for (size_t n = 0; n < draft.symbols.size(); ++n) {
      EXPECT_EQ(file.symbols[n].name, draft.symbols[n].name) << i;
    }
    EXPECT_EQ(file.descriptor, places.descriptor_symbol) << i;
  }
}

TEST(ModuleFile, EveryPrefixIsAFault) {
  gen::module_draft::Places places;
  const std::vector<uint8_t> bytes = gen::module_draft::write(from_seed(0), places);
  const uint64_t end = places.loads.back().offset + places.loads.back().in_file;
  for (size_t size = 0; size < end; ++size) {
    EXPECT_FALSE(read_module(std::span(bytes).first(size), rules(62), kExports).faults.empty())
        << size;
  }
}

TEST(ModuleFile, SaysAllFaultsOfAStage) {
  gen::module_draft::Places places;
  std::vector<uint8_t> bytes = gen::module_draft::write(from_seed(0), places);
  bytes[4] = 1;
  bytes[16] = 2;
  const ModuleFile file = read_module(bytes, rules(62), kExports);
  EXPECT_TRUE(file.faults.contains({ModuleFault::kNot64Bit, 0}));
  EXPECT_TRUE(file.faults.contains({ModuleFault::kNotShared, 0}));
  EXPECT_EQ(file.faults.size(), 2u);
}

} // namespace
} // namespace kiln::worlds
