#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gates/run/summary.h"

namespace kiln::gates {
namespace {

const sim::Target& sample_target() {
  static sim::Target target{
      {.name = "test-area/summary", .purpose = "A name for this test.", .run = [](sim::Run&) {}}};
  return target;
}

FindingLine finding(const char* headline, const char* silenced = "") {
  FindingLine line;
  line.identity = "oracle@targets/x.cpp:3#1a2b3c4d";
  line.rule = "oracle";
  line.headline = headline;
  line.place = "targets/x.cpp:3";
  line.iteration = 41;
  line.seen = 3;
  line.reproduced = 10;
  line.attempts = 10;
  line.files = {"out/findings/x.hex"};
  line.replay = "python3 scripts/fuzz.py --replay test-area/summary out/findings/x.hex";
  line.silenced = silenced;
  return line;
}

RunSummary sample() {
  RunSummary run;
  run.command = "gate";
  run.flavour = "gate";
  run.jobs = 2;
  run.seconds = 4;
  run.exit_code = ExitCode::kFinding;
  TargetSummary target;
  target.target = &sample_target();
  target.inputs = 100;
  target.seconds = 2;
  target.digest = 0xABC;
  target.probes = {{"a lock is contended", 7, 12}};
  target.findings = {finding("got <1> & \"2\"\x01\xff"), finding("old", "mended next week")};
  run.targets.push_back(target);
  target.end = TargetEnd::kFailed;
  target.findings.clear();
  target.trouble = {"worker 1 was killed", "worker 2 too"};
  run.targets.push_back(target);
  target.end = TargetEnd::kInterrupted;
  target.trouble.clear();
  target.seconds = 0;
  run.targets.push_back(target);
  return run;
}

size_t count(std::string_view text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
    ++n;
  return n;
}

TEST(Summary, JsonHasEveryFigure) {
  nlohmann::json json = nlohmann::json::parse(summary_to_json(sample()));
  EXPECT_EQ(json["schema"], "kiln-summary");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["exit_code"], 1);
  ASSERT_EQ(json["targets"].size(), 3U);
  const auto& target = json["targets"][0];
  EXPECT_EQ(target["name"], "test-area/summary");
  EXPECT_EQ(target["inputs"], 100);
  EXPECT_EQ(target["inputs_per_second"], 50.0);
  EXPECT_EQ(target["digest"], "0000000000000abc");
  EXPECT_EQ(target["probes"][0]["hits"], 7);
  EXPECT_EQ(target["probes"][0]["first"], 12);
  EXPECT_EQ(target["findings"][0]["iteration"], 41);
  EXPECT_TRUE(target["findings"][0]["silenced"].is_null());
  EXPECT_EQ(target["findings"][1]["silenced"], "mended next week");
  EXPECT_EQ(json["targets"][2]["inputs_per_second"], 0.0);
  EXPECT_EQ(json["targets"][2]["end"], "interrupted");
}

TEST(Summary, JunitCountsCasesAndNotFindings) {
  std::string xml = summary_to_junit(sample());
  EXPECT_NE(xml.find("<testsuite name=\"test-area\" tests=\"3\" failures=\"1\" errors=\"1\" "
                     "skipped=\"1\" time=\"4.000\">"),
            std::string::npos)
      << xml;
  EXPECT_EQ(count(xml, "<testcase "), 3U);
  EXPECT_EQ(count(xml, "<failure "), 1U);
  EXPECT_EQ(count(xml, "<error "), 1U);
  EXPECT_EQ(count(xml, "<skipped "), 1U);
  EXPECT_NE(xml.find("silenced: oracle@targets/x.cpp:3#1a2b3c4d (mended next week)"),
            std::string::npos);
}

TEST(Summary, JunitEscapesWhatXmlForbids) {
  std::string xml = summary_to_junit(sample());
  EXPECT_NE(xml.find("got &#60;1&#62; &#38; &#34;2&#34;\\x01\\xff"), std::string::npos) << xml;
  EXPECT_EQ(xml.find('\x01'), std::string::npos);
  EXPECT_EQ(xml.find('\xff'), std::string::npos);
}

TEST(Summary, EscapingKeepsUtf8AndNothingElse) {
  EXPECT_EQ(xml_escaped("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\t\n"),
            "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\t\n");
  EXPECT_EQ(xml_escaped("\xc3"), "\\xc3");                   // cut
  EXPECT_EQ(xml_escaped("\xc0\xaf"), "\\xc0\\xaf");          // overlong
  EXPECT_EQ(xml_escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
  EXPECT_EQ(xml_escaped("\xef\xbf\xbf"), "\\xef\\xbf\\xbf"); // U+FFFF
  EXPECT_EQ(xml_escaped("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(xml_escaped(std::string_view("\0", 1)), "\\x00");
}

} // namespace
} // namespace kiln::gates
