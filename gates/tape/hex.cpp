// Hexadecimal text to bytes and back.

#include "gates/tape/hex.h"

#include <fmt/format.h>

namespace kiln::gates {
namespace {

constexpr size_t kBytesPerLine = 32;
constexpr int kNoDigit = -1;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNoDigit;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string describe_character(char c) {
  if (c > ' ' && c < 0x7F) return fmt::format("'{}'", c);
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
}

/// Where a character stands in the text, counted from 1.
struct Cursor {
  size_t line = 1;
  size_t column = 1;
  void pass(char c) {
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n' ? 1 : 0;
  }
};

} // namespace

std::string to_hex(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2 + bytes.size() / kBytesPerLine + 1);
  for (size_t i = 0; i < bytes.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{:02x}", bytes[i]);
    if ((i + 1) % kBytesPerLine == 0 || i + 1 == bytes.size()) text += '\n';
  }
  return text;
}

std::optional<std::vector<uint8_t>> parse_hex(std::string_view text, std::string* error) {
  std::vector<uint8_t> bytes;
  int high = kNoDigit;
  Cursor cursor;
  for (char c : text) {
    const int digit = digit_value(c);
    if (digit == kNoDigit && !is_space(c)) {
      *error = fmt::format("line {}, column {}: {} is not a hexadecimal digit (if the file is raw "
                           "bytes, say --raw)",
                           cursor.line, cursor.column, describe_character(c));
      return std::nullopt;
    }
    if (digit != kNoDigit) {
      if (high != kNoDigit) bytes.push_back(static_cast<uint8_t>(high << 4 | digit));
      high = high == kNoDigit ? digit : kNoDigit;
    }
    cursor.pass(c);
  }
  if (high != kNoDigit) {
    *error = fmt::format("line {}, column {}: the text ends in the middle of a byte (an odd number "
                         "of digits)",
                         cursor.line, cursor.column);
    return std::nullopt;
  }
  return bytes;
}

} // namespace kiln::gates
