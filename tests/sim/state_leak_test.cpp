// One input must not leak into the next: over all targets, an input's digest is the same alone, in
// order and in any other order, and after every run everything that a reset restores is as at boot.

#include <cerrno>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "sim/engine.h"
#include "sim/machine.h"
#include "sim/prng.h"
#include "sim/target.h"
#include "tests/support/in_machine.h"

namespace kiln {
namespace {

constexpr uint64_t kInputs = 300;

uint64_t digest_of(const sim::Target& target, uint64_t iteration, uint8_t fill = 0xA5) {
  sim::Tape tape(sim::SeededInput{target.info().name, 1, iteration, target.info().longest_tape,
                                  target.info().numbered});
  sim::ExecuteOptions options;
  options.fill = fill;
  return sim::execute(target, tape, options).digest;
}

std::vector<uint64_t> shuffled(uint64_t count) {
  std::vector<uint64_t> order;
  for (uint64_t i = 0; i < count; ++i) {
    order.push_back(i);
  }
  sim::Prng prng(7);
  for (uint64_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[prng.below(i)]);
  }
  return order;
}

class StateLeak : public testing::TestWithParam<const sim::Target*> {};

TEST_P(StateLeak, AnyOrderGivesTheSameDigests) {
  const sim::Target& target = *GetParam();
  test::boot_once();
  uint64_t booted = sim::machine_hash();
  std::vector<uint64_t> in_order;
  for (uint64_t i = 0; i < kInputs; ++i) {
    in_order.push_back(digest_of(target, i));
    ASSERT_EQ(sim::machine_hash(), booted) << target.info().name << " 1:" << i;
  }
  for (uint64_t i : shuffled(kInputs)) {
    ASSERT_EQ(digest_of(target, i), in_order[i]) << target.info().name << " 1:" << i;
  }
}

TEST_P(StateLeak, WhatWasWrittenDownMakesTheSameRun) {
  const sim::Target& target = *GetParam();
  test::boot_once();
  for (uint64_t i = 0; i < kInputs; ++i) {
    sim::Tape seeded(sim::SeededInput{target.info().name, 1, i, target.info().longest_tape,
                                      target.info().numbered});
    sim::ExecuteOptions options;
    options.record = true;
    sim::Outcome first = sim::execute(target, seeded, options);
    sim::Tape written{std::span<const uint8_t>(first.tape)};
    sim::Outcome again = sim::execute(target, written, {});
    ASSERT_EQ(again.digest, first.digest) << target.info().name << " 1:" << i;
    ASSERT_EQ(again.found, first.found);
  }
}

TEST_P(StateLeak, DetailsChangeNothing) {
  const sim::Target& target = *GetParam();
  test::boot_once();
  for (uint64_t i = 0; i < kInputs / 10; ++i) {
    sim::Tape tape(sim::SeededInput{target.info().name, 1, i, target.info().longest_tape,
                                    target.info().numbered});
    sim::ExecuteOptions options;
    options.details = true;
    ASSERT_EQ(sim::execute(target, tape, options).digest, digest_of(target, i));
  }
}

/// Canaries too whose findings stay in this process (they leave runs in the middle), but for the
/// one that is not deterministic.
std::vector<const sim::Target*> all_targets() {
  std::vector<const sim::Target*> all;
  for (const sim::Target* target : sim::Target::all()) {
    static const std::set<sim::Rule> kElsewhere = {
        sim::Rule::kHang, sim::Rule::kCrash, sim::Rule::kStackOverflow, sim::Rule::kNondeterminism};
    bool here = !target->info().must_fail || !kElsewhere.contains(target->info().must_break);
    if (here && target->info().run != nullptr && std::string_view(target->info().tags) != "test") {
      all.push_back(target);
    }
  }
  return all;
}

TEST(StateLeakAcross, TheHostsErrorNumberStaysOutside) {
  test::boot_once();
  for (int host : {0, 17}) {
    errno = host;
    sim::Outcome outcome = test::run_in_machine(
        [](sim::Run&) { KILN_CHECK(errno == 0, "a run begins with errno %d", errno); });
    EXPECT_FALSE(outcome.found) << outcome.finding.headline;
    EXPECT_EQ(errno, host);
  }
}

TEST(StateLeakAcross, AnyTargetAfterAnyOther) {
  test::boot_once();
  constexpr uint64_t kEach = 40;
  const std::vector<const sim::Target*> targets = all_targets();
  ASSERT_GT(targets.size(), 40U);
  std::vector<uint64_t> first(targets.size() * kEach);
  for (int pass = 0; pass < 2; ++pass) {
    for (uint64_t at : shuffled(first.size())) {
      uint64_t slot = pass == 0 ? at : first.size() - 1 - at;
      const sim::Target& target = *targets[slot / kEach];
      uint64_t digest = digest_of(target, slot % kEach);
      ASSERT_TRUE(pass == 0 || digest == first[slot])
          << target.info().name << " 1:" << slot % kEach << " depends on what ran before";
      first[slot] = digest;
    }
  }
}

std::vector<const sim::Target*> sound_targets() {
  std::vector<const sim::Target*> sound;
  for (const sim::Target* target : sim::Target::all()) {
    // Other tests register targets without a body.
    if (!target->info().must_fail && target->info().run != nullptr &&
        std::string_view(target->info().tags) != "test") {
      sound.push_back(target);
    }
  }
  return sound;
}

INSTANTIATE_TEST_SUITE_P(Targets, StateLeak, testing::ValuesIn(sound_targets()),
                         [](const testing::TestParamInfo<const sim::Target*>& info) {
                           std::string name = info.param->info().name;
                           for (char& c : name) {
                             c = isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

} // namespace
} // namespace kiln
