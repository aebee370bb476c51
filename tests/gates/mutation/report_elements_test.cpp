#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gates/mutation/report_elements.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::json;

Json elements_of(const ReportSample& sample) {
  SampleTree tree;
  ReportSources sources(tree.path());
  return Json::parse(mutation_elements_json(sample.report, sample.table(), sources));
}

const Json& with_id(const Json& mutants, const std::string& id) {
  for (const Json& mutant : mutants)
    if (mutant["id"] == id) return mutant;
  static const Json none;
  ADD_FAILURE() << "no mutant " << id;
  return none;
}

TEST(ReportElements, HasWhatTheSchemaRequires) {
  Json json = elements_of(report_sample());
  EXPECT_EQ(json["schemaVersion"], "2");
  EXPECT_LE(json["thresholds"]["low"], json["thresholds"]["high"]);
  EXPECT_EQ(json["framework"]["name"], "Kiln");
  EXPECT_EQ(json["performance"]["mutation"], 2500.0);
  ASSERT_EQ(json["files"].size(), 2U);
  const Json& file = json["files"][kSampleFile];
  EXPECT_EQ(file["language"], "cpp");
  EXPECT_EQ(file["source"], kSampleSource);
  EXPECT_EQ(file["mutants"].size(), 11U);
  for (const Json& mutant : file["mutants"]) {
    for (const char* field : {"id", "mutatorName", "location", "status"})
      EXPECT_TRUE(mutant.contains(field)) << field;
  }
}

TEST(ReportElements, AKilledOneNamesTargetFindingAndPlace) {
  Json json = elements_of(report_sample());
  const Json& mutant = with_id(json["files"][kSampleFile]["mutants"], "0");
  EXPECT_EQ(mutant["mutatorName"], "boundary");
  EXPECT_EQ(mutant["replacement"], "n <= 3");
  EXPECT_EQ(mutant["status"], "Killed");
  EXPECT_EQ(mutant["killedBy"], Json::array({"boot/fdt"}));
  EXPECT_EQ(mutant["statusReason"],
            "address: reads <4> bytes & more at kernel-src/boot/a.cpp:2, after 37 inputs");
  EXPECT_EQ(mutant["location"]["start"], (Json{{"line", 2}, {"column", 7}}));
  EXPECT_EQ(mutant["location"]["end"], (Json{{"line", 2}, {"column", 12}}));
}

TEST(ReportElements, EveryVerdictHasItsStatus) {
  Json json = elements_of(report_sample());
  const Json& mutants = json["files"][kSampleFile]["mutants"];
  const std::pair<const char*, const char*> statuses[] = {
      {"1", "Survived"},     {"2", "Timeout"}, {"4", "Survived"},
      {"5", "Ignored"},      {"6", "Ignored"}, {"7", "Ignored"},
      {"8", "RuntimeError"}, {"9", "Pending"}, {"unmade-0", "CompileError"}};
  for (auto [id, status] : statuses)
    EXPECT_EQ(with_id(mutants, id)["status"], status) << id;
  EXPECT_EQ(json["files"][kAbsentFile]["mutants"][0]["status"], "NoCoverage");
  EXPECT_EQ(with_id(mutants, "5")["statusReason"], "equivalent: the caller adds it back");
  EXPECT_EQ(with_id(mutants, "unmade-0")["statusReason"], "an array's bound");
}

TEST(ReportElements, TargetsAreTests) {
  Json json = elements_of(report_sample());
  EXPECT_EQ(json["testFiles"]["targets/boot"]["tests"],
            Json::array({{{"id", "boot/fdt"}, {"name", "boot/fdt"}}}));
  EXPECT_EQ(json["testFiles"]["targets/lib"]["tests"][0]["id"], "lib/ring");
  const Json& survivor = with_id(json["files"][kSampleFile]["mutants"], "1");
  EXPECT_EQ(survivor["coveredBy"], Json::array({"boot/fdt"}));
  EXPECT_EQ(survivor["killedBy"], Json::array());
}

TEST(ReportElements, CatalogueIsThereUnderItsNamesAndTheHarnessIsNot) {
  Json json = elements_of(report_sample());
  const Json& named = with_id(json["files"][kSampleFile]["mutants"], "10");
  EXPECT_EQ(named["mutatorName"], "b01-short");
  EXPECT_EQ(named["description"], "A check read too far.");
  EXPECT_FALSE(json["files"].contains("targets/boot/fdt.cpp"));
}

TEST(ReportElements, AMissingSourceIsEmptyAndNamed) {
  Json json = elements_of(report_sample());
  EXPECT_EQ(json["files"][kAbsentFile]["source"], "");
  EXPECT_EQ(json["config"]["missingSources"], Json::array({kAbsentFile}));
}

TEST(ReportElements, BytesThatAreNoTextDoNotBreakIt) {
  ReportSample sample = report_sample();
  sample.report.results[0].headline = "bad \xff byte";
  EXPECT_EQ(elements_of(sample)["files"].size(), 2U);
}

TEST(ReportElements, AnEmptyRunIsStillAReport) {
  Json json = elements_of({});
  EXPECT_TRUE(json["files"].is_object());
  EXPECT_TRUE(json["files"].empty());
  EXPECT_TRUE(json["testFiles"].is_object());
}

} // namespace
} // namespace kiln::gates
