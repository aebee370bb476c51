// /chosen and /aliases (Devicetree Specification v0.4, 3.3, 3.6).

#include <string>

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

/// `size` characters of words, some behind two spaces.
std::string make_words(Maker& m, size_t size) {
  std::string text(size, 'a');
  m.data.noise(std::span(reinterpret_cast<uint8_t*>(text.data()), size));
  for (char& c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    c = byte < 40 ? ' ' : static_cast<char>('a' + byte % 26);
  }
  return text;
}

std::string draw_bootargs(Maker& m) {
  if (m.style.long_text && m.data.below(8) != 0) {
    return make_words(m, m.data.between(1000, 1100));
  }
  if (m.data.chance(1, 4)) {
    return make_words(m, m.data.below(80));
  }
  return "console=ttyAMA0 root=/dev/vda1 rw";
}

void make_initrd(Maker& m) {
  const bool wide = m.data.boolean();
  const uint64_t start = m.kind.ram + 0x8000000;
  const uint64_t size = 1 + m.data.below(0x1000000);
  const auto number = [&](Name name, uint64_t value) {
    if (wide) {
      m.build.cells(name, {static_cast<uint32_t>(value >> 32), static_cast<uint32_t>(value)});
    } else {
      m.build.u32(name, static_cast<uint32_t>(value));
    }
  };
  number("linux,initrd-start", start);
  number("linux,initrd-end", start + size);
  m.facts.initrd = {start, size};
}

std::string draw_console(Maker& m) {
  const char* const forms[] = {m.kind.serial_path, "serial0", m.kind.serial_short};
  std::string console = m.data.pick(forms);
  if (m.data.boolean()) {
    console += ":115200n8";
  }
  return console;
}

void make_console(Maker& m) {
  if (m.data.chance(1, 8)) {
    return;
  }
  const std::string console = draw_console(m);
  if (m.data.chance(1, 8)) {
    m.build.string("linux,stdout-path", console);
  } else {
    m.build.string("stdout-path", console);
  }
  m.facts.has_serial = true;
  m.facts.serial = m.kind.serial;
  m.facts.serial_compatible = m.kind.serial_compatible;
}

} // namespace

void make_chosen(Maker& m) {
  const sim::Span span(m.tape, "chosen");
  m.build.open("chosen");
  if (!m.data.chance(1, 8)) {
    m.facts.bootargs = draw_bootargs(m);
    m.build.string("bootargs", m.facts.bootargs);
  }
  make_console(m);
  if (m.data.chance(1, 4)) {
    make_initrd(m);
  }
  if (m.data.chance(1, 4)) {
    uint8_t seed[64];
    m.data.noise(seed);
    m.build.raw("rng-seed", seed);
  }
  make_hidden_controller(m);
  m.build.close();
}

void make_aliases(Maker& m) {
  m.build.open("aliases");
  m.build.string("serial0", m.kind.serial_path);
  m.build.text("ethernet0", "/nowhere/ethernet@0");
  make_hidden_controller(m);
  m.build.close();
}

} // namespace kiln::gen::fdt
