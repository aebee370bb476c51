#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gates/mutation/report_sarif.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::json;

Json run_of(const ReportSample& sample) {
  SampleTree tree;
  ReportSources sources(tree.path());
  Json log = Json::parse(survivors_sarif(sample.report, sample.table(), sources));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1U);
  return log["runs"][0];
}

Json of_mutant(const Json& run, unsigned number) {
  for (const Json& result : run["results"])
    if (result["properties"]["mutant"] == number) return result;
  ADD_FAILURE() << "no result of mutant " << number;
  return {};
}

std::string fingerprint(const Json& run, unsigned number) {
  return of_mutant(run, number)["partialFingerprints"]["kilnMutant/v1"];
}

TEST(ReportSarif, HasSurvivorsAndMissedBugsOnly) {
  Json run = run_of(report_sample());
  ASSERT_EQ(run["results"].size(), 4U);
  EXPECT_EQ(of_mutant(run, 1)["ruleId"], "not-noticed/drop-check");
  EXPECT_EQ(of_mutant(run, 3)["ruleId"], "not-reached/drop-check");
  EXPECT_EQ(of_mutant(run, 4)["ruleId"], "never-different/constant");
  EXPECT_EQ(of_mutant(run, 10)["ruleId"], "missed/named");
}

TEST(ReportSarif, RulesAreThereOnceAndResultsPointAtTheirs) {
  Json run = run_of(report_sample());
  const Json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.size(), 4U);
  for (const Json& result : run["results"]) {
    EXPECT_EQ(rules.at(result["ruleIndex"].get<size_t>())["id"], result["ruleId"]);
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
  }
}

TEST(ReportSarif, SaysWhereAndWhat) {
  Json result = of_mutant(run_of(report_sample()), 4);
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], kSampleFile);
  EXPECT_EQ(place["region"]["startLine"], 4);
  EXPECT_EQ(place["region"]["startColumn"], 19);
  EXPECT_EQ(place["region"]["endColumn"], 20);
  EXPECT_EQ(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "clay::f");
  std::string text = result["message"]["text"];
  EXPECT_NE(text.find("'1' can become '0' in clay::f"), std::string::npos) << text;
  EXPECT_NE(text.find("12 visits, 0 different"), std::string::npos) << text;
}

TEST(ReportSarif, FingerprintsStayWhenLinesMove) {
  ReportSample sample = report_sample();
  Json before = run_of(sample);
  for (sim::Mutant& mutant : sample.mutants) {
    mutant.line += 100;
    mutant.end_line += 100;
  }
  Json after = run_of(sample);
  for (unsigned number : {1U, 3U, 4U, 10U})
    EXPECT_EQ(fingerprint(before, number), fingerprint(after, number));
  EXPECT_NE(fingerprint(before, 1), fingerprint(before, 10));
}

TEST(ReportSarif, TheSameChangeTwiceInAFunctionHasTwoFingerprints) {
  ReportSample sample = report_sample();
  sample.mutants[3] = sample.mutants[1];
  Json run = run_of(sample);
  EXPECT_NE(fingerprint(run, 1), fingerprint(run, 3));
  std::string second = fingerprint(run, 3);
  sample.report.results[1].verdict = Verdict::kPending;
  EXPECT_EQ(fingerprint(run_of(sample), 3), second);
}

TEST(ReportSarif, PathsAreEscapedAsUris) {
  ReportSample sample = report_sample();
  sample.mutants[1].path = "kernel-src/a b#.cpp";
  Json result = of_mutant(run_of(sample), 1);
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "kernel-src/a%20b%23.cpp");
}

TEST(ReportSarif, BracesOfAMessageAreDoubled) {
  ReportSample sample = report_sample();
  sample.mutants[1].original = "{ stop(n); }";
  std::string text = of_mutant(run_of(sample), 1)["message"]["text"];
  EXPECT_NE(text.find("'{{ stop(n); }}' can be left out"), std::string::npos) << text;
}

TEST(ReportSarif, AnEmptyRunHasNoResults) {
  Json run = run_of({});
  EXPECT_TRUE(run["results"].is_array());
  EXPECT_TRUE(run["results"].empty());
  EXPECT_TRUE(run["tool"]["driver"]["rules"].empty());
}

} // namespace
} // namespace kiln::gates
