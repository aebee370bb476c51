#pragma once
// A second reader of Multiboot2 information, for oracles: Multiboot2 Specification 2.0,
// section 3.6. It collects all tags first and then looks into them, with 64-bit places throughout.
// Limits are the kernel's; they come as arguments.

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "worlds/firmware/memory_model.h"

namespace kiln::worlds {

struct MultibootLimits {
  size_t command_line;
  size_t name;
  size_t modules;
};

struct MultibootReading {
  enum class Verdict : uint8_t { kTaken, kTruncated, kCorrupt };
  struct Module {
    uint32_t first;
    uint32_t last;
    std::string name;
  };
  struct Framebuffer {
    uint64_t address = 0;
    uint32_t pitch = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    uint8_t bits = 0;
    uint8_t type = 0;
  };

  Verdict verdict = Verdict::kTaken;
  uint64_t size = 0; ///< of the block, as it says
  std::string command_line;
  std::string loader;
  std::vector<Module> modules;
  std::vector<uint8_t> rsdp;
  Framebuffer framebuffer;
  uint64_t system_table = 0;
  bool services_run = false;
  std::set<uint32_t> seen; ///< kinds of tags, modules left out
  MemoryModel memory;
  MemoryOddities map_oddities; ///< of all maps together
  // What was left out, by kind.
  uint32_t tags_short = 0;
  uint32_t texts_open = 0;
  uint32_t texts_cut = 0;
  uint32_t module_ends = 0;
  uint32_t modules_full = 0;
  uint32_t map_strides = 0;
  uint32_t maps_not_final = 0;
  uint32_t tags_twice = 0;
  uint32_t tags_unknown = 0;
};

MultibootReading read_multiboot(std::span<const uint8_t> bytes, const MultibootLimits& limits);

} // namespace kiln::worlds
