#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "gates/cli/command_line.h"

namespace kiln::gates {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CommandLine parse(const std::vector<std::string>& words) {
  return parse_command_line(words, {"net/dhcp", "lib/format"});
}

TEST(CommandLine, NothingIsTheGate) {
  CommandLine line = parse({});
  ASSERT_TRUE(line.ok) << line.error;
  EXPECT_STREQ(line.command->name, "gate");
  EXPECT_EQ(seed_of(line.settings), 1u);
  EXPECT_FALSE(is_campaign(line.settings));
}

TEST(CommandLine, TargetsNeedNoCommand) {
  CommandLine line = parse({"net/dhcp", "fs/*"});
  ASSERT_TRUE(line.ok) << line.error;
  EXPECT_STREQ(line.command->name, "gate");
  EXPECT_THAT(line.settings.arguments, ElementsAre("net/dhcp", "fs/*"));
}

TEST(CommandLine, ReplayHasTwoSpellings) {
  for (const auto& words : {std::vector<std::string>{"--replay", "net/dhcp", "x.hex"},
                            std::vector<std::string>{"replay", "net/dhcp", "x.hex"}}) {
    CommandLine line = parse(words);
    ASSERT_TRUE(line.ok) << line.error;
    EXPECT_STREQ(line.command->name, "replay");
    EXPECT_THAT(line.settings.arguments, ElementsAre("net/dhcp", "x.hex"));
  }
}

TEST(CommandLine, OptionsMayStandAnywhere) {
  CommandLine line = parse({"--seed", "7", "net/dhcp", "--seconds=300", "--keep-going"});
  ASSERT_TRUE(line.ok) << line.error;
  EXPECT_EQ(line.settings.seed, 7u);
  EXPECT_EQ(line.settings.seconds, 300u);
  EXPECT_TRUE(line.settings.keep_going);
  EXPECT_THAT(line.settings.arguments, ElementsAre("net/dhcp"));
}

TEST(CommandLine, OnlyNamesOneInput) {
  CommandLine line = parse({"net/dhcp", "--only", "3:4711"});
  ASSERT_TRUE(line.ok) << line.error;
  EXPECT_EQ(line.settings.only->seed, 3u);
  EXPECT_EQ(line.settings.only->iteration, 4711u);
}

struct Refusal {
  std::vector<std::string> words;
  const char* says;
};

TEST(CommandLine, RefusesInOneSentence) {
  const Refusal refusals[] = {
      {{"--sed", "7"}, "Did you mean '--seed'"},
      {{"--seed"}, "--seed needs a value: --seed N."},
      {{"--seed", "x"}, "'x' is no whole number"},
      {{"--seed", "-1"}, "--seed"},
      {{"--seed", "18446744073709551616"}, "is no whole number"},
      {{"--seed="}, "--seed"},
      {{"--jobs", "0"}, "from 1 to 1024"},
      {{"--only", "7"}, "SEED:ITERATION"},
      {{"net/dhcp", "--only", "1:x"}, "SEED:ITERATION"},
      {{"--tier", "nigthly"}, "Did you mean 'nightly'"},
      {{"--strategy", "pc"}, "'pc' is none of"},
      {{"--isolate", "frok"}, "Did you mean 'fork'"},
      {{"--replay", "net/dhcp"}, "--replay needs values: --replay TARGET FILE."},
      {{"replay", "net/dhcp"}, "needs more than it was given: kiln replay TARGET FILE"},
      {{"replay", "net/dhcp", "a", "b"}, "was given too much"},
      {{"repaly", "net/dhcp", "a"}, "Did you mean 'replay'"},
      {{"dhcp"}, "Did you mean 'net/dhcp'"},
      {{"list", "--seed", "1"}, "--seed does not go with 'list'"},
      {{"mutate", "--mutant", "5", "--named"}, "--mutant names one mutant"},
      {{"mutate", "--mutant", "5", "--operators", "negate"}, "--mutant names one mutant"},
      {{"mutate", "--mutant", "5", "--since", "HEAD"}, "--mutant names one mutant"},
      {{"--trace"}, "need one input"},
      {{"net/dhcp", "--only", "1:2", "--seed", "3"}, "--only names one input"},
      {{"--seconds", "3", "--iterations", "4"}, "give one"},
      {{"list", "--replay", "net/dhcp", "x"}, "does not go with 'list'"},
      {{"--flavour", "fast"}, "is for scripts/fuzz.py"},
      {{"--keep-going=maybe"}, "--keep-going"},
      {{"--out", ""}, "--out"},
  };
  for (const Refusal& refusal : refusals) {
    CommandLine line = parse(refusal.words);
    EXPECT_FALSE(line.ok) << testing::PrintToString(refusal.words);
    EXPECT_THAT(line.error, HasSubstr(refusal.says)) << testing::PrintToString(refusal.words);
    EXPECT_THAT(line.error, testing::EndsWith(line.error.ends_with("?") ? "?" : "."));
    EXPECT_THAT(line.error, testing::Not(HasSubstr("\n")));
  }
}

TEST(OptionTable, NamesAreUniqueAndWellFormed) {
  std::set<std::string> names;
  for (const Option& option : options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    std::string_view name = option.name;
    EXPECT_TRUE(name.starts_with("--") || (name.size() == 2 && name[0] == '-')) << name;
    EXPECT_NE(option.commands, 0u);
    EXPECT_FALSE(std::string_view(option.help).ends_with(".")) << option.name;
  }
}

TEST(OptionTable, EveryCommandCanBeFound) {
  for (const Command& command : commands()) {
    EXPECT_EQ(find_command(command.name), &command);
    EXPECT_LE(command.least, command.most);
  }
  EXPECT_EQ(find_command("nothing"), nullptr);
}

} // namespace
} // namespace kiln::gates
