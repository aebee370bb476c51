// What the harness operators make of small pieces of source.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mutants/operators/collect.h"

namespace kiln::mutants {
namespace {

using testing::ElementsAre;

constexpr const char* kDeclarations = R"(
#define CHECK(condition, ...) do { if (!(condition)) [[unlikely]] { fail(__VA_ARGS__); } } while (false)
namespace std { template <typename T, int n> T* begin(T (&list)[n]); }
void fail(const char*); void check_state(int); bool check_all();
struct View { unsigned below(unsigned); unsigned long between(unsigned long, unsigned long);
  bool chance(int, int); template <typename T, int n> const T& pick(const T (&)[n]);
  void noise(int (&)[4]); };
)";

constexpr const char* kRoles = "oracle: CHECK fail check_*\ndraw: View::*";

TEST(DropOracle, OfMacrosAndCalls) {
  EXPECT_THAT(variants("drop-oracle",
                       std::string(kDeclarations) +
                           "void f(int a) { CHECK(a == 1 && a, \"no\"); check_state(a);"
                           " if (a == 2) fail(\"two\"); bool ok = check_all(); }",
                       kRoles),
              ElementsAre("a == 1 && a => (static_cast<void>(a == 1 && a), true)",
                          "drop check_state(a)", "drop fail(\"two\")",
                          "check_all() -> (static_cast<void>(check_all()), true)"));
}

TEST(ClampDraw, DrawsAndTakesTheOrdinary) {
  EXPECT_THAT(
      variants("clamp-draw",
               std::string(kDeclarations) +
                   "int f(View& v, int (&block)[4]) { static const int list[] = {1, 2};"
                   " v.below(3); v.between(5, 7); v.chance(1, 2); v.noise(block);"
                   " return v.pick(list); }",
               kRoles),
      ElementsAre("v.below(3) -> (static_cast<void>(v.below(3)), static_cast<unsigned int>(0))",
                  "v.between(5, 7) -> (static_cast<void>(v.between(5, 7)), static_cast<unsigned "
                  "long>(5))",
                  "v.chance(1, 2) -> (static_cast<void>(v.chance(1, 2)), false)",
                  "replace v.noise(block) -> { v.noise(block); for (auto& kiln_byte : block) "
                  "kiln_byte = 0; }",
                  "v.pick(list) -> (static_cast<void>(v.pick(list)), *std::begin(list))"));
}

} // namespace
} // namespace kiln::mutants
