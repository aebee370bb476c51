#include "generators/env_block.h"

#include <algorithm>
#include <string_view>

#include "generators/byte_builder.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr std::string_view kSignature = "# GRUB Environment Block\n";

size_t some_size(View data) {
  switch (data.weighted({12, 2, 1, 1})) {
  case 0:
    return 1024;
  case 1:
    return kSignature.size() + data.below(64);
  case 2:
    return kSignature.size() + data.below(4096);
  default:
    return data.below(kSignature.size() + 2);
  }
}

void put_line(sim::Tape& tape, std::string& text) {
  View data = tape.data();
  sim::Span span(tape, "line");
  switch (data.weighted({12, 1, 1, 1})) {
  case 0: {
    text += make_env_name(tape) + "=";
    for (const char c : make_env_value(tape)) {
      text += c == '\\' || c == '\n' ? "\\" : "";
      text += c;
    }
    break;
  }
  case 1:
    text += "# WARNING: do not edit = by hand \\";
    break;
  case 2:
    text += data.pick({"", "no variable", "=nameless", "a=1=2", "x\\=y", "######", "none\\"});
    break;
  default: // as the loader reads it: a backslash before anything
    text += "odd=\\a\\\\\\=\\#";
    break;
  }
  text += '\n';
}

void damage(View fault, std::vector<uint8_t>& block) {
  if (block.empty()) {
    return;
  }
  uint8_t& byte = block[static_cast<size_t>(fault.below(block.size()))];
  switch (fault.below(3)) {
  case 0:
    byte = fault.pick({uint8_t{'\n'}, uint8_t{'='}, uint8_t{'\\'}, uint8_t{'#'}, uint8_t{0}});
    break;
  case 1:
    byte = fault.u8();
    break;
  default: // the filling ends early
    block.back() = fault.pick({uint8_t{'\n'}, uint8_t{'\\'}, uint8_t{'x'}});
    break;
  }
}

} // namespace

std::string make_env_name(sim::Tape& tape) {
  static constexpr std::string_view kNames[] = {
      "a",
      "b",
      "saved_entry",
      "next_entry",
      "boot_success",
      "kernel",
      "",
      "#x",
      "a=b",
      "a\nb",
      "a\\",
      "with blank",
      "=",
      "\n",
      std::string_view("\0", 1),
      std::string_view("a\0b", 3),
      "b\\c",
      "no variable\n",
      "=nameless\n",
      "######\n"}; // the last ones are whole lines that set nothing
  return std::string(tape.data().pick(kNames));
}

std::string make_env_value(sim::Tape& tape) {
  View data = tape.data();
  static constexpr std::string_view kValues[] = {
      "1", "", "gnulinux-advanced>0", "#", "##", "\\", "\n", "a\\\nb", "=", "ends in \\"};
  if (data.below(4) != 3) {
    return std::string(data.pick(kValues));
  }
  return std::string(static_cast<size_t>(data.below(data.boolean() ? 400 : 40)),
                     data.boolean() ? '\\' : 'v');
}

std::vector<uint8_t> make_env_block(sim::Tape& tape) {
  View data = tape.data();
  View fault = tape.fault();
  const size_t size = some_size(data);
  std::string text(kSignature);
  for (uint64_t lines = data.below(10); lines != 0; --lines) {
    put_line(tape, text);
  }
  ByteBuilder block;
  block.text(std::string_view(text).substr(0, size));
  block.fill('#', size - block.size());
  std::vector<uint8_t> bytes = block.take();
  for (uint64_t damages = fault.chance(1, 6) ? fault.between(1, 3) : 0; damages != 0; --damages) {
    damage(fault, bytes);
  }
  return bytes;
}

} // namespace kiln::gen
