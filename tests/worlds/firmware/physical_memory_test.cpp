// The window's judgements.

#include <gtest/gtest.h>

#include "tests/support/in_machine.h"
#include "worlds/firmware/physical_memory.h"

namespace kiln::worlds {
namespace {

using test::run_in_machine;

constexpr uint64_t kLastAddress = (uint64_t{1} << 52) - 1;
constexpr Extent kTable[] = {{0x1FF0, 0x40}};

struct World {
  explicit World(size_t slots = 1, std::optional<uint64_t> refused = std::nullopt)
      : window(memory, slots, kLastAddress, refused) {
    memory.put(0x1FF0, std::vector<uint8_t>(0x40, 7));
    window.judge_by(kTable);
  }
  PhysicalMemory memory;
  MemoryWindow window;
};

TEST(PhysicalMemory, LaterPiecesLieOverEarlierOnes) {
  PhysicalMemory memory;
  memory.put(10, {1, 2, 3, 4});
  memory.put(12, {9});
  memory.put(UINT64_MAX, {5});
  EXPECT_EQ(memory.read(9, 6), (std::vector<uint8_t>{0xFF, 1, 2, 9, 4, 0xFF}));
  EXPECT_EQ(memory.read(UINT64_MAX - 1, 2), (std::vector<uint8_t>{0xFF, 5}));
}

TEST(MemoryWindow, GivesPiecesOfATable) {
  const auto outcome = run_in_machine([](sim::Run&) {
    World w;
    const auto first = w.window.map(0x1FF0, 0x10);
    KILN_CHECK(first.bytes.size() == 0x10 && first.bytes[0xF] == 7, "the bytes are there");
    KILN_CHECK(w.window.map(0x2000, 1).refusal == MemoryWindow::Refusal::kTooMany, "one slot");
    w.window.unmap(first.bytes);
    w.window.check_all_unmapped();
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

void expect_finding(test::Body body, const char* says) {
  const auto outcome = run_in_machine(body);
  ASSERT_TRUE(outcome.found) << says;
  EXPECT_NE(std::string(outcome.finding.headline).find(says), std::string::npos)
      << outcome.finding.headline;
}

TEST(MemoryWindow, JudgesWhatIsAskedFor) {
  expect_finding([](sim::Run&) { World().window.map(0x2000, 0x31); }, "no table has all of them");
  expect_finding([](sim::Run&) { World().window.map(0x1FEF, 1); }, "no table has all of them");
  expect_finding([](sim::Run&) { World().window.map(0x1FF0, 0x11); }, "in one page");
  expect_finding([](sim::Run&) { World().window.map(0x1FF0, 0); }, "nothing is mapped");
}

TEST(MemoryWindow, JudgesWhatIsLeftAndGivenBack) {
  expect_finding(
      [](sim::Run&) {
        World w;
        w.window.map(0x2000, 1);
        w.window.check_all_unmapped();
      },
      "1 mappings are left");
  expect_finding(
      [](sim::Run&) {
        World w;
        const auto mapped = w.window.map(0x2000, 2);
        w.window.unmap(mapped.bytes);
        w.window.unmap(mapped.bytes);
      },
      "not mapped");
}

TEST(MemoryWindow, RefusesTheRequestThatIsToFail) {
  const auto outcome = run_in_machine([](sim::Run&) {
    World w(8, 1);
    const auto first = w.window.map(0x2000, 1);
    KILN_CHECK(w.window.map(0x2001, 1).refusal == MemoryWindow::Refusal::kTooMany, "the second");
    w.window.unmap(first.bytes);
    KILN_CHECK(w.window.refused().size() == 1 && w.window.refused()[0].first == 0x2001, "is noted");
  });
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
}

} // namespace
} // namespace kiln::worlds
