#pragma once
// A second reader of Intel microcode files, for oracles. Intel SDM volume 3A, section 10.11: what
// is an update, is it sound, whom is it for; which one a CPU takes.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kiln::worlds {

/// What is wrong with an update; the first thing counts.
enum class MicrocodeFault : uint8_t { kNone, kVersion, kSum, kTable, kTableSum };
const char* microcode_fault_text(MicrocodeFault fault);

struct MicrocodeUpdate {
  size_t begin = 0; ///< in the file
  size_t total = 0;
  size_t data = 0; ///< bytes behind the header
  int32_t revision = 0;
  uint32_t date = 0; ///< as it stands there
  MicrocodeFault fault = MicrocodeFault::kNone;
  bool table_wraps = false; ///< its table has the right size in 32 bits only
  struct For {
    uint32_t signature;
    uint32_t flags;
  };
  std::vector<For> for_whom;
};

struct MicrocodeFile {
  std::vector<MicrocodeUpdate> updates; ///< all that can be told apart, sound or not
  bool open_end = false;                ///< bytes behind them that are no whole update
  bool lost = false;                    ///< sizes that contradict each other end the walk
};

MicrocodeFile read_microcode(std::span<const uint8_t> bytes);

/// The index of the one to load.
std::optional<size_t> choose_microcode(const MicrocodeFile& file, uint32_t signature,
                                       uint32_t platform, int32_t revision);

} // namespace kiln::worlds
