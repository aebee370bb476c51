#include <gtest/gtest.h>

#include "gates/finding/names.h"

namespace kiln::gates {
namespace {

TEST(Names, AreShortAndTheSameInEveryBuild) {
  const struct {
    const char* demangled;
    const char* expected;
  } cases[] = {
      {"clay::Mutex::lock()", "clay::Mutex::lock"},
      {"void clay::(anonymous namespace)::with<clay::M::lock(int)::$_0>(int, "
       "clay::M::lock(int)::$_0)",
       "clay::with"},
      {"clay::M::lock(int)::$_0::operator()(int) const", "clay::M::lock::lambda"},
      {"clay::M::lock(int)::'lambda1'(int)::operator()(int) const", "clay::M::lock::lambda"},
      {"clay::Ring<int, 8u>::push(int const&) &", "clay::Ring::push"},
      {"std::map<int, int, std::less<int>>::operator[](int&&)", "std::map::operator[]"},
      {"bool clay::operator<<int>(clay::V<int>, clay::V<int>)", "clay::operator<"},
      {"clay::V::operator->() const", "clay::V::operator->"},
      {"clay::V::operator<=>(clay::V const&) const", "clay::V::operator<=>"},
      {"clay::V::operator bool() const", "clay::V::operator bool"},
      {"operator new(unsigned long)", "operator new"},
      {"(anonymous namespace)::helper(char const*)", "helper"},
      {"clay::slow() (.cold)", "clay::slow"},
      {"clay::slow() (.llvm.1234567)", "clay::slow"},
      {"unsigned long clay::sum<unsigned long>(unsigned long const*, unsigned long)", "clay::sum"},
      {"hal_lock_acquiring", "hal_lock_acquiring"},
      {"main", "main"},
      {"", ""},
  };
  for (const auto& c : cases)
    EXPECT_EQ(short_name(c.demangled), c.expected) << c.demangled;
}

TEST(Names, SurviveBracketsThatNeverClose) {
  EXPECT_EQ(short_name("f(int"), "f");
  EXPECT_EQ(short_name("f<a<b"), "f");
  EXPECT_EQ(short_name("(("), "((");
}

TEST(Names, PathsAreRelativeToTheRepository) {
  EXPECT_EQ(repository_path("../../kernel-src/lib/format.cpp"), "kernel-src/lib/format.cpp");
  EXPECT_EQ(repository_path("./sim/tape.h"), "sim/tape.h");
  EXPECT_EQ(repository_path("kernel-src/a.cpp"), "kernel-src/a.cpp");
  EXPECT_EQ(repository_path("/usr/include/string.h"), "/usr/include/string.h");
  EXPECT_EQ(repository_path(""), "");
}

} // namespace
} // namespace kiln::gates
