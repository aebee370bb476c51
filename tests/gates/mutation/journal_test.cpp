#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gates/mutation/journal.h"

namespace kiln::gates {
namespace {

MutantResult killed(uint32_t number) {
  MutantResult result;
  result.number = number;
  result.verdict = Verdict::kKilled;
  result.target = "lib/ring";
  result.inputs = 42;
  result.rule = sim::Rule::kLockOrder;
  result.headline = "a \"quoted\" sentence";
  result.place = "kernel-src/lib/ring.h:12";
  result.tape = "00ff";
  result.joined = true;
  result.visits = 7;
  result.differs = 3;
  result.tries = {{"lib/bytes", sim::StrategyKind::kPct, 200, false},
                  {"lib/ring", sim::StrategyKind::kPct, 42, true}};
  return result;
}

class JournalFile : public testing::Test {
 protected:
  JournalFile() {
    path = (std::filesystem::temp_directory_path() / ("kiln-journal-" + std::to_string(getpid())))
               .string();
  }
  ~JournalFile() override { std::filesystem::remove(path); }
  std::unique_ptr<Journal> open(const std::string& identity) {
    std::string error;
    std::unique_ptr<Journal> journal = Journal::open(path, identity, &error);
    EXPECT_NE(journal, nullptr) << error;
    return journal;
  }
  std::string path;
};

TEST_F(JournalFile, ARunGoesOnWhereItEnded) {
  open("a")->add(killed(5));
  std::unique_ptr<Journal> again = open("a");
  ASSERT_EQ(again->known().size(), 1u);
  const MutantResult& known = again->known().at(5);
  EXPECT_EQ(known.verdict, Verdict::kKilled);
  EXPECT_EQ(known.headline, "a \"quoted\" sentence");
  EXPECT_EQ(known.rule, sim::Rule::kLockOrder);
  EXPECT_EQ(known.tries.size(), 2u);
  EXPECT_EQ(known.tries[1].inputs, 42u);
  EXPECT_TRUE(known.tries[1].found);
  EXPECT_TRUE(known.joined);
}

TEST_F(JournalFile, TheLastLineOfAMutantCounts) {
  MutantResult result;
  result.number = 5;
  result.verdict = Verdict::kNotNoticed;
  std::unique_ptr<Journal> journal = open("a");
  journal->add(result);
  result.compared = true;
  result.verdict = Verdict::kIdentical;
  journal->add(result);
  const MutantResult known = open("a")->known().at(5);
  EXPECT_EQ(known.verdict, Verdict::kIdentical);
  EXPECT_TRUE(known.compared);
}

TEST_F(JournalFile, AnotherProgramBeginsAnew) {
  open("a")->add(killed(5));
  EXPECT_TRUE(open("b")->known().empty());
  EXPECT_TRUE(open("a")->known().empty());
}

TEST_F(JournalFile, ATornLineIsForgotten) {
  open("a")->add(killed(5));
  std::ofstream(path, std::ios::app) << "{\"mutant\": 6, \"verd";
  EXPECT_EQ(open("a")->known().size(), 1u);
  open("a")->add(killed(7));
  EXPECT_EQ(open("a")->known().size(), 2u);
}

TEST_F(JournalFile, ANumberThatIsNoneIsForgotten) {
  for (const char* visits : {"-3.7e300", "-1", "0.5", "\"7\"", "null"}) {
    open("a")->add(killed(5));
    std::ofstream(path, std::ios::app)
        << R"({"mutant":6,"verdict":"not-noticed","differs":0,"tries":[],"visits":)" << visits
        << "}\n";
    EXPECT_EQ(open("a")->known().size(), 1u) << visits;
  }
}

TEST_F(JournalFile, APipeInItsPlaceKeepsNobodyWaiting) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string error;
  EXPECT_EQ(Journal::open(path, "a", &error), nullptr);
  EXPECT_NE(error, "");
}

TEST_F(JournalFile, WhatItHeldStaysWhenItCannotBeWrittenAnew) {
  open("a")->add(killed(5));
  // In the way of the file that is to replace it.
  std::filesystem::path beside = path + ".part" + std::to_string(getpid());
  std::filesystem::create_directory(beside);
  std::string error;
  EXPECT_EQ(Journal::open(path, "b", &error), nullptr);
  std::filesystem::remove(beside);
  EXPECT_EQ(open("a")->known().size(), 1u);
}

TEST(Journals, EachRunHasItsOwnAndTheOldestAreRemoved) {
  EXPECT_EQ(journal_path("out", "a"), "out/results-ca978112.jsonl");
  EXPECT_NE(journal_path("out", "a"), journal_path("out", "b"));
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kiln-journals-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mutation.json") << "{}";
  auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 20; ++i) {
    std::string file = journal_path(folder.string(), std::to_string(i));
    std::ofstream(file) << i;
    std::filesystem::last_write_time(file, now - std::chrono::hours(i));
  }
  remove_old_journals(folder.string());
  EXPECT_TRUE(std::filesystem::exists(journal_path(folder.string(), "15")));
  EXPECT_FALSE(std::filesystem::exists(journal_path(folder.string(), "16")));
  EXPECT_FALSE(std::filesystem::exists(journal_path(folder.string(), "19")));
  EXPECT_TRUE(std::filesystem::exists(folder / "mutation.json"));
  std::filesystem::remove_all(folder);
}

TEST_F(JournalFile, SaysWhyItCannotBeWritten) {
  std::string error;
  EXPECT_EQ(Journal::open("/proc/none/results.jsonl", "a", &error), nullptr);
  EXPECT_NE(error.find("--out DIR"), std::string::npos);
}

} // namespace
} // namespace kiln::gates
