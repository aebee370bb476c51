// The summary as JUnit XML.

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "gates/run/summary.h"

namespace kiln::gates {
namespace {

/// Length of the well-formed UTF-8 sequence (Unicode 15, table 3-7) at the front, 0 when there is
/// none or it stands for a character that XML 1.0 forbids (section 2.2).
size_t xml_character(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    bool surrogate = lead == 0xED && byte(1) > 0x9F;
    bool noncharacter = lead == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE; // U+FFFE, U+FFFF
    return continues(1) && continues(2) && !overlong && !surrogate && !noncharacter ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    bool overlong = lead == 0xF0 && byte(1) < 0x90;
    bool too_large = lead == 0xF4 && byte(1) > 0x8F;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
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
