#pragma once
// A module in words, for `feed boot/module`: segments, symbols, relocations, and the verdict.

#include <string>

#include "kernel-src/boot/module.h"
#include "worlds/firmware/module_file.h"

namespace kiln::targets {

std::string describe(const worlds::ModuleFile& file, const clay::elf::Refused& why,
                     const clay::elf::Module* module);

} // namespace kiln::targets
