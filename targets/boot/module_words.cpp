#include "targets/boot/module_words.h"

#include <cstdarg>
#include <cstdio>

#include "targets/boot/fdt_text.h"

namespace kiln::targets {
namespace {

using worlds::ModuleFile;

__attribute__((format(printf, 2, 3))) void add(std::string& out, const char* format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  out.append(line, std::min(static_cast<size_t>(length), sizeof(line) - 1));
}

void add_segments(std::string& out, const ModuleFile& file) {
  for (const ModuleFile::Segment& s : file.segments) {
    add(out, "segment 0x%llx: %llu bytes, %llu from 0x%llx, r%c%c\n", KILN_U64(s.address),
        KILN_U64(s.bytes), KILN_U64(s.in_file), KILN_U64(s.offset), s.write ? 'w' : '-',
        s.execute ? 'x' : '-');
  }
  if (file.has_relro) {
    add(out, "sealed 0x%llx: %llu bytes\n", KILN_U64(file.relro_address),
        KILN_U64(file.relro_bytes));
  }
}

void add_symbols(std::string& out, const ModuleFile& file) {
  for (size_t i = 1; i < file.symbols.size(); ++i) {
    const ModuleFile::Symbol& s = file.symbols[i];
    if (s.section == 0) {
      add(out, "import %s%s\n", s.name.c_str(), s.binding == 2 ? " (weak)" : "");
    } else {
      add(out, "symbol %s: 0x%llx, %llu bytes\n", s.name.c_str(), KILN_U64(s.value),
          KILN_U64(s.size));
    }
  }
  for (const ModuleFile::Relocation& r : file.relocations) {
    add(out, "relocation 0x%llx: type %u, symbol %u, addend 0x%llx\n", KILN_U64(r.place), r.type,
        r.symbol, KILN_U64(r.addend));
  }
}

} // namespace

std::string describe(const ModuleFile& file, const clay::elf::Refused& why,
                     const clay::elf::Module* module) {
  std::string out;
  add_segments(out, file);
  add_symbols(out, file);
  if (module != nullptr) {
    add(out, "loaded at 0x%llx: '%.*s'\n", KILN_U64(module->address()),
        static_cast<int>(module->name().size()), module->name().data());
  } else {
    add(out, "refused: %s (at %llu)%s%.*s\n", clay::elf::refusal_text(why.reason), KILN_U64(why.at),
        why.symbol.empty() ? "" : ": ", static_cast<int>(why.symbol.size()), why.symbol.data());
  }
  return out;
}

} // namespace kiln::targets
