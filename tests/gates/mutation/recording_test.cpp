#include <filesystem>
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
  early.most_fuel = 50;
  early.findings = {{2, 99}};
  RecordDone late;
  late.sites = {{7, {0b1}}, {8, {0b10}}};
  late.most_fuel = 40;
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
    EXPECT_EQ(recording->most_fuel, 50);
    EXPECT_EQ(recording->findings[0].iteration, 2u);
    EXPECT_EQ(recording->known_keys(), (std::vector<uint64_t>{98, 99}));
  }
}

TEST(Recording, AFileIsOfOneProgram) {
  std::string path =
      (std::filesystem::temp_directory_path() / ("kiln-recording-" + std::to_string(getpid())))
          .string();
  Recording recording;
  recording.inputs = 10;
  recording.reaching[7] = set_of({1, 9});
  recording.boot_sites = {2, 3};
  recording.most_fuel = 1234;
  recording.generation = 5678;
  std::string error;
  ASSERT_TRUE(write_recording(path, "program a", recording, &error)) << error;
  Recording read;
  EXPECT_FALSE(read_recording(path, "program b", &read));
  ASSERT_TRUE(read_recording(path, "program a", &read));
  EXPECT_EQ(read.reaching_inputs(7), set_of({1, 9}));
  EXPECT_EQ(read.boot_sites, recording.boot_sites);
  EXPECT_EQ(read.most_fuel, 1234);
  EXPECT_EQ(read.generation, 5678u);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_FALSE(read_recording(path, "program a", &read));
  std::filesystem::remove(path);
}

} // namespace
} // namespace kiln::gates
