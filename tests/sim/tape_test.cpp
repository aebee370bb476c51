// The promises of the tape: any bytes are one, zero is ordinary, one changed byte does not reslice,
// a written tape equals the seeded run.

#include <gtest/gtest.h>

#include "sim/prng.h"
#include "sim/tape.h"

namespace kiln::sim {
namespace {

std::vector<uint8_t> random_bytes(Prng& prng, size_t size) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(prng.next());
  }
  return bytes;
}

/// Draws of every kind from every lane that has draws, in an order that `shape` decides alone.
std::vector<uint64_t> draw_everything(Tape& tape, uint64_t shape, unsigned count) {
  constexpr Lane kFrom[] = {Lane::kData,  Lane::kData,  Lane::kData, Lane::kWorld,
                            Lane::kFault, Lane::kSwarm, Lane::kRace};
  constexpr uint16_t kWeights[] = {10, 0, 5, 1};
  Prng prng(shape);
  std::vector<uint64_t> got;
  for (unsigned i = 0; i < count; ++i) {
    Tape::View view = tape.in(kFrom[prng.below(std::size(kFrom))]);
    uint8_t buffer[24] = {};
    const std::span<uint8_t> some(buffer, prng.below(sizeof buffer + 1));
    const uint64_t bound = prng.next() >> prng.below(64);
    switch (prng.below(15)) {
    case 0:
      got.push_back(view.u8());
      break;
    case 1:
      got.push_back(view.u16());
      break;
    case 2:
      got.push_back(view.u32());
      break;
    case 3:
      got.push_back(view.u64());
      break;
    case 4:
      got.push_back(view.below(bound));
      break;
    case 5:
      got.push_back(view.between(bound / 2, bound) - bound / 2);
      break;
    case 6:
      got.push_back(view.boolean());
      break;
    case 7:
      got.push_back(view.chance(3, 7));
      break;
    case 8:
      got.push_back(view.rare());
      break;
    case 9:
      got.push_back(view.weighted(kWeights));
      break;
    case 10:
      got.push_back(view.edge32());
      break;
    case 11:
      got.push_back(view.edge64());
      break;
    case 12:
      got.push_back(view.below(200));
      break;
    case 13:
      view.bytes(some);
      break;
    default:
      view.noise(some);
      break;
    }
    got.insert(got.end(), some.begin(), some.end());
  }
  return got;
}

TEST(Tape, AnyBytesAreATape) {
  Prng prng(7);
  for (size_t size = 0; size < 200; ++size) {
    const std::vector<uint8_t> flat = random_bytes(prng, size);
    Tape tape(flat);
    EXPECT_FALSE(draw_everything(tape, size, 60).empty());
    EXPECT_EQ(tape.sched_bytes().size(), lane_size(Lane::kSched, size));
  }
}

TEST(Tape, ZeroIsOrdinaryForEveryDraw) {
  const std::vector<uint8_t> zeros(5000);
  for (std::span<const uint8_t> flat : {std::span<const uint8_t>(), std::span(zeros)}) {
    Tape tape(flat);
    for (uint64_t value : draw_everything(tape, 11, 2000)) {
      ASSERT_EQ(value, 0u);
    }
    const char* const kList[] = {"ordinary", "odd"};
    EXPECT_STREQ(tape.data().pick(kList), "ordinary");
    EXPECT_STREQ(tape.data().pick(std::span(kList)), "ordinary");
    EXPECT_EQ(tape.data().between(5, 9), 5u);
    EXPECT_FALSE(tape.fault().chance(1, 1));
    EXPECT_EQ(tape.data().weighted({0, 1}), 0u);
    EXPECT_EQ(tape.data().below(0), 0u);
    EXPECT_EQ(tape.data().weighted(std::span<const uint16_t>()), 0u);
  }
}

TEST(Tape, ValuesAreLittleEndianAcrossWindows) {
  Lanes lanes;
  for (unsigned i = 0; i < 40; ++i) {
    lanes[Lane::kData].push_back(static_cast<uint8_t>(i + 1));
  }
  const std::vector<uint8_t> flat = join_lanes(lanes);
  Tape tape(flat);
  EXPECT_EQ(tape.data().u8(), 1u);
  EXPECT_EQ(tape.data().u16(), 0x0302u);
  EXPECT_EQ(tape.data().u32(), 0x07060504u);
  EXPECT_EQ(tape.data().u64(), 0x0F0E0D0C0B0A0908u);
  EXPECT_EQ(tape.data().u32(), 0x13121110u);
  EXPECT_EQ(tape.data().u64(), 0x1B1A191817161514u);
  EXPECT_FALSE(tape.data().at_end());
  uint8_t rest[14];
  tape.data().bytes(rest);
  EXPECT_EQ(rest[0], 0x1C);
  EXPECT_EQ(rest[12], 40);
  EXPECT_EQ(rest[13], 0);
  EXPECT_TRUE(tape.data().at_end());
}

