// Spans and draws as they are recorded.

#include <gtest/gtest.h>
#include <memory>

#include "sim/tape.h"

namespace kiln::sim {
namespace {

constexpr auto kNoSpan = UINT32_MAX;

TEST(TapeRecord, NamesTheStructureWhileItIsDrawn) {
  Tape tape(std::span<const uint8_t>{});
  TapeRecord record;
  tape.record_into(&record);
  tape.data().u8();
  {
    Span outer(tape, "packet");
    tape.data().u16();
    {
      Span inner(tape, "option", Lane::kWorld);
      tape.world().u32();
    }
    tape.data().u8();
  }
  tape.data().u8();

  ASSERT_EQ(record.spans.size(), 2u);
  EXPECT_STREQ(record.spans[0].name, "packet");
  EXPECT_EQ(record.spans[0].parent, kNoSpan);
  EXPECT_EQ(record.spans[0].begin[static_cast<size_t>(Lane::kData)], 1u);
  EXPECT_EQ(record.spans[0].end[static_cast<size_t>(Lane::kData)], 4u);
  EXPECT_EQ(record.spans[0].end[static_cast<size_t>(Lane::kWorld)], 4u);
  EXPECT_EQ(record.spans[1].parent, 0u);
  EXPECT_EQ(record.spans[1].lane, Lane::kWorld);
  EXPECT_EQ(record.spans[1].begin[static_cast<size_t>(Lane::kData)], 3u);
  EXPECT_EQ(record.spans[1].end[static_cast<size_t>(Lane::kData)], 3u);
  ASSERT_EQ(record.draws.size(), 5u);
  const uint32_t kSpans[] = {kNoSpan, 0, 1, 0, kNoSpan};
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(record.draws[i].span, kSpans[i]);
  }
  EXPECT_EQ(record.draws[2].position, 0u);
  EXPECT_EQ(record.draws[2].width, 4u);
}

TEST(TapeRecord, SpansCostNothingWhenNotRecorded) {
  Tape tape(std::span<const uint8_t>{});
  {
    Span span(tape, "unrecorded");
  }
  TapeRecord record;
  tape.record_into(&record);
  tape.data().u8();
  EXPECT_TRUE(record.spans.empty());
  EXPECT_EQ(record.draws.at(0).span, kNoSpan);
}

TEST(TapeRecord, EndsAreRightWhenTheRunEndsInside) {
  Tape tape(std::span<const uint8_t>{});
  TapeRecord record;
  tape.record_into(&record);
  auto* abandoned = new Span(tape, "step");
  tape.data().u32();
  EXPECT_FALSE(record.spans[0].closed);
  EXPECT_EQ(record.spans[0].end[static_cast<size_t>(Lane::kData)], 4u);
  delete abandoned;
  EXPECT_TRUE(record.spans[0].closed);
}

TEST(TapeRecord, SpansTellTheirSchedulingPoints) {
  constexpr size_t kSched = static_cast<size_t>(Lane::kSched);
  Tape tape(std::span<const uint8_t>{});
  TapeRecord record;
  uint64_t points = 5;
  tape.record_into(&record);
  tape.set_point_counter(&points);
  {
    Span span(tape, "step");
    points = 9;
  }
  points = 12;
  EXPECT_EQ(record.spans[0].begin[kSched], 5u);
  EXPECT_EQ(record.spans[0].end[kSched], 9u);
}

TEST(TapeRecord, TasksMayCloseSpansOutOfOrder) {
  Tape tape(std::span<const uint8_t>{});
  TapeRecord record;
  tape.record_into(&record);
  auto first = std::make_unique<Span>(tape, "first task");
  auto second = std::make_unique<Span>(tape, "second task");
  first.reset();
  tape.data().u8();
  second.reset();
  tape.data().u8();
  EXPECT_EQ(record.draws[0].span, 1u);
  EXPECT_EQ(record.draws[1].span, kNoSpan);
}

} // namespace
} // namespace kiln::sim
