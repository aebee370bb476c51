#include "gates/support/printable.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln::gates {

namespace {

// C0 and C1 control characters and DEL; C1 are C2 80 to C2 9F in UTF-8.
bool is_control(std::string_view character) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  return character.size() == 1 && (byte(0) < 0x20 || byte(0) == 0x7F);
}

std::string escaped(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  std::string text;
  for (char c : bytes)
    text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return text;
}

// Length of a colour sequence as Style makes them, 0 when there is none.
size_t colour_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

template <typename Stays> std::string escape(std::string_view text, Stays stays) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t kept = stays(text);
    size_t size = kept != 0 ? kept : std::max<size_t>(1, utf8_character(text));
    std::string_view piece = text.substr(0, size);
    bool plain = kept != 0 || (utf8_character(piece) != 0 && !is_control(piece));
    out += plain ? std::string(piece) : escaped(piece);
    text.remove_prefix(size);
  }
  return out;
}

bool is_plain_in_a_shell(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./,:=+@%").find(c) != std::string_view::npos;
}

} // namespace

size_t utf8_character(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned lead = byte(0);
  if (text.empty()) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    bool surrogate = lead == 0xED && byte(1) > 0x9F;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    bool overlong = lead == 0xF0 && byte(1) < 0x90;
    bool too_large = lead == 0xF4 && byte(1) > 0x8F;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

std::string printable(std::string_view text) {
  return escape(text, [](std::string_view) { return size_t{0}; });
}

std::string printable_lines(std::string_view text) {
  return escape(text, [](std::string_view rest) {
    return rest[0] == '\n' || rest[0] == '\t' ? size_t{1} : colour_sequence(rest);
  });
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain_in_a_shell)) {
    return std::string(text);
  }
  bool needs_escapes = printable(text) != text;
  std::string out = needs_escapes ? "$'" : "'";
  for (char c : text) {
    if (c == '\'' || (needs_escapes && c == '\\')) {
      out += needs_escapes ? std::string{'\\', c} : "'\\''";
    } else {
      out += c;
    }
  }
  return (needs_escapes ? printable(out) : out) + "'";
}

} // namespace kiln::gates
