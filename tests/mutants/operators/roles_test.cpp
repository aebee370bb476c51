#include <gtest/gtest.h>

#include "mutants/operators/roles.h"

namespace kiln::mutants {
namespace {

Roles parsed(std::string_view text) {
  std::string error;
  const std::optional<Roles> roles = Roles::parse(text, &error);
  EXPECT_TRUE(roles.has_value()) << error;
  return roles.value_or(Roles());
}

std::string refusal(std::string_view text) {
  std::string error;
  EXPECT_FALSE(Roles::parse(text, &error).has_value());
  return error;
}

TEST(Roles, HasWhatItIsGiven) {
  const Roles roles = parsed("# locks\n"
                             "unlock: a::Lock::unlock  a::*Guard::unlock # both\r\n"
                             "\n"
                             "lock:a::Lock::lock");
  EXPECT_TRUE(roles.has("unlock", "a::Lock::unlock"));
  EXPECT_TRUE(roles.has("unlock", "a::SpinGuard::unlock"));
  EXPECT_TRUE(roles.has("lock", "a::Lock::lock"));
  EXPECT_FALSE(roles.has("lock", "a::Lock::unlock"));
  EXPECT_FALSE(roles.has("unlock", "Lock::unlock"));
  EXPECT_FALSE(roles.has("unlock", "a::Lock::unlock_all"));
}

TEST(Roles, AStarStopsAtScopes) {
  const Roles roles = parsed("wake: a::*::wake*");
  EXPECT_TRUE(roles.has("wake", "a::Queue::wake"));
  EXPECT_TRUE(roles.has("wake", "a::Queue::wake_all"));
  EXPECT_FALSE(roles.has("wake", "a::wake"));
  EXPECT_FALSE(roles.has("wake", "a::b::Queue::wake"));
}

TEST(Roles, NameOfIsTheFirstPlainName) {
  const Roles roles = parsed("irq-read: hal_*\nirq-read: irqs_on irq_state");
  EXPECT_EQ(roles.name_of("irq-read"), "irqs_on");
  EXPECT_EQ(roles.name_of("lock"), "");
}

TEST(Roles, RefusesWhatIsNoList) {
  EXPECT_EQ(refusal("lock: a\nunlock a::b"),
            "line 2 of the roles has no 'role:' in front of its names");
  EXPECT_EQ(refusal("a::b::c"), "line 1 of the roles has no 'role:' in front of its names");
  EXPECT_EQ(refusal("# x\n\nlok: a"),
            "line 3 of the roles names the role 'lok', which there is not");
  EXPECT_EQ(refusal("lock: # none"), "line 1 of the roles gives the role 'lock' to nothing");
  EXPECT_EQ(refusal("lock: a::b()"),
            "line 1 of the roles has 'a::b()', which is no qualified name");
}

TEST(Roles, KnowsEveryRoleThatItTells) {
  std::string text;
  for (const Roles::Known& known : Roles::known()) {
    EXPECT_FALSE(known.text.empty()) << known.role;
    text += std::string(known.role) + ": some_name\n";
  }
  const Roles roles = parsed(text);
  for (const Roles::Known& known : Roles::known()) {
    EXPECT_TRUE(roles.has(known.role, "some_name")) << known.role;
  }
}

} // namespace
} // namespace kiln::mutants
