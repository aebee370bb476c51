#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gates/cli/fuzzer_options.h"

namespace kiln::gates {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

sim::Target target{{.name = "fuzzer-test/one",
                    .purpose = "For this test.",
                    .run = [](sim::Run&) {},
                    .longest_tape = 321}};

TEST(FuzzerOptions, TargetComesFromFlagEnvironmentOrName) {
  std::string error;
  EXPECT_EQ(choose_fuzzed_target({"kiln-fuzzer", "--target=fuzzer-test/one"}, nullptr, &error),
            &target);
  EXPECT_EQ(choose_fuzzed_target({"kiln-fuzzer"}, "fuzzer-test/one", &error), &target);
  EXPECT_EQ(choose_fuzzed_target({"./out/kiln-fuzzer-fuzzer-test-one"}, nullptr, &error), &target);
  EXPECT_EQ(choose_fuzzed_target({"x", "--target=fuzzer-test/one"}, "other", &error), &target);
}

TEST(FuzzerOptions, SaysWhatIsWrong) {
  std::string error;
  EXPECT_EQ(choose_fuzzed_target({"kiln-fuzzer"}, nullptr, &error), nullptr);
  EXPECT_THAT(error, HasSubstr("--target=NAME"));
  EXPECT_EQ(choose_fuzzed_target({"kiln-fuzzer", "--target=fuzzer-test/two"}, nullptr, &error),
            nullptr);
  EXPECT_THAT(error, HasSubstr("no target is named 'fuzzer-test/two'"));
  EXPECT_THAT(error, HasSubstr("fuzzer-test/one"));
}

TEST(FuzzerOptions, DefaultsGiveWayToFlags) {
  EXPECT_THAT(with_fuzzer_defaults({"kiln-fuzzer"}, target), Contains("-max_len=321"));
  const auto given = with_fuzzer_defaults({"kiln-fuzzer", "-max_len=5"}, target);
  EXPECT_THAT(given, Contains("-max_len=5"));
  EXPECT_THAT(given, Not(Contains("-max_len=321")));
  EXPECT_THAT(given, Contains("-len_control=0"));
}

} // namespace
} // namespace kiln::gates
