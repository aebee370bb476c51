#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gates/mutation/report_html.h"
#include "tests/gates/mutation/report_sample.h"

namespace kiln::gates {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string html_of(const ReportSample& sample, const std::string& tapes = "out/mutation/tapes") {
  SampleTree tree;
  ReportSources sources(tree.path());
  return mutation_html(sample.report, sample.table(), sources, tapes);
}

TEST(ReportHtml, NeedsNothingElse) {
  std::string page = html_of(report_sample());
  for (const char* outside : {"http:", "https:", "src=", "@import", "url(", "<link"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

TEST(ReportHtml, NoTextOfTheProgramIsMarkup) {
  ReportSample sample = report_sample();
  sample.report.results[5].reason = "<b>&\"'";
  sample.report.harness[0].part = "<i>part";
  sample.named[0].was = "<u>was";
  std::string page = html_of(sample);
  for (const char* raw : {"<script>alert", "<4>", "<b>&", "<i>part", "<u>was", "n < 3"})
    EXPECT_THAT(page, Not(HasSubstr(raw)));
  EXPECT_THAT(page, HasSubstr("reads &#60;4&#62; bytes &#38; more"));
}

TEST(ReportHtml, ASurvivorShowsItsChangeAndWhatWasSeen) {
  std::string page = html_of(report_sample());
  EXPECT_THAT(page, HasSubstr("<span class=\"removed\">-     4   say("));
  EXPECT_THAT(page, HasSubstr("n = <del>1</del>;"));
  EXPECT_THAT(page, HasSubstr("n = <ins>0</ins>;"));
  EXPECT_THAT(page, HasSubstr("in <code>clay::f</code>; 12 visits, 0 different; tried: "
                              "boot/fdt (20 000 inputs)"));
  EXPECT_THAT(page, HasSubstr("Survivors, not noticed (1)"));
  EXPECT_THAT(page, HasSubstr("Survivors, never different (1)"));
  EXPECT_THAT(page, HasSubstr("Survivors, not reached (1)"));
}

TEST(ReportHtml, AKillHasTheCommandThatShowsIt) {
  EXPECT_THAT(html_of(report_sample()),
              HasSubstr("python3 scripts/fuzz.py replay boot/fdt "
                        "out/mutation/tapes/mutant-0.hex --mutant 0</code>"));
  EXPECT_THAT(html_of(report_sample(), ""), Not(HasSubstr("fuzz.py replay")));
  EXPECT_THAT(html_of(report_sample(), "my out"), HasSubstr("&#39;my out/mutant-0.hex&#39;"));
}

TEST(ReportHtml, AKillWithoutATapeHasTheCommandThatMakesOne) {
  ReportSample sample = report_sample();
  sample.report.results[0].tape.clear();
  EXPECT_THAT(html_of(sample), HasSubstr("python3 scripts/fuzz.py mutate --mutant 0</code>"));
}

TEST(ReportHtml, BarsAndScoresAddUp) {
  std::string page = html_of(report_sample());
  EXPECT_THAT(page, HasSubstr("<h1>Mutation testing: 40.0 %</h1>"));
  EXPECT_THAT(page, HasSubstr("<i class=\"killed\" style=\"width:50.00%\" title=\"2 killed\">"));
  EXPECT_THAT(page, HasSubstr("<tr class=\"folder\"><td><code>kernel-src/boot/</code></td>"));
}

TEST(ReportHtml, ListsCatalogueHarnessAndWhatIsNotInTheScore) {
  std::string page = html_of(report_sample());
  EXPECT_THAT(page, HasSubstr("<code>b01-short</code>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"bad\">too late</td>"));
  EXPECT_THAT(page, HasSubstr("redundant: no kill is lost"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#m0\">0</a>"));
  EXPECT_THAT(page, HasSubstr("the caller adds it back"));
  EXPECT_THAT(page, HasSubstr("Not compiled (1)"));
}

TEST(ReportHtml, TellsOfSourcesThatAreNotThere) {
  std::string page = html_of(report_sample());
  EXPECT_THAT(page,
              HasSubstr("lacks sources of the program: <code>kernel-src/lib/gone.cpp</code>"));
  EXPECT_THAT(page, HasSubstr("Its lines are not shown"));
}

TEST(ReportHtml, AnEmptyRunIsAPage) {
  std::string page = html_of({});
  EXPECT_THAT(page, HasSubstr("The run has no mutants of the kernel."));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

} // namespace
} // namespace kiln::gates
