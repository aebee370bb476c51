#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gates/mutation/recording.h"

namespace kiln::gates {
namespace {

InputSet set_of(std::initializer_list<uint64_t> inputs) {
  InputSet set;
  for (uint64_t input : inputs) {
    if (set.size() <= input / 64) set.resize(input / 64 + 1);
    set[input / 64] |= uint64_t{1} << (input % 64);
  }
  return set;
}

std::vector<uint64_t> flat(const std::vector<InputRange>& ranges) {
  std::vector<uint64_t> inputs;
  for (const InputRange& range : ranges) {
    for (uint64_t i = range.begin; i < range.end; ++i)
      inputs.push_back(i);
  }
  return inputs;
}

TEST(Recording, RangesHoldTheInputsInOrder) {
  InputSet set = set_of({0, 1, 2, 63, 64, 200, 1000});
  uint64_t next = 0;
  std::vector<InputRange> ranges = ranges_of(set, 0, 20'000, UINT64_MAX, &next);
  EXPECT_EQ(flat(ranges), (std::vector<uint64_t>{0, 1, 2, 63, 64, 200, 1000}));
  EXPECT_EQ(ranges.size(), 4u);
  EXPECT_EQ(next, 20'000u);
}

TEST(Recording, SlicesFollowOneAnother) {
  InputSet set = set_of({5, 6, 70, 130, 131, 500});
  std::vector<uint64_t> all;
  for (uint64_t next = 0; next < 501;) {
    std::vector<uint64_t> slice = flat(ranges_of(set, next, 501, 2, &next));
    EXPECT_LE(slice.size(), 2u);
    all.insert(all.end(), slice.begin(), slice.end());
  }
  EXPECT_EQ(all, (std::vector<uint64_t>{5, 6, 70, 130, 131, 500}));
}

TEST(Recording, InputsFromTheBudgetOnAreLeftOut) {
  uint64_t next = 0;
  EXPECT_EQ(flat(ranges_of(set_of({10, 99, 100, 101}), 0, 100, UINT64_MAX, &next)),
            (std::vector<uint64_t>{10, 99}));
  EXPECT_EQ(next, 100u);
}

TEST(Recording, PartsJoinInAnyOrder) {
  RecordDone early;
  early.sites = {{7, {0b101}}};
  early.boot_sites = {3};
  early.boot_fuel = 30;
  early.hungriest = {{0, 10}, {2, 50}};
  early.findings = {{2, 99}};
  RecordDone late;
  late.sites = {{7, {0b1}}, {8, {0b10}}};
  late.boot_fuel = 30;
  late.hungriest = {{64, 40}, {65, 60}};
  late.findings = {{70, 98}};
  Recording forwards;
  forwards.add(0, early);
  forwards.add(64, late);
  Recording backwards;
  backwards.add(64, late);
  backwards.add(0, early);
  for (const Recording* recording : {&forwards, &backwards}) {
    EXPECT_EQ(recording->reaching_inputs(7), set_of({0, 2, 64}));
    EXPECT_EQ(recording->reaching_inputs(8), set_of({65}));
    EXPECT_TRUE(recording->reaching_inputs(9).empty());
    EXPECT_EQ(recording->boot_fuel, 30);
    ASSERT_EQ(recording->hungriest.size(), 3u) << "input 64 takes less than one before it";
    EXPECT_EQ(recording->hungriest[2].iteration, 65u);
    EXPECT_EQ(recording->loop_fuel(), 60 * 20 + 1'000'000);
    EXPECT_EQ(recording->findings[0].iteration, 2u);
    EXPECT_EQ(recording->known_keys(), (std::vector<uint64_t>{98, 99}));
  }
}

constexpr sim::LockEdge kEdge{"a", "b", sim::LockFact{}, 11, 12};

Recording full() {
  Recording recording;
  recording.inputs = 200;
  recording.reaching[7] = set_of({1, 9, 130});
  recording.reaching[8] = set_of({150});
  recording.boot_sites = {2, 3};
  recording.boot_fuel = 5;
  recording.hungriest = {{0, 10}, {140, 1234}};
  recording.generation = 5678;
  recording.findings = {{20, 91}, {180, 92}};
  recording.facts = {{kEdge, set_of({4, 199})}, {{"b", "c", {}, 13, 14}, set_of({160})}};
  recording.boot_edges = {kEdge};
  return recording;
}

void expect_edge(const sim::LockEdge& a, const sim::LockEdge& b) {
  EXPECT_STREQ(a.from, b.from);
  EXPECT_STREQ(a.to, b.to);
  EXPECT_EQ(a.fact, b.fact);
  EXPECT_EQ(a.held_site, b.held_site);
  EXPECT_EQ(a.taken_site, b.taken_site);
}

void expect_same(const Recording& a, const Recording& b) {
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.reaching, b.reaching);
  EXPECT_EQ(a.boot_sites, b.boot_sites);
  EXPECT_EQ(a.boot_fuel, b.boot_fuel);
  EXPECT_EQ(a.loop_fuel(), b.loop_fuel());
  EXPECT_EQ(a.hungriest.size(), b.hungriest.size());
  EXPECT_EQ(a.generation, b.generation);
  ASSERT_EQ(a.findings.size(), b.findings.size());
  for (size_t i = 0; i < a.findings.size(); ++i) {
    EXPECT_EQ(a.findings[i].iteration, b.findings[i].iteration);
    EXPECT_EQ(a.findings[i].key, b.findings[i].key);
  }
  ASSERT_EQ(a.facts.size(), b.facts.size());
  for (size_t i = 0; i < a.facts.size(); ++i) {
    expect_edge(a.facts[i].edge, b.facts[i].edge);
    EXPECT_EQ(a.facts[i].inputs, b.facts[i].inputs);
  }
  ASSERT_EQ(a.boot_edges.size(), b.boot_edges.size());
  for (size_t i = 0; i < a.boot_edges.size(); ++i)
    expect_edge(a.boot_edges[i], b.boot_edges[i]);
}

TEST(Recording, ALongerOneServesForAShorter) {
  Recording cut = full();
  cut.cut(140);
  Recording shorter = full();
  shorter.inputs = 140;
  shorter.reaching = {{7, set_of({1, 9, 130})}};
  shorter.hungriest = {{0, 10}};
  shorter.findings = {{20, 91}};
  shorter.facts = {{kEdge, set_of({4})}};
  // A set's length says nothing.
  cut.facts[0].inputs.resize(1);
  expect_same(cut, shorter);
  cut.cut(1000);
  EXPECT_EQ(cut.inputs, 140u);
  cut.cut(9);
  EXPECT_EQ(cut.reaching_inputs(7)[0], set_of({1})[0]);
}

TEST(Recording, TheBoundOnLoopsDoesNotOverflow) {
  Recording recording;
  recording.hungriest = {{0, INT64_MAX / 2}};
  EXPECT_EQ(recording.loop_fuel(), INT64_MAX);
  recording.hungriest = {};
  recording.boot_fuel = 7;
  EXPECT_EQ(recording.loop_fuel(), 7 * 20 + 1'000'000);
}

class RecordingFile : public testing::Test {
 protected:
  RecordingFile() {
    path = (std::filesystem::temp_directory_path() / ("kiln-recording-" + std::to_string(getpid())))
               .string();
    std::string error;
    EXPECT_TRUE(write_recording(path, "program a", full(), &error)) << error;
  }
  ~RecordingFile() override { std::filesystem::remove(path); }
  std::string path;
};

TEST_F(RecordingFile, IsOfOneProgram) {
  Recording read;
  EXPECT_FALSE(read_recording(path, "program b", &read));
  ASSERT_TRUE(read_recording(path, "program a", &read));
  expect_same(read, full());
}

TEST_F(RecordingFile, ADamagedOneIsNotRead) {
  Recording read;
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file.put('x');
  file.close();
  EXPECT_FALSE(read_recording(path, "program a", &read));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_FALSE(read_recording(path, "program a", &read));
  std::filesystem::resize_file(path, 3);
  EXPECT_FALSE(read_recording(path, "program a", &read));
}

} // namespace
} // namespace kiln::gates
