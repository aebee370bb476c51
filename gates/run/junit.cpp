// The summary as JUnit XML.

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "gates/run/summary.h"
#include "gates/support/printable.h"

namespace kiln::gates {
namespace {

/// Length of the character at the front, 0 when it is no UTF-8 or XML 1.0 forbids it (section 2.2).
size_t xml_character(std::string_view text) {
  size_t size = utf8_character(text);
  auto lead = static_cast<unsigned char>(text[0]);
  if (size == 1) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  std::string_view character = text.substr(0, size);
  return character == "\uFFFE" || character == "\uFFFF" ? 0 : size;
}

std::string counts(const std::vector<const TargetSummary*>& cases) {
  size_t failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  for (const TargetSummary* target : cases) {
    auto loud = [](const FindingLine& finding) { return finding.silenced.empty(); };
    failures += std::any_of(target->findings.begin(), target->findings.end(), loud);
    errors += target->end == TargetEnd::kFailed;
    skipped += target->end == TargetEnd::kInterrupted;
    seconds += target->seconds;
  }
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                     cases.size(), failures, errors, skipped, seconds);
}

std::string lines(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

std::string failure_xml(const FindingLine& finding) {
  std::string body =
      fmt::format("{}\nat {}\niteration {}, seen {} times, reproduced {} of {}\n"
                  "replay: {}\n{}",
                  finding.headline, finding.place, finding.iteration, finding.seen,
                  finding.reproduced, finding.attempts, finding.replay, lines(finding.files));
  return fmt::format(
      "      <failure type=\"{}\" message=\"{}\">{}</failure>\n", xml_escaped(finding.rule),
      xml_escaped(fmt::format("{}: {}", finding.identity, finding.headline)), xml_escaped(body));
}

std::string output_xml(const TargetSummary& target) {
  std::string text = fmt::format("inputs {}, digest {:016x}\n", target.inputs, target.digest);
  for (const ProbeLine& probe : target.probes) {
    text += fmt::format("probe {}: {}\n", probe.name, probe.hits);
  }
  for (const FindingLine& finding : target.findings) {
    if (finding.silenced.empty()) continue;
    text += fmt::format("silenced: {} ({})\n", finding.identity, finding.silenced);
  }
  return fmt::format("      <system-out>{}</system-out>\n", xml_escaped(text));
}

std::string case_xml(const TargetSummary& target, std::string_view area, std::string_view name) {
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n",
                                xml_escaped(area), xml_escaped(name), target.seconds);
  for (const FindingLine& finding : target.findings) {
    if (finding.silenced.empty()) xml += failure_xml(finding);
  }
  if (target.end == TargetEnd::kFailed) {
    xml += fmt::format("      <error message=\"the runner itself failed\">{}</error>\n",
                       xml_escaped(lines(target.trouble)));
  }
  if (target.end == TargetEnd::kInterrupted) {
    xml += "      <skipped message=\"interrupted before it was done\"/>\n";
  }
  return xml + output_xml(target) + "    </testcase>\n";
}

struct Name {
  std::string_view area, name;
};

Name split(const TargetSummary& target) {
  std::string_view full = target.target != nullptr ? target.target->info().name : "";
  size_t slash = full.find('/');
  if (slash == std::string_view::npos) return {"kiln", full};
  return {full.substr(0, slash), full.substr(slash + 1)};
}

} // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t length = xml_character(text);
    char c = text.front();
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'') {
      out += fmt::format("&#{};", static_cast<int>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

std::string summary_to_junit(const RunSummary& run) {
  std::map<std::string_view, std::vector<const TargetSummary*>> areas;
  std::vector<const TargetSummary*> all;
  for (const TargetSummary& target : run.targets) {
    areas[split(target).area].push_back(&target);
    all.push_back(&target);
  }
  std::string xml = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                "<testsuites name=\"kiln {}\" {}>\n",
                                xml_escaped(run.command), counts(all));
  for (const auto& [area, cases] : areas) {
    xml += fmt::format("  <testsuite name=\"{}\" {}>\n", xml_escaped(area), counts(cases));
    for (const TargetSummary* target : cases)
      xml += case_xml(*target, area, split(*target).name);
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

} // namespace kiln::gates
