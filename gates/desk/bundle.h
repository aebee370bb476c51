#pragma once
// A finding as a file that is still worth something in a year: what was run, where, how, and what
// was seen. docs/bundle.md documents every field. Version 1.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gates/finding/found.h"
#include "gates/finding/identity.h"
#include "gates/support/build_facts.h"

namespace kiln::gates {

inline constexpr unsigned kBundleVersion = 1;
inline constexpr const char* kBundleSchema = "kiln-bundle";
inline constexpr unsigned kTopFrames = 8;

/// One of several inputs that break a rule together, each run alone.
struct BundleTape {
  std::string harness;
  uint64_t seed = 0, iteration = 0;
  std::string sha256, file, hex; ///< as Bundle::input
};

struct Bundle {
  std::string id;       ///< 16 hex digits, from stack hash and input hash
  std::string found_at; ///< ISO 8601, UTC, from the supervisor's clock

  struct {
    std::string repository, commit, harness;
    bool edited = false; ///< tracked files differed from the commit
    std::vector<std::string> build_flags, sanitizers;
  } target;

  struct {
    std::string compiler, libc, host_kernel, flavour;
    std::string generation; ///< 16 hex digits: hash of the booted machine
  } environment;

  struct {
    bool aslr = false;
    uint64_t seed = 0, iteration = 0;
    std::string origin;   ///< "seed", "tape", "feed" or "gate"
    std::string strategy; ///< that made the schedule; the tape holds the schedule itself
    std::string clock;
    std::map<std::string, std::string> environment; ///< of the worker, all of it
    std::vector<std::string> arguments;             ///< of the program
    std::string egress;
  } runtime;

  struct {
    std::string sha256, file, hex; ///< hex: the bytes themselves, lower case
    uint64_t bytes = 0;
    bool shrunk = false;
    bool exact = true; ///< false: the schedule is what the process had written before it died
  } input;

  /// Where no input breaks the rule alone; else empty. The input that completes it first.
  std::vector<BundleTape> joined;

  /// What the target had to show, and files of it beside the bundle.
  std::vector<sim::ExhibitedText> shown;
  std::vector<std::string> shown_files;

  struct {
    std::string kind;               ///< the rule's name
    std::string headline;           ///< one sentence
    std::string identity;           ///< Identity::text
    std::string place;              ///< "file:line", "" when not known
    int signal = 0;                 ///< 0 = none
    std::string stack_hash, digest; ///< 16 hex digits
    std::vector<std::string> top_frames;
    unsigned reproduced = 0, attempts = 0;
  } observed;
};

/// What a bundle says beyond the finding itself.
struct BundleContext {
  int64_t found_at = 0;   ///< seconds since 1970, UTC
  std::string input_file; ///< beside the bundle
  std::vector<std::string> shown_files;
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments;
  bool aslr = false;
  bool egress_denied = true;
};

/// A tape's bytes as bundles hold them.
std::string bundle_hex(std::span<const uint8_t> tape);

Bundle make_bundle(const Found& found, const Identity& identity, std::span<const Frame> frames,
                   const BuildFacts& build, const BundleContext& context);

/// 16 hex digits of a stack hash and an input's SHA-256.
std::string bundle_id(std::string_view stack_hash, std::string_view input_sha256);

std::string bundle_to_json(const Bundle& bundle);
/// Nothing, and one sentence naming the field, when the text is no bundle of a version known here.
std::optional<Bundle> bundle_from_json(std::string_view text, std::string* error);
std::optional<Bundle> read_bundle(const std::string& path, std::string* error);

} // namespace kiln::gates
