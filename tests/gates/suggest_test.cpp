#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gates/support/suggest.h"

namespace kiln::gates {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(EditDistance, CountsSteps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("seed", "sed"), 1u);
  EXPECT_EQ(edit_distance("sede", "seed"), 1u);
  EXPECT_EQ(edit_distance("--sed", "--seed"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggest, NearestFirst) {
  std::vector<std::string> known = {"replay", "reference", "run", "list"};
  EXPECT_THAT(nearest("repaly", known), ElementsAre("replay"));
  EXPECT_THAT(nearest("lst", known), ElementsAre("list"));
  EXPECT_THAT(nearest("rn", known), ElementsAre("run"));
}

TEST(Suggest, TheLastPartOfATargetIsEnough) {
  std::vector<std::string> known = {"net/dhcp", "net/dns", "fs/ext2"};
  EXPECT_THAT(nearest("dhcp", known), ElementsAre("net/dhcp"));
  EXPECT_THAT(nearest("net/dhpc", known), ElementsAre("net/dhcp"));
}

TEST(Suggest, NothingForWhatIsFar) {
  EXPECT_THAT(nearest("zebra", {"replay", "run"}), IsEmpty());
  EXPECT_THAT(nearest("", {"replay", "run"}), IsEmpty());
  EXPECT_EQ(did_you_mean("zebra", {"replay"}), "");
}

TEST(Suggest, Words) {
  EXPECT_EQ(did_you_mean("lis", {"list", "lisp"}), " Did you mean 'lisp' or 'list'?");
}

} // namespace
} // namespace kiln::gates
