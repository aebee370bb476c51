// How small the shrinker gets, and what it costs. Executions are upper bounds with some air: a rise
// above one is a change for the worse.

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "gates/shrink/shrink.h"
#include "sim/prng.h"
#include "tests/gates/toy_judge.h"

namespace kiln::gates {
namespace {

using sim::Lane;
using sim::Span;

constexpr ShrinkBudget kPlenty{100'000, std::chrono::minutes(5)};

struct Expected {
  size_t choices;
  uint64_t executions;
};
ShrinkResult shrink_to(ToyJudge& judge, std::span<const uint8_t> tape, const Expected& most) {
  ShrinkResult result = shrink(tape, judge, kPlenty);
  EXPECT_EQ(result.end, ShrinkEnd::kFixpoint);
  EXPECT_LE(result.choices_after, most.choices);
  EXPECT_LE(result.executions, most.executions);
  EXPECT_TRUE(judge.run(result.tape)->same);
  ::testing::Test::RecordProperty("choices_before", static_cast<int>(result.choices_before));
  ::testing::Test::RecordProperty("choices_after", static_cast<int>(result.choices_after));
  ::testing::Test::RecordProperty("executions", static_cast<int>(result.executions));
  std::printf("  %zu choices -> %zu, %zu bytes -> %zu, in %lu executions, %lu steps\n",
              result.choices_before, result.choices_after, tape.size(), result.tape.size(),
              result.executions, result.steps);
  return result;
}

/// Three operations of a long program, in order, one with a large argument.
bool three_of_many(Toy& toy) {
  const uint64_t count = toy.tape.data().below(1001);
  unsigned stage = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Span span(toy.tape, "operation");
    const uint64_t kind = toy.tape.data().below(16);
    const uint16_t argument = toy.tape.data().u16();
    stage += (stage == 0 && kind == 3) || (stage == 1 && kind == 7 && argument > 1000) ||
             (stage == 2 && kind == 5);
  }
  return stage == 3;
}

TEST(Shrink, FindsThreeOperationsAmongAThousand) {
  ToyJudge judge(three_of_many);
  std::vector<uint8_t> tape = find_tape(judge, 8000);
  tape[sim::flat_position(Lane::kData, 0)] = 1000 % 256;
  tape[sim::flat_position(Lane::kData, 1)] = 1000 / 256;
  const ShrinkResult result = shrink_to(judge, tape, {5, 200});
  sim::Tape read(result.tape);
  EXPECT_EQ(read.data().below(1001), 3u);
  EXPECT_EQ(read.data().below(16), 3u);
  read.data().u16();
  EXPECT_EQ(read.data().below(16), 7u);
  EXPECT_EQ(read.data().u16(), 1001u);
}

/// The same with a draw that says whether another operation follows.
bool three_with_continuation(Toy& toy) {
  unsigned stage = 0;
  while (toy.tape.data().chance(99, 100)) {
    Span span(toy.tape, "operation");
    const uint64_t kind = toy.tape.data().below(16);
    stage += kind == std::array<uint64_t, 4>{3, 7, 5, 99}[stage];
  }
  return stage == 3;
}

TEST(Shrink, FindsThreeOperationsWithContinuation) {
  ToyJudge judge(three_with_continuation);
  shrink_to(judge, find_tape(judge, 8000), {6, 450});
}

/// Records with a length before their bytes; the bug needs a byte in a record of at least 3.
bool length_prefixed(Toy& toy) {
  const uint64_t count = toy.tape.data().below(200);
  bool shows = false;
  for (uint64_t i = 0; i < count; ++i) {
    Span span(toy.tape, "record");
    std::vector<uint8_t> bytes(toy.tape.data().u8());
    toy.tape.data().bytes(bytes);
    shows |= bytes.size() >= 3 && std::count(bytes.begin(), bytes.end(), 0xEE) >= 2;
  }
  return shows;
}

TEST(Shrink, ShortensLengthPrefixedRecords) {
  ToyJudge judge(length_prefixed);
  const ShrinkResult result = shrink_to(judge, find_tape(judge, 16'000), {4, 200});
  sim::Tape read(result.tape);
  EXPECT_EQ(read.data().below(200), 1u);
  EXPECT_EQ(read.data().u8(), 3u);
}

/// Nested structures and two lanes: the third packet's second option is odd while the link loses
/// it.
bool nested(Toy& toy) {
  bool shows = false;
  const uint64_t packets = toy.tape.data().below(40);
  for (uint64_t i = 0; i < packets; ++i) {
    Span packet(toy.tape, "packet");
    const bool lost = toy.tape.world().chance(1, 4);
    const uint64_t options = toy.tape.data().below(10);
    for (uint64_t k = 0; k < options; ++k) {
      Span option(toy.tape, "option");
      const uint32_t value = toy.tape.data().edge32();
      shows |= i >= 2 && k >= 1 && lost && value >= 0x80000000;
    }
  }
  return shows;
}

TEST(Shrink, WorksOverLanesTogether) {
  ToyJudge judge(nested);
  shrink_to(judge, find_tape(judge, 4000), {4, 250});
}

/// Two tasks take two locks in opposite orders, as the last thing of a long program; before it each
/// operation has a few scheduling points.
bool opposite_orders(Toy& toy) {
  const uint64_t count = toy.tape.data().below(120);
  for (uint64_t i = 0; i < count; ++i) {
    Span span(toy.tape, "operation");
    const uint64_t points = toy.tape.data().below(9);
    for (uint64_t k = 0; k < points; ++k) {
      toy.choose(3);
    }
  }
  unsigned at[2] = {0, 0}; // steps done: 0 nothing, 1 first lock, 2 both locks, 3 unlocked
  unsigned runs = 0;
  while (at[0] < 3 && at[1] < 3) {
    if (toy.choose(2) == 1) runs = 1 - runs;
    const bool blocked = at[runs] == 1 && at[1 - runs] == 1;
    if (blocked) return true;
    ++at[runs];
    if (at[runs] == 3) runs = 1 - runs;
  }
  return false;
}

TEST(Shrink, KeepsTheScheduleThatMatters) {
  ToyJudge judge(opposite_orders);
  const std::vector<uint8_t> tape = find_tape(judge, 3000);
  const ShrinkResult result = shrink_to(judge, tape, {1, 20});
  EXPECT_EQ(sim::decode_sched(sim::split_lanes(result.tape)[Lane::kSched]).size(), 1u);
}

/// As above, but operations have to stay: the bug needs ten of them, and their points move.
bool order_after_ten(Toy& toy) {
  const uint64_t count = toy.tape.data().below(120);
  uint64_t seen = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Span span(toy.tape, "operation");
    const uint64_t points = toy.tape.data().below(9);
    seen += points >= 4;
    for (uint64_t k = 0; k < points; ++k) {
      toy.choose(3);
    }
  }
  bool shows = false;
  for (unsigned i = 0; i < 6; ++i) {
    shows |= toy.choose(2) == 1 && i == 3;
  }
  return shows && seen >= 10;
}

TEST(Shrink, MovesDecisionsWithTheCodeAroundThem) {
  ToyJudge judge(order_after_ten);
  const ShrinkResult result = shrink_to(judge, find_tape(judge, 3000), {12, 800});
  sim::Tape read(result.tape);
  EXPECT_EQ(read.data().below(120), 10u);
  EXPECT_EQ(read.data().below(9), 4u);
}

/// A program drawn as a whole before it runs: its spans say nothing about scheduling points.
bool drawn_then_run(Toy& toy) {
  std::vector<unsigned> tasks[2];
  for (std::vector<unsigned>& task : tasks) {
    Span span(toy.tape, "task");
    const uint64_t count = toy.tape.data().below(12);
    for (uint64_t i = 0; i < count; ++i) {
      Span operation(toy.tape, "operation");
      task.push_back(static_cast<unsigned>(toy.tape.data().below(6)));
    }
  }
  // Operations 4 and 5 of different tasks must meet halfway.
  size_t at[2] = {0, 0};
  unsigned half[2] = {0, 0};
  unsigned runs = 0;
  while (at[0] < tasks[0].size() || at[1] < tasks[1].size()) {
    if (toy.choose(2) == 1 || at[runs] >= tasks[runs].size()) runs = 1 - runs;
    if (at[runs] >= tasks[runs].size()) runs = 1 - runs;
    const unsigned other = 1 - runs;
    const bool other_inside = at[other] < tasks[other].size() && half[other] == 1;
    if (half[runs] == 1 && other_inside && tasks[runs][at[runs]] == 4 &&
        tasks[other][at[other]] == 5) {
      return true;
    }
    half[runs] = 1 - half[runs];
    if (half[runs] == 0) ++at[runs];
  }
  return false;
}

TEST(Shrink, ReducesProgramsDrawnBeforeTheyRun) {
  ToyJudge judge(drawn_then_run);
  shrink_to(judge, find_tape(judge, 600), {5, 220});
}

TEST(Shrink, WorksWithoutARecord) {
  ToyJudge judge(three_of_many);
  const std::vector<uint8_t> tape = find_tape(judge, 2000);
  judge.records = false;
  shrink_to(judge, tape, {5, 300});
}

TEST(Shrink, OrdinaryTapeNeedsOneRunMore) {
  ToyJudge judge([](Toy&) { return true; });
  const ShrinkResult result = shrink_to(judge, std::vector<uint8_t>(100, 0xFF), {0, 2});
  EXPECT_TRUE(result.tape.empty());
}

TEST(Shrink, IsDeterministic) {
  ToyJudge first(opposite_orders);
  ToyJudge second(opposite_orders);
  const std::vector<uint8_t> tape = find_tape(first, 3000);
  const ShrinkResult a = shrink(tape, first, kPlenty);
  const ShrinkResult b = shrink(tape, second, kPlenty);
  EXPECT_EQ(a.tape, b.tape);
  EXPECT_EQ(first.tapes, second.tapes);
}

TEST(Shrink, NeverRunsATapeTwice) {
  ToyJudge judge(nested);
  shrink(find_tape(judge, 4000), judge, kPlenty);
  std::vector<std::vector<uint8_t>> tapes = judge.tapes;
  std::sort(tapes.begin(), tapes.end());
  EXPECT_EQ(std::adjacent_find(tapes.begin(), tapes.end()), tapes.end());
}

TEST(Shrink, ShrunkTapeStaysAsItIs) {
  ToyJudge judge(nested);
  const ShrinkResult once = shrink(find_tape(judge, 4000), judge, kPlenty);
  EXPECT_EQ(shrink(once.tape, judge, kPlenty).tape, once.tape);
}

TEST(Shrink, StopsAtItsBudget) {
  ToyJudge judge(three_of_many);
  const std::vector<uint8_t> tape = find_tape(judge, 2000);
  const ShrinkResult few = shrink(tape, judge, {50, std::chrono::minutes(1)});
  EXPECT_EQ(few.end, ShrinkEnd::kExecutions);
  EXPECT_EQ(few.executions, 50u);
  EXPECT_TRUE(judge.run(few.tape)->same);
  const ShrinkResult none = shrink(tape, judge, {50, std::chrono::milliseconds(0)});
  EXPECT_EQ(none.end, ShrinkEnd::kTime);
  EXPECT_EQ(none.tape, tape);
}

TEST(Shrink, SaysWhenTheFindingDoesNotShow) {
  ToyJudge judge([](Toy&) { return false; });
  const std::vector<uint8_t> tape(10, 1);
  const ShrinkResult result = shrink(tape, judge, kPlenty);
  EXPECT_EQ(result.end, ShrinkEnd::kNotReproduced);
  EXPECT_EQ(result.tape, tape);
}

/// Can run ten times and no more.
struct TiredJudge : ToyJudge {
  using ToyJudge::ToyJudge;
  std::optional<Judged> run(std::span<const uint8_t> bytes) override {
    if (tapes.size() >= 10) return std::nullopt;
    return ToyJudge::run(bytes);
  }
};

TEST(Shrink, KeepsWhatItHasWhenRunsBecomeImpossible) {
  ToyJudge finder(three_of_many);
  TiredJudge judge(three_of_many);
  const ShrinkResult result = shrink(find_tape(finder, 2000), judge, kPlenty);
  EXPECT_EQ(result.end, ShrinkEnd::kCannotRun);
  EXPECT_TRUE(finder.run(result.tape)->same);
}

} // namespace
} // namespace kiln::gates
