#include "targets/boot/module_words.h"

#include "targets/boot/append_printf.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

using worlds::ModuleFile;

void add_segments(std::string& out, const ModuleFile& file) {
  for (const ModuleFile::Segment& s : file.segments) {
    append_printf(out, "segment 0x%llx: %llu bytes, %llu from 0x%llx, r%c%c\n", KILN_U64(s.address),
                  KILN_U64(s.bytes), KILN_U64(s.in_file), KILN_U64(s.offset), s.write ? 'w' : '-',
                  s.execute ? 'x' : '-');
  }
  if (file.has_relro) {
    append_printf(out, "sealed 0x%llx: %llu bytes\n", KILN_U64(file.relro_address),
                  KILN_U64(file.relro_bytes));
  }
}

void add_symbols(std::string& out, const ModuleFile& file) {
  for (size_t i = 1; i < file.symbols.size(); ++i) {
    const ModuleFile::Symbol& s = file.symbols[i];
    if (s.section == 0) {
      append_printf(out, "import %s%s\n", s.name.c_str(), s.binding == 2 ? " (weak)" : "");
    } else {
      append_printf(out, "symbol %s: 0x%llx, %llu bytes\n", s.name.c_str(), KILN_U64(s.value),
                    KILN_U64(s.size));
    }
  }
  for (const ModuleFile::Relocation& r : file.relocations) {
    append_printf(out, "relocation 0x%llx: type %u, symbol %u, addend 0x%llx\n", KILN_U64(r.place),
                  r.type, r.symbol, KILN_U64(r.addend));
  }
}

} // namespace

std::string describe(const ModuleFile& file, const clay::elf::Refused& why,
                     const clay::elf::Module* module) {
  std::string out;
  add_segments(out, file);
  add_symbols(out, file);
  if (module != nullptr) {
    append_printf(out, "loaded at 0x%llx: '%.*s'\n", KILN_U64(module->address()),
                  static_cast<int>(module->name().size()), module->name().data());
  } else {
    append_printf(out, "refused: %s (at %llu)%s%.*s\n", clay::elf::refusal_text(why.reason),
                  KILN_U64(why.at), why.symbol.empty() ? "" : ": ",
                  static_cast<int>(why.symbol.size()), why.symbol.data());
  }
  return out;
}

} // namespace kiln::targets
