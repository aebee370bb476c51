#include <gtest/gtest.h>

#include "gates/support/source_tree.h"
#include "gates/support/subject.h"

namespace kiln::gates {
namespace {

class SubjectTest : public testing::Test {
 protected:
  ~SubjectTest() override { subject() = before_; }

 private:
  Subject before_ = subject();
};

TEST_F(SubjectTest, ClayUnlessAProgramSaysSomethingElse) {
  EXPECT_TRUE(subject().is_clay);
  EXPECT_EQ(subject_tree(), source_tree());
}

TEST_F(SubjectTest, AKernelElsewhereHasATreeOfItsOwn) {
  subject() = {false, "/mine", "mutated/mine", ""};
  EXPECT_EQ(subject_tree(), "/mine");
  EXPECT_EQ(in_subject_tree("src/a.cpp"), "/mine/src/a.cpp");
  EXPECT_EQ(in_subject_tree("/lists"), "/lists");
}

} // namespace
} // namespace kiln::gates
