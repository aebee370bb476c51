#pragma once
// For boot/module: what the kernel says of a file and of a loaded module, against the second
// reader's words.

#include <set>

#include "kernel-src/boot/module.h"
#include "worlds/firmware/module_image.h"

namespace kiln::targets {

/// The second reader's fault that a refusal of a file stands for; none for what is not the file's
/// fault.
bool is_same_fault(clay::elf::Refusal refusal, worlds::ModuleFault fault);

/// Names, addresses and entry points of a module that was loaded.
void check_symbols(const clay::elf::Loader& loader, const clay::elf::Module& module,
                   const worlds::ModuleFile& file, const worlds::ModuleImage& image,
                   const worlds::ModuleExports& exports);
void check_self(const clay::elf::Module& module, const worlds::ModuleSelf& self);

/// A state was reached (module.cpp has the probes).
void note_refusal(clay::elf::Refusal refusal);

} // namespace kiln::targets
