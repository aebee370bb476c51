// The log ring, its readers and the front end.

#include <cstring>

#include "kernel-src/log/console.h"
#include "kernel-src/log/log.h"
#include "kernel-src/log/ring.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

clay::LogRecord record_of(uint64_t number) {
  clay::LogRecord record;
  record.time_ns = number;
  return record;
}

TEST(LogRing, ReadersGetRecordsInOrderAndCountTheRest) {
  clay::LogRingOf<4> ring;
  clay::LogReader reader(ring);
  clay::LogRecord record;
  uint64_t lost = 9;
  EXPECT_FALSE(reader.next(&record, &lost));
  EXPECT_EQ(lost, 0u);
  for (uint64_t i = 0; i < 7; ++i) {
    EXPECT_EQ(ring.write(record_of(i)), i);
  }
  for (uint64_t i = 3; i < 7; ++i) {
    ASSERT_TRUE(reader.next(&record, &lost));
    EXPECT_EQ(record.time_ns, i);
    EXPECT_EQ(lost, i == 3 ? 3u : 0u);
  }
  EXPECT_FALSE(reader.next(&record, &lost));
  EXPECT_EQ(reader.position(), 7u);
}

TEST(LogRing, ANewReaderBeginsWithTheOldest) {
  clay::LogRingOf<4> ring;
  for (uint64_t i = 0; i < 6; ++i) {
    ring.write(record_of(i));
  }
  clay::LogReader reader(ring);
  clay::LogRecord record;
  uint64_t lost = 0;
  ASSERT_TRUE(reader.next(&record, &lost));
  EXPECT_EQ(record.time_ns, 2u);
  EXPECT_EQ(ring.read(1, &record), clay::LogRing::Read::kLost);
  EXPECT_EQ(ring.read(6, &record), clay::LogRing::Read::kNotYet);
}

TEST(Log, FormatsCutsAndDropsByLevel) {
  expect_silent([](sim::Run&) {
    clay::LogReader reader(clay::log_ring, clay::log_ring.next_number());
    clay::LogRecord record;
    uint64_t lost = 0;
    clay::log_error("disk %u: %s", 3u, "gone");
    KILN_CHECK(reader.next(&record, &lost) && record.length == 12 &&
                   memcmp(record.text, "disk 3: gone", 12) == 0 &&
                   record.level == clay::LogLevel::kError,
               "a message is not what was said");
    char line[160];
    const size_t length = clay::format_record(record, line, sizeof line);
    KILN_CHECK(length > 20 && memcmp(line + length - 20, "error: disk 3: gone\n", 20) == 0,
               "a line is not what was said");
    clay::log_debug("dropped");
    KILN_CHECK(!reader.next(&record, &lost), "a debug message was kept");
    clay::set_log_level(clay::LogLevel::kDebug);
    clay::log_debug("%200s", "long");
    KILN_CHECK(reader.next(&record, &lost) && record.length == clay::LogRecord::kMostText, "cut");
  });
}

} // namespace
} // namespace kiln::test