TEST(Tape, OneChangedByteDoesNotReslice) {
  Prng prng(3);
  const std::vector<uint8_t> flat = random_bytes(prng, 400);
  TapeRecord plain;
  Tape tape(flat);
  tape.record_into(&plain);
  draw_everything(tape, 5, 80);
  for (size_t position = 0; position < flat.size(); ++position) {
    std::vector<uint8_t> changed = flat;
    changed[position] ^= 0x55;
    const LanePosition at = lane_position(position);
    TapeRecord record;
    Tape other(changed);
    other.record_into(&record);
    draw_everything(other, 5, 80);
    ASSERT_EQ(record.draws.size(), plain.draws.size());
    for (size_t i = 0; i < record.draws.size(); ++i) {
      const DrawRecord& a = plain.draws[i];
      const DrawRecord& b = record.draws[i];
      ASSERT_TRUE(a.lane == b.lane && a.position == b.position && a.width == b.width);
      const bool covers =
          a.lane == at.lane && a.position <= at.index && at.index < a.position + a.width;
      ASSERT_TRUE(covers || a.value == b.value) << "byte " << position << " changed draw " << i;
    }
  }
}

TEST(Tape, WrittenTapeEqualsTheSeededRun) {
  const std::vector<uint8_t> sched = {3, 1, 0x80, 0, 2};
  for (uint64_t iteration = 0; iteration < 500; ++iteration) {
    Tape seeded(SeededInput{"lib/thing", 1, iteration, 300 + iteration % 700});
    const unsigned draws = static_cast<unsigned>(iteration % 97);
    const std::vector<uint64_t> got = draw_everything(seeded, iteration, draws);
    const std::vector<uint8_t> flat = seeded.written(sched);

    Tape replay(flat);
    EXPECT_EQ(draw_everything(replay, iteration, draws), got);
    EXPECT_EQ(replay.written(sched), flat);
    const std::span<const uint8_t> read = replay.sched_bytes();
    ASSERT_GE(read.size(), sched.size());
    EXPECT_TRUE(std::equal(sched.begin(), sched.end(), read.begin()));
  }
}

TEST(Tape, WrittenTapeHoldsOnlyWhatWasRead) {
  Prng prng(9);
  const std::vector<uint8_t> flat = random_bytes(prng, 1000);
  Tape tape(flat);
  tape.data().u8();
  EXPECT_LE(tape.written({}).size(), flat_position(Lane::kData, 0) + 1);
}

TEST(Tape, RecordingChangesNoDraw) {
  for (uint64_t iteration = 0; iteration < 50; ++iteration) {
    const SeededInput input{"lib/thing", 2, iteration, 2000};
    Tape plain(input);
    Tape recorded(input);
    TapeRecord record;
    recorded.record_into(&record);
    EXPECT_EQ(draw_everything(plain, 1, 200), draw_everything(recorded, 1, 200));
    EXPECT_EQ(plain.written({}), recorded.written({}));
  }
}

TEST(Tape, SeededLengthsAreOftenShort) {
  const size_t kMost = lane_size(Lane::kData, 4096);
  unsigned tiny = 0;
  unsigned small = 0;
  unsigned long_ones = 0;
  for (uint64_t iteration = 0; iteration < 4000; ++iteration) {
    Tape tape(SeededInput{"lib/thing", 1, iteration, 4096});
    size_t length = 0;
    for (; !tape.data().at_end(); ++length) {
      tape.data().u8();
    }
    EXPECT_LE(length, kMost);
    tiny += length <= kMost / 64;
    small += length <= kMost / 8;
    long_ones += length > kMost / 2;
  }
  EXPECT_NEAR(tiny, 1000 + 125 + 31, 150);
  EXPECT_NEAR(small, 2000 + 250, 150);
  EXPECT_NEAR(long_ones, 1000, 150);
}

TEST(Tape, ANumberedInputIsItsNumber) {
  for (const uint64_t number : {uint64_t{0}, uint64_t{1}, uint64_t{513}, UINT64_MAX}) {
    Tape tape(
        {.target = "fs/small", .seed = 7, .iteration = number, .longest = 256, .numbered = true});
    EXPECT_EQ(tape.swarm().u32(), 0u);
    EXPECT_EQ(tape.fault().u64(), 0u);
    EXPECT_EQ(tape.data().u32(), number & 0xFFFFFFFF);
    EXPECT_EQ(tape.data().u32(), number >> 32);
    EXPECT_EQ(tape.data().u64(), 0u);
    const std::vector<uint8_t> written = tape.written({});
    Tape again(written);
    EXPECT_EQ(again.data().u64(), number);
  }
}

// Known answers: these values must never change, or every saved seed and iteration loses its
// meaning.
TEST(Tape, SeededInputsAreFixedForever) {
  Tape tape(SeededInput{"lib/format", 1, 0, 4096});
  EXPECT_EQ(tape.strategy_seed(), 15567783359535163637u);
  EXPECT_EQ(tape.data().u64(), 2538651518738988573u);
  EXPECT_EQ(tape.world().u32(), 2127716042u);
  EXPECT_EQ(tape.data().below(1000), 416u);
  Tape next(SeededInput{"lib/format", 1, 1, 4096});
  EXPECT_EQ(next.strategy_seed(), 17392746296801145062u);
  EXPECT_NE(Tape(SeededInput{"lib/format", 2, 0, 4096}).strategy_seed(), tape.strategy_seed());
  EXPECT_NE(Tape(SeededInput{"lib/formal", 1, 0, 4096}).strategy_seed(), tape.strategy_seed());
}

} // namespace
} // namespace kiln::sim
