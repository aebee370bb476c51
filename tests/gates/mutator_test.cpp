// Mutations stay within one lane or move whole structures; and a search with them gets somewhere.

#include <algorithm>
#include <gtest/gtest.h>

#include "gates/mutate/mutations.h"
#include "gates/mutate/mutator.h"
#include "tests/gates/toy_judge.h"

namespace kiln::gates {
namespace {

using sim::Lane;
using sim::Span;

constexpr size_t kMost = 2000;

/// A list of packets with options. Branches taken are its coverage, a bit each; the last one is the
/// bug: three packets in order, one of them lost, one with a switch of tasks in it.
constexpr uint32_t kBug = 1U << 3;
uint32_t packets(Toy& toy) {
  unsigned stage = 0;
  uint32_t coverage = 0;
  const uint64_t count = toy.tape.data().below(30);
  for (uint64_t i = 0; i < count; ++i) {
    Span packet(toy.tape, "packet");
    const uint64_t kind = toy.tape.data().below(16);
    const bool lost = toy.tape.world().chance(1, 4);
    {
      Span option(toy.tape, "option");
      toy.tape.data().u16();
    }
    const bool switched = toy.choose(3) == 2;
    constexpr uint64_t kKinds[] = {2, 4, 6, 99};
    const bool right_kind = kind == kKinds[stage];
    coverage |= right_kind ? 0x10U << stage : 0;
    stage += right_kind && (stage == 0 || (stage == 1 && lost) || (stage == 2 && switched));
    coverage |= 1U << stage;
  }
  return coverage;
}

struct Recorded {
  std::vector<uint8_t> tape;
  sim::TapeRecord record;
  uint32_t coverage = 0;
  uint64_t points = 0;
};
Recorded run_packets(std::vector<uint8_t> bytes) {
  Recorded recorded{std::move(bytes), {}, 0, 0};
  sim::Tape tape(recorded.tape);
  Toy toy(tape);
  tape.record_into(&recorded.record);
  tape.set_point_counter(&toy.points);
  recorded.coverage = packets(toy);
  recorded.points = toy.points;
  return recorded;
}

Recorded sample(uint64_t seed) {
  sim::Prng prng(seed);
  std::vector<uint8_t> bytes(600);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(prng.next());
  }
  bytes[sim::flat_position(Lane::kData, 0)] = 20;
  return run_packets(std::move(bytes));
}

unsigned lanes_that_differ(const Candidate& a, const Candidate& b) {
  unsigned count = 0;
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    count += a.lanes.bytes[i] != b.lanes.bytes[i];
  }
  return count;
}

struct MutationTest : ::testing::Test {
  Recorded parent = sample(1);
  Candidate before = take_apart(parent.tape);
  std::vector<Number> numbers = numbers_of(before, parent.record);
  sim::Prng prng{5};
  ByteMutator bytes = [](uint8_t* data, size_t size, size_t) {
    if (size > 0) data[0] ^= 1;
    return size;
  };
  MutationContext context{prng, parent.record, numbers, kMost, 64, bytes};

  size_t spans_after(const Candidate& candidate) {
    return run_packets(put_together(candidate)).record.spans.size();
  }
};

TEST_F(MutationTest, BytesChangeOneLaneAndNoDecision) {
  for (Mutation mutation : {change_number, copy_number, insert_bytes, erase_bytes, extend_lane,
                            cut_lane, renew_lane, change_lane_by_bytes}) {
    unsigned changed = 0;
    for (unsigned i = 0; i < 300; ++i) {
      Candidate candidate = before;
      mutation(context, candidate);
      ASSERT_LE(lanes_that_differ(candidate, before), 1u);
      ASSERT_EQ(sim::encode_sched(candidate.decisions), sim::encode_sched(before.decisions));
      changed += lanes_that_differ(candidate, before);
    }
    EXPECT_GT(changed, 150u);
  }
}

