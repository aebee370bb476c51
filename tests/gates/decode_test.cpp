#include <gtest/gtest.h>

#include "gates/report/decode.h"
#include "sim/sched_lane.h"

namespace kiln::gates {
namespace {

using sim::Lane;
using sim::Span;

std::vector<uint8_t> sample() {
  sim::Lanes lanes;
  lanes[Lane::kData] = {2, 7, 0, 0x10, 0x27};
  lanes[Lane::kWorld] = {1, 0};
  const sim::Decision kDecisions[] = {{4, 1}, {400, 2}};
  lanes[Lane::kSched] = sim::encode_sched(kDecisions);
  return sim::join_lanes(lanes);
}

void run(sim::Tape& tape) {
  const uint64_t count = tape.data().below(5);
  for (uint64_t i = 0; i < count; ++i) {
    Span packet(tape, "packet");
    tape.data().u8();
    tape.world().chance(1, 8);
    Span option(tape, "option");
    tape.data().below(3);
  }
}

sim::TapeRecord record_of(std::span<const uint8_t> bytes) {
  sim::TapeRecord record;
  sim::Tape tape(bytes);
  tape.record_into(&record);
  run(tape);
  return record;
}

TEST(Decode, PrintsSpansDrawsAndDecisions) {
  const std::vector<uint8_t> tape = sample();
  EXPECT_EQ(decode(tape, record_of(tape), {"point 4", "point 400"}, {}),
            R"(51 bytes, 7 choices that are not the ordinary one (--all prints the others, too)

data: what is built (5 bytes)
  @0    below 5              2
  packet #0
    @1    u8                   7
  packet #2
    @3    u8                   16
    option #3
      @4    below 3              0

sched: who runs when (5 bytes)
  point 4
  point 400

world: how the world behaves (1 bytes)
  packet #0
    @0    chance 1 in 8        yes
)");
}

TEST(Decode, PrintsOrdinaryDrawsWhenAsked) {
  const std::vector<uint8_t> tape = sample();
  const std::string text = decode(tape, record_of(tape), {}, {.ordinary = true});
  EXPECT_NE(text.find("    option #1\n      @2    below 3              0\n"), std::string::npos)
      << text;
  EXPECT_NE(decode({}, record_of({}), {}, {.ordinary = true})
                .find("@0    below 5              0  (past the end)"),
            std::string::npos);
}

TEST(Decode, CutsLongLanes) {
  const std::vector<uint8_t> tape = sample();
  const std::string text = decode(tape, record_of(tape), {}, {.ordinary = false, .most_lines = 2});
  EXPECT_NE(text.find("  packet #0\n  ... 5 more\n"), std::string::npos);
}

TEST(Decode, PrintsBytesWithoutARecord) {
  const std::vector<uint8_t> tape = sample();
  EXPECT_NE(decode(tape, {}, {}, {}).find("(5 bytes)\n  @0    02 07 00 10 27\n"),
            std::string::npos);
}

/// The lines of a run's draws from the data lane.
std::string lines_of(void (*draws)(sim::Tape::View), std::vector<uint8_t> data) {
  sim::Lanes lanes;
  lanes[Lane::kData] = std::move(data);
  const std::vector<uint8_t> bytes = sim::join_lanes(lanes);
  sim::TapeRecord record;
  sim::Tape tape(bytes);
  tape.record_into(&record);
  draws(tape.data());
  const std::string text = decode(bytes, record, {}, {});
  return text.substr(text.find("bytes)\n") + 7);
}

TEST(Decode, NamesWhatWasAskedFor) {
  EXPECT_EQ(lines_of(
                [](sim::Tape::View data) {
                  data.u16();
                  data.between(3, 9);
                  data.boolean();
                  data.chance(1, 8);
                  constexpr int kList[] = {5, 6, 7};
                  data.pick(kList);
                  data.weighted({1, 9});
                  data.edge32();
                },
                {0x10, 0x27, 2, 1, 9, 0, 2, 5, 0, 7, 0xFF, 0xFF, 0, 0}),
            R"(  @0    u16                  10000 (0x2710)
  @2    3 to 9               5
  @3    yes or no            yes
  @4    chance 1 in 8        yes
  @6    one of 3             [2]
  @7    one of 2, weighted   [1]
  @9    edge of 32 bits      65535 (0xffff)
)");
}

TEST(Decode, PutsBytesIntoRows) {
  EXPECT_EQ(lines_of(
                [](sim::Tape::View data) {
                  uint8_t out[20];
                  data.bytes(std::span(out).first(2));
                  data.u8();
                  data.bytes(out);
                  data.noise(out);
                },
                {'h', 'i', 1,   'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k',
                 'l', 'm', 'n', 'o', 'p', 1,   2,   3,   4,   9,   0,   0,   0}),
            R"(  @0    2 bytes              68 69  "hi"
  @2    u8                   1
  @3    16 bytes             61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  "abcdefghijklmnop"
  @19   4 bytes              01 02 03 04
  @23   noise for 20 bytes   9
)");
}

} // namespace
} // namespace kiln::gates
