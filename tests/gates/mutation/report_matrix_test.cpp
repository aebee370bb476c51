#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gates/mutation/report_matrix.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::json;

TEST(ReportMatrix, MedianAndNinthDecileAreValuesThatWereSeen) {
  InputsToFind inputs = inputs_to_find({30, 10, 20, 40, 50, 60, 70, 80, 90, 100}, 12);
  EXPECT_EQ(inputs.tried, 12U);
  EXPECT_EQ(inputs.found, 10U);
  EXPECT_EQ(inputs.median, 50U);
  EXPECT_EQ(inputs.p90, 90U);
  EXPECT_EQ(inputs.most, 100U);
  EXPECT_EQ(inputs_to_find({7}, 1).p90, 7U);
  EXPECT_EQ(inputs_to_find({}, 3).found, 0U);
}

TEST(ReportMatrix, TargetsCountEveryTryWithItsStrategy) {
  ReportSample sample = report_sample();
  sample.report.results[1].tries.push_back({"boot/fdt", sim::StrategyKind::kPct, 500, false});
  std::vector<MatrixRow> rows = matrix_by_target(sample.report, sample.table());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "boot/fdt");
  EXPECT_EQ(rows[0].strategy, sim::strategy_name(sim::StrategyKind::kPct));
  EXPECT_EQ(rows[0].inputs.found, 0U);
  EXPECT_EQ(rows[1].inputs.tried, 4U);
  EXPECT_EQ(rows[1].inputs.found, 2U);
  EXPECT_EQ(rows[1].inputs.median, 37U);
  EXPECT_EQ(rows[2].name, "lib/ring");
}

TEST(ReportMatrix, TriesOfEachTargetAloneStandForThoseOfTheRun) {
  ReportSample sample = report_sample();
  for (MutantResult& result : sample.report.results)
    result.alone = {{"sync/mutex", sim::StrategyKind::kInOrder, 9, true}};
  std::vector<MatrixRow> rows = matrix_by_target(sample.report, sample.table());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].name, "sync/mutex");
  EXPECT_EQ(rows[0].strategy, "in-order");
  EXPECT_EQ(rows[0].inputs.median, 9U);
}

TEST(ReportMatrix, OperatorsCountMutantsOfTheScore) {
  ReportSample sample = report_sample();
  std::vector<MatrixRow> rows = matrix_by_operator(sample.report, sample.table());
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].name, "boundary");
  EXPECT_EQ(rows[0].inputs.most, 37U);
  EXPECT_EQ(rows[3].name, "drop-check");
  EXPECT_EQ(rows[3].inputs.tried, 2U);
  EXPECT_EQ(rows[3].inputs.found, 0U);
}

TEST(ReportMatrix, JsonHasEveryTry) {
  ReportSample sample = report_sample();
  Json json = Json::parse(matrix_json(sample.report, sample.table()));
  EXPECT_EQ(json["schema"], "kiln-mutation-matrix");
  ASSERT_EQ(json["mutants"].size(), 11U);
  const Json& first = json["mutants"][0];
  EXPECT_EQ(first["operator"], "boundary");
  EXPECT_EQ(first["verdict"], "killed");
  EXPECT_EQ(first["tries"][0]["inputs"], 37);
  EXPECT_EQ(first["tries"][0]["found"], true);
  EXPECT_EQ(first["tries"][0]["strategy"], sim::strategy_name(sim::StrategyKind::kPortfolio));
  EXPECT_EQ(json["targets"][1]["target"], "lib/ring");
  EXPECT_FALSE(json["operators"][3].contains("median"));
}

TEST(ReportMatrix, MarkdownKeepsItsColumnsWhateverTheTexts) {
  ReportSample sample = report_sample();
  std::string text = matrix_markdown(sample.report, sample.table());
  EXPECT_NE(text.find("`n < 3` to `n <= 3` | killed | boot/fdt 37 |"), std::string::npos) << text;
  EXPECT_NE(text.find("`a\\|b` to `` <script>alert(\"`\")</script> ``"), std::string::npos) << text;
  EXPECT_NE(text.find("`stop(n);` to nothing"), std::string::npos) << text;
  EXPECT_NE(text.find("| not noticed | boot/fdt - |"), std::string::npos) << text;
}

TEST(ReportMatrix, AnEmptyRunHasHeadsOnly) {
  ReportSample empty;
  EXPECT_TRUE(Json::parse(matrix_json(empty.report, empty.table()))["mutants"].empty());
  EXPECT_NE(matrix_markdown(empty.report, empty.table()).find("## By mutant"), std::string::npos);
}

} // namespace
} // namespace kiln::gates
