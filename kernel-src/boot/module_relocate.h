#pragma once
// The relocations of a module, as the processor supplements have them: each puts a word of 8 bytes,
// made of a symbol, an addend and where the module lies, into a writable segment. They are done in
// the order of their tables; what is already in the place does not matter.

#include <stdint.h>

#include "kernel-src/boot/module_image.h"
#include "kernel-src/boot/module_symbols.h"

namespace clay::elf {

/// Every relocation: of a known type, its symbol there, its place within one writable segment.
Refused check_relocations(Machine machine, const Layout& layout, const Tables& tables);

/// Does what was checked, in an image whose load address is known.
void relocate(Machine machine, const Tables& tables, const Symbols& symbols, Image& image);

} // namespace clay::elf
