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
  EXPECT_EQ(decode(tape, record_of(tape), {}), R"(51 bytes, 7 choices
data (5 bytes)
  @0 02 = 2
  packet #0
    @1 07 = 7
  packet #2
    @3 10 = 16
    option #3
      @4 27 = 0
sched (5 bytes)
  at scheduling point 4: alternative 1
  at scheduling point 400: alternative 2
world (1 bytes)
  packet #0
    @0 01 = 1
)");
}

TEST(Decode, PrintsOrdinaryDrawsWhenAsked) {
  const std::vector<uint8_t> tape = sample();
  const std::string text = decode(tape, record_of(tape), {.ordinary = true});
  EXPECT_NE(text.find("    option #1\n      @2 00 = 0\n"), std::string::npos);
  EXPECT_NE(decode({}, record_of({}), {.ordinary = true}).find("@0 past the end = 0"),
            std::string::npos);
}

TEST(Decode, CutsLongLanes) {
  const std::vector<uint8_t> tape = sample();
  const std::string text = decode(tape, record_of(tape), {.ordinary = false, .most_lines = 2});
  EXPECT_NE(text.find("  packet #0\n  ... 5 more\n"), std::string::npos);
}

TEST(Decode, PrintsBytesWithoutARecord) {
  const std::vector<uint8_t> tape = sample();
  EXPECT_NE(decode(tape, {}, {}).find("data (5 bytes)\n  @0 02 07 00 10 27\n"), std::string::npos);
}

} // namespace
} // namespace kiln::gates
