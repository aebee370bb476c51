#include <cstdio>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gates/desk/bundle.h"
#include "gates/support/sha256.h"

namespace kiln::gates {
namespace {

constexpr const char* kFlags[] = {"-O2", "-fsanitize=address,undefined",
                                  "-fsanitize=implicit-conversion"};
constexpr BuildFacts kBuild{"https://example.org/kiln",
                            "0123456789abcdef0123456789abcdef01234567",
                            true,
                            "gate",
                            "clang 19",
                            kFlags};

Bundle sample() {
  Found found;
  found.finding.rule = sim::Rule::kLockRecursion;
  std::snprintf(found.finding.headline, sizeof found.finding.headline, "lock 'a' is taken again");
  found.seed = 7;
  found.iteration = 123456789012345;
  found.tape = {1, 2, 0xAB};
  found.reproduced = 9;
  found.attempts = 10;
  found.digest = 0xD1;
  found.generation = 0xABCDEF;
  const std::vector<Frame> frames = {{"clay::f", "kernel-src/f.cpp", 12, false},
                                     {"0x1234", "", 0, false}};
  BundleContext context;
  context.found_at = 1'800'000'000;
  context.input_file = "x.hex";
  context.environment = {{"LC_ALL", "C"}};
  context.arguments = {"kiln", "gate"};
  return make_bundle(found, identify(found.finding, frames), frames, kBuild, context);
}

nlohmann::json sample_json() { return nlohmann::json::parse(bundle_to_json(sample())); }

std::string error_of(const nlohmann::json& json) {
  std::string error;
  EXPECT_FALSE(bundle_from_json(json.dump(), &error).has_value());
  return error;
}

TEST(Bundle, SaysWhatWasFoundAndHow) {
  Bundle bundle = sample();
  EXPECT_EQ(bundle.found_at, "2027-01-15T08:00:00Z");
  EXPECT_EQ(bundle.id.size(), 16U);
  EXPECT_EQ(bundle.target.sanitizers,
            (std::vector<std::string>{"address", "undefined", "implicit-conversion"}));
  EXPECT_EQ(bundle.environment.generation, "0000000000abcdef");
  EXPECT_EQ(bundle.input.sha256, sha256_hex(std::vector<uint8_t>{1, 2, 0xAB}));
  EXPECT_EQ(bundle.input.hex, "0102ab");
  EXPECT_EQ(bundle.observed.kind, "lock-recursion");
  EXPECT_EQ(bundle.observed.top_frames,
            (std::vector<std::string>{"clay::f kernel-src/f.cpp:12", "0x1234"}));
  EXPECT_FALSE(bundle.environment.libc.empty());
}

TEST(Bundle, WhatIsWrittenIsRead) {
  std::string text = bundle_to_json(sample());
  std::string error;
  std::optional<Bundle> again = bundle_from_json(text, &error);
  ASSERT_TRUE(again.has_value()) << error;
  EXPECT_EQ(bundle_to_json(*again), text);
  EXPECT_EQ(again->runtime.iteration, 123456789012345U);
}

TEST(Bundle, HoldsWhatTheTargetShowed) {
  Bundle bundle = sample();
  EXPECT_FALSE(sample_json().contains("shown"));
  bundle.shown = {{"Operations", "mount\nwrite"}};
  bundle.shown_files = {"x.img"};
  std::string error;
  std::optional<Bundle> again = bundle_from_json(bundle_to_json(bundle), &error);
  ASSERT_TRUE(again.has_value()) << error;
  EXPECT_EQ(again->shown.at(0).words, "mount\nwrite");
  EXPECT_EQ(again->shown_files, bundle.shown_files);
  nlohmann::json wrong = nlohmann::json::parse(bundle_to_json(bundle));
  wrong["shown"][0].erase("words");
  EXPECT_NE(error_of(wrong).find("'shown'"), std::string::npos);
}

TEST(Bundle, TheIdFollowsFromStackAndInputAlone) {
  Bundle bundle = sample();
  EXPECT_EQ(bundle.id, bundle_id(bundle.observed.stack_hash, bundle.input.sha256));
  EXPECT_NE(bundle.id, bundle_id("0000000000000000", bundle.input.sha256));
}

TEST(Bundle, RefusesEveryMissingField) {
  const nlohmann::json whole = sample_json();
  for (const auto& [section, fields] : whole.items()) {
    if (!fields.is_object()) {
      nlohmann::json json = whole;
      json.erase(section);
      EXPECT_NE(error_of(json).find(section), std::string::npos) << section;
      continue;
    }
    for (const auto& [name, value] : fields.items()) {
      nlohmann::json json = whole;
      json[section].erase(name);
      EXPECT_NE(error_of(json).find(section + "." + name), std::string::npos) << name;
    }
  }
}

TEST(Bundle, RefusesEveryFieldOfAnotherType) {
  const nlohmann::json whole = sample_json();
  for (const auto& [section, fields] : whole.items()) {
    if (!fields.is_object()) continue;
    for (const auto& [name, value] : fields.items()) {
      nlohmann::json json = whole;
      json[section][name] = nullptr;
      EXPECT_NE(error_of(json).find("'" + section + "." + name + "' must be"), std::string::npos);
      json[section][name] = -1;
      EXPECT_NE(error_of(json).find("'" + section + "." + name + "' must be"), std::string::npos);
    }
  }
}

TEST(Bundle, RefusesOtherVersionsAndOtherFiles) {
  nlohmann::json json = sample_json();
  json["version"] = 2;
  EXPECT_NE(error_of(json).find("it has version 2, and this program reads version 1"),
            std::string::npos);
  json["version"] = "1";
  EXPECT_NE(error_of(json).find("'version' must be"), std::string::npos);
  EXPECT_NE(error_of(nlohmann::json::object()).find("it has no \"schema\""), std::string::npos);
  EXPECT_NE(error_of(nlohmann::json::array()).find("it has no \"schema\""), std::string::npos);
  std::string error;
  EXPECT_FALSE(bundle_from_json("{", &error).has_value());
  EXPECT_EQ(error, "not a bundle: it is not JSON");
  EXPECT_FALSE(read_bundle("/no/such.json", &error).has_value());
  EXPECT_EQ(error, "cannot open '/no/such.json': No such file or directory");
}

TEST(Bundle, RefusesFieldsThatContradictEachOther) {
  nlohmann::json json = sample_json();
  json["input"]["hex"] = "0102ac";
  EXPECT_NE(error_of(json).find("'input.sha256'"), std::string::npos);
  json["input"]["hex"] = "0102";
  EXPECT_NE(error_of(json).find("'input.bytes'"), std::string::npos);
  json["input"]["hex"] = "zz";
  EXPECT_NE(error_of(json).find("'input.hex' is damaged"), std::string::npos);
  json = sample_json();
  json["id"] = "0";
  EXPECT_NE(error_of(json).find("'id' does not follow"), std::string::npos);
}

Bundle joined_sample() {
  Bundle bundle = sample();
  const std::vector<uint8_t> tape = {0x0A};
  bundle.joined.push_back({"a/b", 1, 3, sha256_hex(tape), "x-1.hex", bundle_hex(tape)});
  bundle.joined.push_back({"a/c", 1, 4, sha256_hex({}), "x-2.hex", ""});
  return bundle;
}

TEST(Bundle, HoldsTheTapesOfSeveralInputs) {
  EXPECT_FALSE(sample_json().contains("joined"));
  std::string text = bundle_to_json(joined_sample());
  std::string error;
  std::optional<Bundle> again = bundle_from_json(text, &error);
  ASSERT_TRUE(again.has_value()) << error;
  EXPECT_EQ(bundle_to_json(*again), text);
  ASSERT_EQ(again->joined.size(), 2u);
  EXPECT_EQ(again->joined[0].hex, "0a");
}

TEST(Bundle, RefusesTapesThatAreNotWhole) {
  const nlohmann::json whole = nlohmann::json::parse(bundle_to_json(joined_sample()));
  for (const auto& [name, value] : whole["joined"][0].items()) {
    nlohmann::json json = whole;
    json["joined"][1].erase(name);
    EXPECT_NE(error_of(json).find("'joined." + name + "' is missing"), std::string::npos) << name;
  }
  nlohmann::json json = whole;
  json["joined"][1]["hex"] = "00";
  EXPECT_NE(error_of(json).find("'joined.sha256'"), std::string::npos);
  json["joined"][1] = 3;
  EXPECT_NE(error_of(json).find("'joined'"), std::string::npos);
  json["joined"] = nullptr;
  EXPECT_NE(error_of(json).find("'joined' must be a list"), std::string::npos);
  json["joined"] = std::vector<nlohmann::json>(1000, whole["joined"][0]);
  EXPECT_NE(error_of(json).find("'joined' must be a list"), std::string::npos);
}

TEST(Bundle, BytesThatAreNoUtf8DoNotSpoilTheFile) {
  Bundle bundle = sample();
  bundle.observed.headline = "got \xff\x01 here";
  std::string error;
  ASSERT_TRUE(bundle_from_json(bundle_to_json(bundle), &error).has_value()) << error;
}

TEST(Sha256, OfTheStandardsExamples) {
  EXPECT_EQ(sha256_hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const uint8_t abc[] = {'a', 'b', 'c'}; // FIPS 180-2, appendix B.1
  EXPECT_EQ(sha256_hex(abc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace
} // namespace kiln::gates
