// Tapes of findings that were mended: tests/regress/<target>/<name>.hex is replayed, a file with
// another ending is fed to the target. A finding is a failure; so is a tape whose target is gone.
// What ends the process (a sanitizer's abort) fails this program as well.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "gates/tape/hex.h"
#include "sim/engine.h"
#include "sim/machine.h"
#include "tests/support/in_machine.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

/// Set by CMake: the folder's absolute path.
const fs::path kFolder = KILN_REGRESS_FOLDER;

std::vector<fs::path> regression_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<uint8_t> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

sim::Outcome run_file(const sim::Target& target, const fs::path& path) {
  test::boot_once();
  sim::ExecuteOptions options;
  options.details = true;
  if (path.extension() != ".hex") {
    std::string words;
    return sim::execute_feed(target, path.filename().string(), bytes_of(path), words, options);
  }
  std::string error;
  auto bytes = read_tape_file(path, TapeFormat::kHex, &error);
  EXPECT_TRUE(bytes.has_value()) << error;
  const std::vector<uint8_t> flat = bytes.value_or(std::vector<uint8_t>());
  sim::Tape tape(flat);
  return sim::execute(target, tape, options);
}

void replay(const fs::path& folder, const fs::path& path) {
  std::string name = fs::relative(path.parent_path(), folder).generic_string();
  const sim::Target* target = sim::Target::find(name);
  ASSERT_NE(target, nullptr) << path << ": there is no target '" << name
                             << "'; move the file to the target that has taken its place";
  bool is_feed = path.extension() != ".hex";
  ASSERT_TRUE(!is_feed || target->info().feed != nullptr)
      << path << ": '" << name << "' takes no file; tapes end in .hex";
  sim::Outcome outcome = run_file(*target, path);
  EXPECT_FALSE(outcome.found) << path << ": " << outcome.finding.headline;
}

TEST(Regress, NoMendedFindingHasComeBack) {
  for (const fs::path& path : regression_files())
    replay(kFolder, path);
}

// --- The test of the test

sim::Target breaks_on_one{{
    .name = "test/breaks-on-one",
    .purpose = "Fails when the first choice is 1, or when fed with anything.",
    .run = [](sim::Run& run) { KILN_CHECK(run.tape.data().u8() != 1, "the first choice is 1"); },
    .feed = [](sim::Feed& feed) { KILN_CHECK(feed.bytes.empty(), "it was fed"); },
    .feed_takes = "any file",
    .longest_tape = 64,
    .tags = "test",
}};

class RegressFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "kiln-regress-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path write(const char* name, const char* text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  static inline fs::path folder;
  static inline fs::path path;
};

TEST_F(RegressFiles, OneThatStillFailsIsAFailure) {
  replay(folder, write("test/breaks-on-one/good.hex", "000000000000000000"));
  path = write("test/breaks-on-one/bad.hex", "000000000000000001");
  EXPECT_NONFATAL_FAILURE(replay(folder, path), "the first choice is 1");
  path = write("test/breaks-on-one/bad.bin", "x");
  EXPECT_NONFATAL_FAILURE(replay(folder, path), "it was fed");
}

TEST_F(RegressFiles, OneThatCannotRunIsAFailure) {
  path = write("no/such-target/x.hex", "00");
  EXPECT_FATAL_FAILURE(replay(folder, path), "there is no target 'no/such-target'");
  path = write("test/body/x.bin", "00");
  EXPECT_FATAL_FAILURE(replay(folder, path), "takes no file");
  path = write("test/breaks-on-one/x.hex", "zz");
  EXPECT_NONFATAL_FAILURE(replay(folder, path), "x.hex");
}

} // namespace
} // namespace kiln::gates
