// new-target: a target to start from, which compiles and passes as it is.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gates/cli/commands.h"
#include "gates/run/session.h"
#include "gates/support/atomic_file.h"
#include "gates/support/front_door.h"
#include "gates/support/read_file.h"
#include "gates/support/screen.h"
#include "gates/support/source_tree.h"
#include "sim/target.h"

namespace kiln::gates {

namespace {

constexpr const char* kSkeleton =
    R"(// What this target drives, and what it checks. What it does not check, and why.

#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln {{
namespace {{

// A state that inputs must reach: the gate fails when none does.
sim::Probe several{{"{name}", "more than one step"}};

// The body of the machine's first task, after the kernel's boot. Everything that it makes must be
// gone when it returns. Draws of 0 must make the plainest run: past the tape's end all are 0.
void run(sim::Run& run) {{
  auto draw = run.tape.data();
  uint64_t steps = draw.below(8);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < steps; ++i) {{
    sim::Span span(run.tape, "step");
    // Call the kernel here, and a model of it beside.
    sum += draw.below(10);
  }}
  if (steps > 1) {{
    several.hit();
  }}
  KILN_CHECK(sum <= 9 * steps, "the sum of %llu steps is %llu",
             static_cast<unsigned long long>(steps), static_cast<unsigned long long>(sum));
}}

sim::Target target{{{{
    .name = "{name}",
    .purpose = "One sentence for `list`.",
    .run = run,
    .gate_inputs = 10'000,
    .longest_tape = 256,
}}}};

}} // namespace
}} // namespace kiln
)";

bool good_part(std::string_view part) {
  if (part.empty() || part[0] < 'a' || part[0] > 'z') return false;
  for (char c : part) {
    bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!good) return false;
  }
  return true;
}

bool good_name(const std::string& name) {
  size_t slash = name.find('/');
  return slash != std::string::npos && good_part(name.substr(0, slash)) &&
         good_part(name.substr(slash + 1));
}

constexpr const char* kExample = "example/table";
constexpr const char* kParserHead =
    R"(// What this target drives. Begun as a copy of targets/example/table.cpp: the parser, the generator
// and the second reader of another format go in place of those of the table.
)";

/// The example of a parser's target under another name and with a head of its own.
bool parser_source(const std::string& root, const std::string& name, std::string* source,
                   std::string* error) {
  std::string path = fmt::format("{}/targets/{}.cpp", root, kExample);
  std::optional<std::string> text = read_file(path, size_t{1} << 20, "a source", error);
  if (!text.has_value()) return false;
  *source = kParserHead + text->substr(std::min(text->find("//\n"), text->size()));
  std::string quoted = fmt::format("\"{}\"", kExample);
  size_t at = source->find(quoted);
  if (at != std::string::npos) source->replace(at, quoted.size(), fmt::format("\"{}\"", name));
  return true;
}

bool source_of(const Settings& settings, const std::string& root, std::string* source,
               std::string* error) {
  const std::string& name = settings.arguments[0];
  if (settings.parser) return parser_source(root, name, source, error);
  *source = fmt::format(fmt::runtime(kSkeleton), fmt::arg("name", name));
  return true;
}

} // namespace

ExitCode command_new_target(const Settings& settings) {
  const std::string& name = settings.arguments[0];
  if (!good_name(name)) {
    return refuse("'" + name +
                  "' is no name of a target: AREA/NAME of small letters, digits, '_' "
                  "and '-', such as net/dhcp.");
  }
  if (sim::Target::find(name) != nullptr)
    return refuse("There is a target '" + name + "' already.");
  std::string root = source_tree();
  if (root.empty()) return refuse("There is no targets/ folder above here or above this program.");
  std::string path = root + "/targets/" + name + ".cpp";
  std::error_code unknown; // writing it will tell
  if (std::filesystem::exists(path, unknown))
    return refuse("There is a file '" + path + "' already.");
  std::string source;
  std::string error;
  bool written =
      source_of(settings, root, &source, &error) && write_file_atomically(path, source, &error);
  if (!written) return refuse(error);
  print_block(fmt::format("{}\nBuild and run it: {} {}", path, front_door(), name));
  return ExitCode::kNothing;
}

} // namespace kiln::gates
