// What a target has to show is asked for at a finding, by whoever wants it, and changes nothing.

#include <gtest/gtest.h>

#include "sim/exhibit.h"
#include "sim/host_vector.h"
#include "tests/support/in_machine.h"

namespace kiln::sim {
namespace {

void show_number(Exhibitor& to, void* arg) {
  to.text("Number", std::to_string(*static_cast<int*>(arg)));
  const uint8_t bytes[] = {1, 2, 3};
  to.file("img", bytes);
}

Outcome run(void (*body)(Run&), Exhibits* exhibits) {
  test::boot_once();
  const Target target{{.name = "test-area/exhibit", .purpose = "", .run = body}};
  ExecuteOptions options;
  options.exhibits = exhibits;
  Tape tape{std::span<const uint8_t>()};
  return execute(target, tape, options);
}

void breaks(Run&) {
  int one = 1;
  int two = 2;
  const Exhibit first(show_number, &one);
  {
    const Exhibit gone(show_number, &two);
  }
  const Exhibit second(show_number, &two);
  two = 22;
  KILN_CHECK(false, "as it must");
}

void ends_well(Run&) {
  int one = 1;
  const Exhibit first(show_number, &one);
}

TEST(Exhibit, IsAskedAtAFindingAsThingsAreThen) {
  Exhibits exhibits;
  const uint64_t booted = machine_hash();
  const Outcome asked = run(breaks, &exhibits);
  ASSERT_EQ(exhibits.texts.size(), 2u);
  EXPECT_EQ(exhibits.texts[0].words, "1");
  EXPECT_EQ(exhibits.texts[1].words, "22");
  ASSERT_EQ(exhibits.files.size(), 2u);
  EXPECT_EQ(exhibits.files[0].bytes, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(run(breaks, nullptr).digest, asked.digest);
  EXPECT_EQ(machine_hash(), booted);
}

TEST(Exhibit, IsNotAskedWhenNothingIsFound) {
  Exhibits exhibits;
  EXPECT_TRUE(run(breaks, nullptr).found);
  EXPECT_FALSE(run(ends_well, &exhibits).found);
  EXPECT_TRUE(exhibits.texts.empty());
  EXPECT_TRUE(exhibits.files.empty());
}

TEST(Exhibit, LongTextsAreCutAndLargeFilesLeftOut) {
  Exhibits exhibits;
  Exhibitor to(exhibits);
  to.text("none", "");
  to.text("long", std::string(3 * kLongestExhibitedText, 'x') + "end");
  to.file("img", std::vector<uint8_t>(kLargestExhibitedFile + 1));
  ASSERT_EQ(exhibits.texts.size(), 2u);
  EXPECT_LT(exhibits.texts[0].words.size(), kLongestExhibitedText + 16);
  EXPECT_TRUE(exhibits.texts[0].words.ends_with("xend"));
  EXPECT_EQ(exhibits.texts[1].title, "Left out");
  EXPECT_TRUE(exhibits.files.empty());
}

} // namespace
} // namespace kiln::sim
