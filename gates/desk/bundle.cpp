// What goes into a bundle. Reading and writing: gates/desk/bundle_json.cpp.

#include "gates/desk/bundle.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include "gates/support/sha256.h"
#include "gates/tape/hex.h"

namespace kiln::gates {
namespace {

std::string digits(uint64_t value) { return fmt::format("{:016x}", value); }

std::string utc(int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string host_kernel() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "";
}

const char* origin_name(Origin origin) {
  switch (origin) {
  case Origin::kSeed:
    return "seed";
  case Origin::kTape:
    return "tape";
  case Origin::kFeed:
    return "feed";
  case Origin::kGate:
    return "gate";
  }
  return "";
}

/// "-fsanitize=address,undefined" and its kind -> their names, each once, in order.
std::vector<std::string> sanitizers_of(std::span<const char* const> flags) {
  constexpr std::string_view kFlag = "-fsanitize=";
  std::vector<std::string> names;
  for (std::string_view flag : flags) {
    // The thread pass is there for its hooks alone: no ThreadSanitizer in the program.
    if (!flag.starts_with(kFlag)) continue;
    flag.remove_prefix(kFlag.size());
    while (!flag.empty()) {
      size_t comma = std::min(flag.find(','), flag.size());
      std::string name(flag.substr(0, comma));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      flag.remove_prefix(std::min(comma + 1, flag.size()));
    }
  }
  return names;
}

void describe_build(Bundle& bundle, const BuildFacts& build) {
  bundle.target.repository = build.repository;
  bundle.target.commit = build.commit;
  bundle.target.edited = build.edited;
  bundle.target.build_flags.assign(build.flags.begin(), build.flags.end());
  bundle.target.sanitizers = sanitizers_of(build.flags);
  bundle.environment.compiler = build.compiler;
  bundle.environment.flavour = build.flavour;
}

void describe_run(Bundle& bundle, const Found& found, const BundleContext& context) {
  bundle.environment.libc = fmt::format("glibc {}", gnu_get_libc_version());
  bundle.environment.host_kernel = host_kernel();
  bundle.environment.generation = digits(found.generation);
  bundle.runtime.aslr = context.aslr;
  bundle.runtime.seed = found.seed;
  bundle.runtime.iteration = found.iteration;
  bundle.runtime.origin = origin_name(found.origin);
  bundle.runtime.strategy = sim::strategy_name(found.strategy);
  bundle.runtime.clock = "virtual, starts at 0";
  bundle.runtime.environment = context.environment;
  bundle.runtime.arguments = context.arguments;
  bundle.runtime.egress = context.egress_denied ? "denied" : "allowed";
}

void describe_input(Bundle& bundle, const Found& found, const BundleContext& context) {
  bundle.input.sha256 = sha256_hex(found.tape);
  bundle.input.bytes = found.tape.size();
  bundle.input.file = context.input_file;
  bundle.input.hex = bundle_hex(found.tape);
  bundle.input.shrunk = found.shrunk;
  bundle.input.exact = found.tape_exact;
}

void describe_finding(Bundle& bundle, const Found& found, const Identity& identity,
                      std::span<const Frame> frames) {
  bundle.observed.kind = sim::rule_name(found.finding.rule);
  bundle.observed.headline = found.finding.headline;
  bundle.observed.identity = identity.text();
  bundle.observed.place = file_and_line(identity.place);
  bundle.observed.signal = found.signal;
  bundle.observed.stack_hash = digits(identity.stack_hash);
  bundle.observed.digest = digits(found.digest);
  for (const Frame& frame : frames.first(std::min<size_t>(frames.size(), kTopFrames))) {
    std::string where = file_and_line(frame);
    bundle.observed.top_frames.push_back(
        where.empty() ? frame.function : fmt::format("{} {}", frame.function, where));
  }
  bundle.observed.reproduced = found.reproduced;
  bundle.observed.attempts = found.attempts;
}

} // namespace

std::string bundle_id(std::string_view stack_hash, std::string_view input_sha256) {
  std::string both = fmt::format("{}:{}", stack_hash, input_sha256);
  return sha256_hex({reinterpret_cast<const uint8_t*>(both.data()), both.size()}).substr(0, 16);
}

std::string bundle_hex(std::span<const uint8_t> tape) {
  std::string hex = to_hex(tape);
  std::erase(hex, '\n');
  return hex;
}

Bundle make_bundle(const Found& found, const Identity& identity, std::span<const Frame> frames,
                   const BuildFacts& build, const BundleContext& context) {
  Bundle bundle;
  bundle.found_at = utc(context.found_at);
  bundle.target.harness = found.target != nullptr ? found.target->info().name : "";
  describe_build(bundle, build);
  describe_run(bundle, found, context);
  describe_input(bundle, found, context);
  describe_finding(bundle, found, identity, frames);
  bundle.shown = found.exhibits.texts;
  bundle.shown_files = context.shown_files;
  bundle.id = bundle_id(bundle.observed.stack_hash, bundle.input.sha256);
  return bundle;
}

} // namespace kiln::gates