TEST_F(MutationTest, SchedulesChangeNoLane) {
  for (Mutation mutation : {insert_decision, delete_decision, move_decision, change_alternative,
                            shift_later_decisions, renew_decisions}) {
    unsigned changed = 0;
    for (unsigned i = 0; i < 300; ++i) {
      Candidate candidate = before;
      mutation(context, candidate);
      ASSERT_EQ(lanes_that_differ(candidate, before), 0u);
      ASSERT_TRUE(std::is_sorted(
          candidate.decisions.begin(), candidate.decisions.end(),
          [](const sim::Decision& a, const sim::Decision& b) { return a.point <= b.point; }));
      changed += sim::encode_sched(candidate.decisions) != sim::encode_sched(before.decisions);
    }
    EXPECT_GT(changed, 150u);
  }
}

TEST_F(MutationTest, SpansMoveAsAWhole) {
  for (Mutation mutation : {delete_span, duplicate_span, swap_spans, overwrite_span}) {
    for (unsigned i = 0; i < 300; ++i) {
      Candidate candidate = before;
      ASSERT_TRUE(mutation(context, candidate));
      ASSERT_EQ(spans_after(candidate), parent.record.spans.size());
    }
  }
}

TEST_F(MutationTest, SwappingKeepsEveryByte) {
  for (unsigned i = 0; i < 300; ++i) {
    Candidate candidate = before;
    swap_spans(context, candidate);
    for (unsigned lane = 0; lane < sim::kLanes; ++lane) {
      EXPECT_TRUE(std::is_permutation(
          candidate.lanes.bytes[lane].begin(), candidate.lanes.bytes[lane].end(),
          before.lanes.bytes[lane].begin(), before.lanes.bytes[lane].end()));
    }
  }
}

TEST(Mutator, KeepsToItsSizeAndIsNeverEmpty) {
  const Recorded parent = sample(2);
  const Recorded other = sample(3);
  for (size_t most : {1, 8, 9, 24, 100, 700}) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
      const MutationParent a{parent.tape, &parent.record};
      const MutationParent b{other.tape, &other.record};
      for (const auto& tape : {mutate(a, most, seed, {}), cross_over(a, b, most, seed)}) {
        ASSERT_GE(tape.size(), 1u);
        ASSERT_LE(tape.size(), most);
      }
    }
  }
}

TEST(Mutator, TakesAnyTapeWithoutARecord) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<uint8_t> tape = sample(seed).tape;
    const MutationParent parent{std::span(tape).first(seed)};
    EXPECT_GE(mutate(parent, kMost, seed, {}).size(), 1u);
    EXPECT_GE(cross_over(parent, {tape}, kMost, seed).size(), 1u);
  }
}

TEST(Mutator, SameArgumentsGiveTheSameTape) {
  const Recorded parent = sample(4);
  const MutationParent a{parent.tape, &parent.record};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(mutate(a, kMost, seed, {}), mutate(a, kMost, seed, {}));
    EXPECT_EQ(cross_over(a, {}, kMost, seed), cross_over(a, {}, kMost, seed));
  }
}

/// Runs until a tape shows the bug; a tape with new coverage joins the corpus.
uint64_t search(uint64_t seed) {
  constexpr uint64_t kMostExecutions = 50'000;
  sim::Prng prng(seed);
  std::vector<Recorded> corpus;
  corpus.push_back(run_packets({0}));
  uint32_t covered = 0;
  uint64_t executions = 0;
  while (executions < kMostExecutions && (covered & kBug) == 0) {
    const Recorded& chosen = corpus[prng.below(corpus.size())];
    std::vector<uint8_t> tape =
        mutate({chosen.tape, &chosen.record, chosen.points}, kMost, prng.next(), {});
    for (uint64_t more = prng.below(4); more > 0; --more) {
      tape = mutate({tape, nullptr, chosen.points}, kMost, prng.next(), {});
    }
    Recorded recorded = run_packets(std::move(tape));
    ++executions;
    if ((recorded.coverage & ~covered) == 0) continue;
    covered |= recorded.coverage;
    corpus.push_back(std::move(recorded));
  }
  return executions;
}

TEST(Mutator, ClimbsToABugOfThreeStages) {
  constexpr uint64_t kSeeds = 4;
  uint64_t worst = 0;
  uint64_t sum = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const uint64_t executions = search(seed);
    worst = std::max(worst, executions);
    sum += executions;
  }
  std::printf("  %lu executions on average, %lu at worst\n", sum / kSeeds, worst);
  EXPECT_LT(worst, 5'000u);
}

} // namespace
} // namespace kiln::gates
