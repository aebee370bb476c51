#pragma once
// What a module must look like in memory: each page of it, byte for byte and with its rights, when
// it is loaded at a certain address; and what it says of itself then.

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "worlds/firmware/module_file.h"

namespace kiln::worlds {

struct ModuleImage {
  struct Page {
    uint64_t address;
    bool write;
    bool execute;
    std::array<uint8_t, 4096> bytes;
  };
  std::vector<Page> pages; ///< by address
  uint64_t bias = 0;

  /// Null where there is none.
  const Page* page_of(uint64_t address) const;
};

/// Of a file without faults, whose first page lies at `address`.
ModuleImage load_module(std::span<const uint8_t> bytes, const ModuleFile& file,
                        const ModuleRules& rules, const ModuleExports& exports, uint64_t address);

/// What the descriptor holds.
struct ModuleSelf {
  std::set<ModuleFault> faults;
  std::string name;
  uint64_t init = 0;
  uint64_t exit = 0;
};
ModuleSelf read_self(const ModuleFile& file, const ModuleImage& image, const ModuleRules& rules);

/// Value of a symbol once the module lies `bias` above its file's addresses; of an import, the
/// kernel's, or 0.
uint64_t module_symbol_value(const ModuleFile::Symbol& symbol, const ModuleExports& exports,
                             uint64_t bias);

} // namespace kiln::worlds
